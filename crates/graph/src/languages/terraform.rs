//! Terraform: a module is a folder, and an address means what one of its files declares. A call of a module sets the
//! variables of another folder and reads its outputs.

use whyrank_syntax::{Family, Import, Reference, ReferenceKind, Symbol};

use super::{rules::LanguageRules, visibility::Visibility};
use crate::{
    imports::resolve::to_leads,
    input::{paths, view_paths::ViewPaths},
    resolution::resolver::{Resolution, Resolver, joined},
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Terraform,
    // Whatever can be named has an address of at least two parts.
    free_name: Some(|_, _, _, _| Resolution::External),
    by_path: |resolver, file, reference| Some(resolver.by_address(file, reference)),
    visibility: |resolver, id| match is_of_interface(resolver.symbol(id)) {
        true => Visibility::Everywhere,
        false => Visibility::Folder,
    },
    imported_files: |imports, file, import| to_leads(called(&imports.places, file, import)),
    imports_name_files: true,
    opens_module: |_| false,
    // The root of a repository is a module as well: it needs a name.
    package_name: |path, _| format!("./{}", paths::parent(path)),
    reached_unnamed: |resolver, id| reached_unnamed(resolver.symbol(id)).map(str::to_owned),
    does_by_being_there: |symbol| {
        let heads = ["data", "local", "var", "output"];
        let head = symbol.qualified.split('.').next().unwrap_or_default();
        !heads.contains(&head)
    },
    entry_functions: &[],
    ..LanguageRules::PLAIN
};

/// Types of data whose reading runs a program, calls a server or writes a file.
const DOING: [&str; 4] = ["archive_file", "aws_lambda_invocation", "external", "http"];

/// Heads of addresses that stand for outputs of what another folder, or a run elsewhere, has made.
const OTHER_STATES: [&str; 3] = ["data.terraform_remote_state.", "dependency.", "run."];

/// What stops a plan where it fails: a local may stand there as a check.
const CHECKING: [&str; 4] = ["{ for ", "{for ", "regex(", "tobool("];

/// What a value is for that nothing reads.
fn reached_unnamed(symbol: &Symbol) -> Option<&'static str> {
    let mut types = DOING.iter().map(|of_type| format!("data.{of_type}."));
    if types.any(|address| symbol.qualified.starts_with(&address)) {
        return Some("reading it does something by itself");
    }
    if is_of_interface(symbol) {
        return Some("whoever runs the module names it");
    }
    let is_local = symbol.qualified.starts_with("local.");
    let checks = CHECKING.iter().any(|sign| symbol.signature.contains(sign));
    (is_local && checks).then_some("its value may stop a plan: a check")
}

/// Says whether users of a module name a definition: it is a variable or an output.
fn is_of_interface(symbol: &Symbol) -> bool {
    ["variable", "output"]
        .iter()
        .any(|word| symbol.signature.starts_with(word))
}

impl Resolver<'_> {
    /// Resolves a name by the address before it.
    fn by_address(&self, file: u32, reference: &Reference) -> Resolution {
        let name = reference.name.as_str();
        let parts: Vec<&str> = reference.qualifier.split('.').collect();
        match parts.as_slice() {
            // A file of values lies beside the module, or nothing says where.
            ["var"] if reference.kind == ReferenceKind::Write => {
                match self.in_module(file, "var", name) {
                    Resolution::External => Resolution::Unknown,
                    found => found,
                }
            }
            ["module", module] => {
                let head = match reference.kind {
                    ReferenceKind::Write => "var",
                    _ => "output",
                };
                self.of_called(file, module, (head, name))
            }
            ["…"] => Resolution::Unknown,
            ["data" | "ephemeral", _] | ["var" | "local" | "module" | "run"] => {
                self.in_module(file, &reference.qualifier, name)
            }
            [of_type] => match self.in_module(file, of_type, name) {
                Resolution::External => self.in_module(file, &format!("provider.{of_type}"), name),
                found => found,
            },
            _ if OTHER_STATES
                .iter()
                .any(|head| reference.qualifier.starts_with(head)) =>
            {
                Resolution::Unknown
            }
            // An attribute of a value.
            _ => Resolution::External,
        }
    }

    /// The definition that an address means in the module of a file.
    fn in_module(&self, file: u32, before: &str, name: &str) -> Resolution {
        let mut named = self.in_package(file, name);
        self.lookups.in_file(file, name);
        named.extend(self.table.named_in(file, name));
        let address = format!("{before}.{name}");
        named.retain(|id| self.symbol(*id).qualified == address);
        Resolution::told(named)
    }

    /// A variable or an output of the folder that a module of a file's folder is called from.
    fn of_called(&self, file: u32, module: &str, (head, name): (&str, &str)) -> Resolution {
        let Resolution::Definitions(calls) = self.in_module(file, "module", module) else {
            return Resolution::Unknown;
        };
        let calls = calls.into_iter().flat_map(|call| {
            self.lookups.opened(call.file);
            self.scope(call.file)
                .bound
                .get(module)
                .into_iter()
                .flatten()
        });
        let calls: Vec<_> = calls.collect();
        if calls.is_empty() || calls.iter().any(|call| call.is_lost) {
            return Resolution::Unknown;
        }
        let folders = calls.iter().filter_map(|call| call.files.first().copied());
        let found = folders.map(|file| self.in_module(file, head, name));
        found.fold(Resolution::External, joined)
    }
}

/// The files of the folder that a module is called from.
fn called(places: &ViewPaths<'_>, file: u32, import: &Import) -> Vec<u32> {
    let is_own = import.module.starts_with("./") || import.module.starts_with("../");
    let path = import.module.replace("//", "/");
    let folder = paths::join(places.folder_of(file), path.trim_end_matches('/'));
    let Some(folder) = folder.filter(|_| is_own) else {
        return Vec::new();
    };
    let files = places.in_folder(&folder).iter().copied();
    let is_part = |file: &u32| {
        [".tf", ".tofu"]
            .iter()
            .any(|end| places.path(*file).ends_with(end))
    };
    files.filter(is_part).collect()
}

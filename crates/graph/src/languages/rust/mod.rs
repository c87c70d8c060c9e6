//! Rust: crates, modules and the blocks that give a type its members.

mod heads;
pub(crate) mod imports;
mod manifest;
mod paths;

use whyrank_syntax::{Family, ImportKind, MACRO_ITEMS, SymbolKind};

use super::{
    modules,
    rules::{BuildChoice, LanguageRules, TypeExports},
    visibility::Visibility,
};
use crate::{
    input::files::SymbolId,
    resolution::{
        resolver::{Resolution, Resolver},
        scope::{Binding, Bound},
    },
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Rust,
    modules_share_names: true,
    inner_modules_are_apart: true,
    path_heads: &["crate", "$crate"],
    by_path: |resolver, file, reference| {
        resolver
            .by_module_path(file, reference)
            .map(Resolution::told)
    },
    past_local: |resolver, site, reference| resolver.past_local(site, reference),
    opened_variant: |resolver, site, name| resolver.opened_variant(site, name),
    // What no declaration gives is a type of the library.
    is_undeclared_external: |_, _, name| {
        name.starts_with(char::is_uppercase) && !name.starts_with("Self")
    },
    visibility,
    free_name_follows_dot: |_, _, _| false,
    traits_give_members: true,
    // An attribute that names a module (`with = "as_text"` of serde) has these two of it called; methods of these
    // names are those of a trait.
    does_by_being_there: |symbol| {
        symbol.kind == SymbolKind::Function
            && matches!(symbol.name.as_str(), "serialize" | "deserialize")
    },
    gives_any_type,
    type_exports: TypeExports::EnumMembers,
    blocks_name_types: true,
    inherited_members_fulfil: false,
    is_base: heads::is_base,
    manifests: &["Cargo.toml"],
    provided_names: manifest::provided_names,
    renamed_packages: manifest::renamed_packages,
    imported_files: |imports, file, import| imports.rust.resolve(&imports.places, file, import),
    dashes_become_underscores: true,
    opens_module: |_| false,
    bind_module: |scope, import, files| {
        let module = import.module.as_str();
        let last = module.rsplit("::").next().unwrap_or(module);
        let what = match import.kind {
            ImportKind::ModuleDeclaration => Bound::Module,
            _ => Bound::Name(last),
        };
        scope.add(last, Binding::of(import, files, what));
    },
    submodule: modules::own_module,
    macros_rewrite_code: true,
    attributes_choose: true,
    tests_are_members: false,
    unused_imports_are_refused: true,
    reached_unnamed: in_macro,
    is_program: |resolver, file| {
        let root = format!("{}lib.rs", sources(resolver.view_paths.path(file)));
        resolver.view_paths.file(&root).is_none()
    },
    unit: sources,
    factories_need_names: true,
    results_say_self: true,
    build_choice: BuildChoice::AlikeOrInFile,
    ..LanguageRules::PLAIN
};

/// The folder that holds a crate's `src`.
fn crate_of(path: &str) -> &str {
    path.rfind("src/").map_or("", |at| &path[..at])
}

/// A crate's `src` with the slash behind it.
fn sources(path: &str) -> &str {
    path.rfind("src/").map_or("", |at| &path[..at + 4])
}

fn visibility(resolver: &Resolver<'_>, id: SymbolId) -> Visibility {
    let symbol = resolver.symbol(id);
    let head = symbol.signature.trim_start();
    if symbol.kind == SymbolKind::Macro || head.starts_with("pub(") {
        Visibility::Crate
    } else if head.starts_with("pub ") || symbol.exported {
        Visibility::Everywhere
    } else {
        Visibility::Module
    }
}

/// A macro may do more with its items than define them. Those that only choose do not.
fn in_macro(resolver: &Resolver<'_>, id: SymbolId) -> Option<String> {
    let line = resolver.symbol(id).name_line;
    let chooses = |name: &str| name.starts_with("cfg") || name.contains("feature");
    let facts = resolver.files[id.file as usize].facts();
    let mut around = facts
        .locals
        .iter()
        .filter(|local| local.name == MACRO_ITEMS && (local.line..=local.end_line).contains(&line));
    let call = around.find(|local| !chooses(&local.text))?;
    Some(format!(
        "`{}!` may do more with it than define it",
        call.text
    ))
}

/// Modules of the library whose functions give what is the library's.
const GIVE_OWN: &[&str] = &[
    "ascii", "char", "env", "fmt", "fs", "io", "net", "path", "process", "str", "time",
];

/// Types of the library that stand for the value in them.
const STAND_FOR_VALUE: &[&str] = &[
    "Arc",
    "Box",
    "Cow",
    "LazyCell",
    "LazyLock",
    "ManuallyDrop",
    "Pin",
    "Rc",
    "Ref",
    "RefMut",
];

/// A function of a module may be of any type (`mem::take`, `cmp::max`); one of a type gives the type or what it
/// is known for, but for those that stand for a value.
fn gives_any_type(owner: &str) -> bool {
    match owner.starts_with(char::is_uppercase) {
        true => STAND_FOR_VALUE.contains(&owner),
        false => !GIVE_OWN.contains(&owner),
    }
}

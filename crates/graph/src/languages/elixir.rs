//! Elixir: modules by the names that they declare, and aliases for the last part of these.

use whyrank_syntax::{Family, Import};

use super::{modules, rules::LanguageRules};
use crate::{
    imports::resolve::{Lead, full_paths, named::NamedModules, to_leads},
    resolution::scope::{Binding, Bound, FileScope},
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Elixir,
    imported_files: |imports, _, import| imported_files(&imports.named, import),
    opens_module: |_| false,
    bind_module,
    ..LanguageRules::PLAIN
};

/// `alias A.B` is used as `B`, too.
fn bind_module<'a>(scope: &mut FileScope<'a>, import: &'a Import, files: Vec<u32>) {
    let module = import.module.as_str();
    modules::bind_dotted(scope, import, files);
    if let Some((_, last)) = module.rsplit_once('.') {
        let files = scope.bound[module][0].files.clone();
        scope.add(last, Binding::of(import, files, Bound::Module));
    }
}

/// `alias A.B`, `import A.B`, `alias A.{B, C}`.
fn imported_files(named: &NamedModules<'_>, import: &Import) -> Vec<Lead> {
    let mut leads = to_leads(named.declaring(&import.module).iter().copied());
    for (path, name_idx) in full_paths(import, ".") {
        let files = named.declaring(&path.join("."));
        leads.extend(files.iter().map(|file| Lead {
            file: *file,
            name_idx,
        }));
    }
    leads.sort_unstable();
    leads.dedup_by_key(|lead| lead.file);
    leads
}

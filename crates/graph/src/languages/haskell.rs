//! Haskell: a module is a path with dots.

use whyrank_syntax::Family;

use super::{modules, rules::LanguageRules};
use crate::{imports::resolve::to_leads, input::view_paths::ViewPaths};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Haskell,
    imported_files: |imports, file, import| {
        to_leads(module_file(&imports.places, file, &import.module))
    },
    opens_module: |_| false,
    bind_module: modules::bind_dotted,
    ..LanguageRules::PLAIN
};

/// `import A.B`: A/B.hs.
fn module_file(places: &ViewPaths<'_>, file: u32, module: &str) -> Option<u32> {
    let path = module.replace('.', "/");
    ["hs", "lhs", "hsc"]
        .iter()
        .find_map(|extension| places.nearest_ending_with(&format!("{path}.{extension}"), file))
}

//! Lua: a module is a table that its file fills.

use whyrank_syntax::{Family, Reference};

use super::rules::LanguageRules;
use crate::{
    imports::resolve::to_leads,
    input::{files::SymbolId, paths, view_paths::ViewPaths},
    resolution::resolver::{Resolution, Resolver},
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Lua,
    by_path: |resolver, file, reference| resolver.of_own_table(file, reference),
    default_may_be_owned: false,
    imported_files: |imports, file, import| {
        to_leads(required(&imports.places, file, &import.module))
    },
    ..LanguageRules::PLAIN
};

impl Resolver<'_> {
    /// What the file itself puts into a table of that name.
    fn of_own_table(&self, file: u32, reference: &Reference) -> Option<Resolution> {
        self.lookups.in_file(file, &reference.name);
        let own = self.table.named_in(file, &reference.name).iter().copied();
        let of_table = |id: &SymbolId| {
            let qualified = self.symbol(*id).qualified.as_str();
            let table = qualified.rsplit_once('.').map(|(table, _)| table);
            table == Some(reference.qualifier.as_str())
        };
        let found: Vec<SymbolId> = own.filter(of_table).collect();
        (!found.is_empty()).then_some(Resolution::Definitions(found))
    }
}

/// `require 'a.b'`: a/b.lua or a/b/init.lua, nearest first.
fn required(places: &ViewPaths<'_>, file: u32, module: &str) -> Option<u32> {
    let path = module
        .trim_start_matches("./")
        .trim_end_matches(".lua")
        .replace('.', "/");
    ["", "lua", "src", "lib"]
        .iter()
        .flat_map(|root| ["", "/init"].map(|end| paths::join(root, &format!("{path}{end}.lua"))))
        .find_map(|candidate| places.file(&candidate?))
        .or_else(|| places.nearest_ending_with(&format!("{path}.lua"), file))
        .or_else(|| places.nearest_ending_with(&format!("{path}/init.lua"), file))
}

//! Names that imports and exports give to others.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use whyrank_syntax::{FileFacts, HintKind, Local};

use crate::{input::files::FileInput, resolution::exports};

/// Which names imports and exports anywhere give to a name (`x as y`).
pub(crate) struct NewNames<'a>(FxHashMap<&'a str, BTreeSet<&'a str>>);

impl<'a> NewNames<'a> {
    /// The pairs of a view's imports and exports, in order. O(imports).
    pub(crate) fn pairs_of(files: &[FileInput<'_>]) -> Vec<(String, String)> {
        let mut pairs: BTreeSet<(String, String)> = BTreeSet::new();
        for file in files {
            file.with_facts(|facts| {
                for imported in facts.imports.iter().flat_map(|import| &import.names) {
                    let is_name = !matches!(imported.name.as_str(), "*" | "default");
                    if is_name && imported.local != "default" && imported.local != imported.name {
                        pairs.insert((imported.name.clone(), imported.local.clone()));
                    }
                }
                let exported = exports::renamed_exports(facts);
                let exported = exported.filter(|(own, name)| own != name && *name != "default");
                pairs.extend(exported.map(|(own, name)| (own.to_owned(), name.to_owned())));
                pairs.extend(member_aliases(facts));
            });
        }
        pairs.into_iter().collect()
    }

    /// From pairs of a name and the name that an import gives to it.
    pub(crate) fn of_pairs(pairs: &'a [(String, String)]) -> Self {
        let mut given: FxHashMap<&str, BTreeSet<&str>> = FxHashMap::default();
        for (name, local) in pairs {
            given.entry(name).or_default().insert(local);
        }
        Self(given)
    }

    /// These names and all that represent them.
    pub(crate) fn of<'b>(&self, names: impl Iterator<Item = &'b str>) -> FxHashSet<&'b str>
    where
        'a: 'b,
    {
        let mut next: Vec<&str> = names.collect();
        let mut found: FxHashSet<&str> = next.iter().copied().collect();
        while let Some(name) = next.pop() {
            let given = self.0.get(name).into_iter().flatten();
            next.extend(given.copied().filter(|name| found.insert(name)));
        }
        found
    }
}

/// The names that types give to members of others, each with the member's own.
fn member_aliases(facts: &FileFacts) -> impl Iterator<Item = (String, String)> {
    let is_in_type = |local: &&Local| {
        let around = local.enclosing.map(|at| &facts.symbols[at as usize]);
        around.is_some_and(|around| around.kind.has_members())
    };
    let in_types = facts.locals.iter().filter(is_in_type);
    let named = in_types.filter(|local| local.kind == HintKind::Value);
    named.filter_map(|local| {
        let name = local.name.strip_prefix('.')?;
        let (_, own) = local.text.rsplit_once("::")?;
        let is_member = own.chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_member && own != name).then(|| (own.to_owned(), name.to_owned()))
    })
}

//! Java, Kotlin, Scala, C#: names that say their package or namespace, `a.b.Type`, and need no import.

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::resolver::Resolver,
};

impl<'a> Resolver<'a> {
    /// Definitions that a name with its package before it means: a type, or what one holds.
    pub(super) fn by_whole_name(&self, file: u32, path: &str) -> Vec<SymbolId> {
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        if !matches!(self.family(file), Family::Jvm | Family::Dotnet) || !path.chars().all(is_path)
        {
            return Vec::new();
        }
        let parts: Vec<&str> = path.split('.').collect();
        let mut found = (1..parts.len()).map(|n| {
            let mut found = self.in_space_of(file, &parts[..n].join("."), parts[n]);
            for part in &parts[n + 1..] {
                found = self.members_of(&found, part);
            }
            found
        });
        found.find(|ids| !ids.is_empty()).unwrap_or_default()
    }

    /// Types of a package or namespace; in C# the name may begin where the file's own one ends.
    fn in_space_of(&self, file: u32, space: &str, name: &str) -> Vec<SymbolId> {
        self.lookups.anywhere(name);
        if self.table.named(name).is_empty() {
            return Vec::new();
        }
        if self.family(file) == Family::Dotnet {
            let mut found: Vec<SymbolId> = Vec::new();
            for space in self.spaces_below_own(file, space) {
                found.extend(self.dotnet_types(name, &space));
            }
            found.sort_unstable();
            found.dedup();
            return found;
        }
        let packages = self.graph.packages();
        let end_of = |id: SymbolId| {
            let is_type = self.family(id.file) == Family::Jvm
                && self.symbol(id).kind.has_members()
                && self.parent(id).is_none();
            is_type.then(|| last_part(packages.name(id.file)))
        };
        let end = last_part(space);
        let mut found = self.sharing(name, |known| &known.by_package_end, end_of, end);
        found.retain(|id| {
            let rest = packages.name(id.file).strip_suffix(space);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        });
        found
    }

    /// The namespaces that one written in a file of C# can be: itself, or one inside of those around the file.
    fn spaces_below_own(&self, file: u32, space: &str) -> Vec<String> {
        let mut spaces = vec![space.to_owned()];
        for own in &self.scope(file).spaces {
            let ends = own.match_indices('.').map(|(at, _)| at);
            let around = ends.chain([own.len()]).map(|end| &own[..end]);
            spaces.extend(around.map(|around| format!("{around}.{space}")));
        }
        spaces.sort_unstable();
        spaces.dedup();
        spaces
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

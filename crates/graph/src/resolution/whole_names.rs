//! Java, Kotlin, Scala, C#: names that say their package or namespace, `a.b.Type`, and need no import.

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::resolver::Resolver,
};

impl Resolver<'_> {
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
        let family = self.family(file);
        let named = self.table.named(name).iter().copied();
        self.lookups.anywhere(name);
        let is_there = |id: &SymbolId| match family {
            Family::Dotnet => self.space_of(*id).is_some_and(|own| {
                let own_spaces = self.scope(file).spaces.iter();
                let outer = own
                    .strip_suffix(space)
                    .and_then(|rest| rest.strip_suffix('.'));
                own == space
                    || outer.is_some_and(|outer| {
                        let mut around = own_spaces.map(|own| own.strip_prefix(outer));
                        around.any(|rest| {
                            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                        })
                    })
            }),
            _ => {
                let package = self.package(id.file).map_or("", |package| package.folder);
                let package = package.replace('/', ".");
                let rest = package.strip_suffix(space);
                self.parent(*id).is_none()
                    && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
        };
        let is_type =
            |id: &SymbolId| self.family(id.file) == family && self.symbol(*id).kind.has_members();
        named.filter(|id| is_type(id) && is_there(id)).collect()
    }
}

//! Names that say their package or namespace, `a.b.Type`, and need no import.

use crate::{input::files::SymbolId, resolution::resolver::Resolver};

impl Resolver<'_> {
    /// Definitions that a name with its package before it means: a type, or what one holds.
    pub(crate) fn by_qualified_name(&self, file: u32, path: &str) -> Vec<SymbolId> {
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let types_in = self.rules(file).types_in_space;
        let Some(types_in) = types_in.filter(|_| path.chars().all(is_path)) else {
            return Vec::new();
        };
        let parts: Vec<&str> = path.split('.').collect();
        let mut found = (1..parts.len()).map(|n| {
            self.lookups.anywhere(parts[n]);
            let mut found = match self.table.named(parts[n]).is_empty() {
                true => Vec::new(),
                false => types_in(self, file, &parts[..n].join("."), parts[n]),
            };
            for part in &parts[n + 1..] {
                found = self.members_of(&found, part);
            }
            found
        });
        found.find(|ids| !ids.is_empty()).unwrap_or_default()
    }
}

//! The same commands in a folder that holds several repositories.

use super::Shell;
use whyrank_eval::Relation;

impl Shell<'_> {
    /// Says whether such a question can be answered with `grep`.
    pub(super) fn across(&mut self, symbol: &str, relation: Relation) -> bool {
        let Some(both) = &self.grep.both else {
            return false;
        };
        self.root = both.root().to_owned();
        match relation {
            Relation::Definition => self.definition(symbol),
            Relation::Uses => self.references(symbol),
            Relation::Callers => return false,
        }
        let found = std::mem::take(&mut self.answer.found);
        self.answer.found = found.into_iter().map(|place| both.place(place)).collect();
        true
    }
}

//! The member that a step of an expression names, and the type that a member is of.

use crate::{
    input::files::SymbolId,
    resolution::{
        dotted_expression::FirstSteps,
        resolver::{Receiver, Resolution, Resolver, UseSite},
    },
};

impl Resolver<'_> {
    /// The member that the last of some steps names. A variable behind `->` may hold any name, one behind `::` is
    /// a property of the class.
    pub(super) fn member_of_step(
        &self,
        site: UseSite,
        receiver: Receiver<'_>,
        through: FirstSteps<'_>,
        depth: u32,
    ) -> Resolution {
        let Some(step) = through.steps.last() else {
            return Resolution::Unknown;
        };
        let rules = self.rules(site.file);
        let name = match step.name.strip_prefix(rules.sigil) {
            Some(name) if !rules.sigil.is_empty() => {
                if !through.text.contains(&format!("::{}", step.name)) {
                    return Resolution::Unknown;
                }
                name
            }
            _ => step.name.as_str(),
        };
        match self.member_at(site, receiver, name, depth) {
            Resolution::Definitions(ids) if rules.kinds_are_apart => {
                let is_called =
                    |id: &&SymbolId| self.symbol(**id).kind.is_callable() == step.called;
                let fitting: Vec<SymbolId> = ids.iter().filter(is_called).copied().collect();
                Resolution::Definitions(if fitting.is_empty() { ids } else { fitting })
            }
            Resolution::Definitions(ids) => (rules.of_receiver)(self, site, Some(receiver), ids),
            other => other,
        }
    }

    /// The type that a member is of.
    pub(crate) fn owner_of_member(&self, member: SymbolId) -> Option<SymbolId> {
        let holder = self.holder_of(member)?;
        self.symbol(holder).kind.has_members().then_some(holder)
    }
}

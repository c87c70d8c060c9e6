//! How many arguments a call has.

use super::Walk;

impl Walk<'_, '_> {
    /// Says how many arguments the call at a level has, as the newest use.
    pub(super) fn count_arguments(&mut self, call_at: usize) {
        let call = self.context.levels[call_at].node;
        let n_args = (self.context.spec.counts_arguments)
            .then(|| call.child_by_field_name("arguments"))
            .flatten()
            .map(|list| {
                let mut cursor = list.walk();
                let arguments = list.named_children(&mut cursor);
                arguments.filter(|part| !part.is_extra()).count()
            });
        if let Some(newest) = self.context.facts.references.last_mut() {
            newest.n_args = n_args.and_then(|n| u8::try_from(n).ok());
        }
    }
}

//! What stands in brackets behind a value: an element of what it holds.

use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    resolution::resolver::{MAX_DEPTH, Resolution, Resolver, UseSite, joined},
};

impl Resolver<'_> {
    /// What an index gives.
    pub(crate) fn indexed(&self, resolution: Resolution, depth: u32) -> Resolution {
        let held = self.held_by_property(self.value(resolution, depth), depth);
        match held {
            Resolution::Elements(ids) => Resolution::Instances(ids),
            Resolution::External => Resolution::External,
            Resolution::Instances(ids)
                if ids.iter().all(|id| self.rules(id.file).pointers_are_arrays) =>
            {
                Resolution::Instances(ids)
            }
            Resolution::Instances(ids) => match self.held_by_named(&ids, depth) {
                Resolution::Elements(ids) => Resolution::Instances(ids),
                _ => Resolution::Unknown,
            },
            _ => Resolution::Unknown,
        }
    }

    /// What a type that is a list or a map under a name of its own holds: `type cores []Core`.
    pub(crate) fn held_by_named(&self, ids: &[SymbolId], depth: u32) -> Resolution {
        let held_by = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            let is_named =
                self.rules(id.file).lists_have_names && symbol.kind == SymbolKind::TypeAlias;
            let (_, held) = symbol.signature.split_once(symbol.name.as_str())?;
            let site = UseSite::inside(id.file, symbol.parent);
            (is_named && depth < MAX_DEPTH).then(|| self.typed(site, held, depth + 1))
        };
        let held = ids
            .iter()
            .map(|id| held_by(id).unwrap_or(Resolution::Unknown));
        held.reduce(joined).unwrap_or(Resolution::Unknown)
    }
}

//! Uses of names that nothing defines any more.

use crate::Engine;
use crate::api::{RefHit, RefsRequest};
use crate::code::symbols::{ref_hits, sort_hits};
use crate::error::Result;
use whyrank_graph::{Confidence, ReferenceHit, SymbolId};
use whyrank_retrieval::reference_name;
use whyrank_syntax::ReferenceKind;

impl Engine {
    /// Uses of a name that nothing defines: a definition that went leaves them behind. By the name
    /// alone. O(uses of the checkout).
    pub(super) fn undefined_uses(
        &self,
        request: &RefsRequest,
        kinds: &[&str],
    ) -> Result<Vec<RefHit>> {
        let session = self.open_graph_with_facts(&request.repo, request.as_of.as_deref())?;
        let view = &session.view;
        let mut parts = request.symbol.rsplit(['.', ':', '#', '/', '\\']);
        let name = parts.next().unwrap_or_default().trim();
        let inputs = session.facts.inputs(view);
        let table = view.table(&inputs);
        let is_it = |id: &SymbolId| view.symbol(*id).name == name;
        if name.is_empty() || table.definitions(name).iter().any(is_it) {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for (file, input) in (0u32..).zip(&inputs) {
            let uses = input.facts().references.iter();
            let uses = uses.filter(|one| one.name == name && is_kind(one.kind, kinds));
            found.extend(uses.map(|one| ReferenceHit {
                file,
                line: one.line,
                kind: one.kind,
                enclosing: one.enclosing.map(|symbol| SymbolId { file, symbol }),
                confidence: Confidence::NameOnly,
            }));
        }
        found.dedup_by_key(|hit| (hit.file, hit.line, hit.kind));
        let mut hits = ref_hits(view, found)?;
        sort_hits(&mut hits);
        Ok(hits)
    }
}

fn is_kind(kind: ReferenceKind, kinds: &[&str]) -> bool {
    kinds.is_empty() || kinds.contains(&reference_name(kind))
}

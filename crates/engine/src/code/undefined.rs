//! Names that nothing defines: where they are used, and where they may be defined unread.

use crate::Engine;
use crate::api::{RefHit, RefsRequest};
use crate::code::symbols::{ref_hits, sort_hits};
use crate::error::Result;
use crate::views::LiveView;
use whyrank_graph::{Confidence, ReferenceHit, SymbolId};
use whyrank_retrieval::reference_name;
use whyrank_syntax::ReferenceKind;

/// Files that could not be parsed wholly which are read for a name that is not known.
const MOST_BROKEN_READ: usize = 300;
/// Those of them that are named.
const MOST_NAMED: usize = 5;

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

/// Files of which a part could not be parsed, and which hold a name: it may be defined there.
pub(super) fn partly_read(view: &LiveView, symbol: &str) -> Vec<String> {
    let is_part = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
    let mut parts = symbol.rsplit(|char| !is_part(char));
    let Some(name) = parts.find(|part| !part.is_empty()) else {
        return Vec::new();
    };
    let files = (0u32..).zip(&view.files);
    let broken = files.filter(|(_, file)| file.error.is_some());
    let holds = |file: u32| {
        let text = view.text(file);
        text.is_ok_and(|text| text.split(|char| !is_part(char)).any(|word| word == name))
    };
    broken
        .take(MOST_BROKEN_READ)
        .filter(|(file, _)| holds(*file))
        .map(|(_, file)| file.path.clone())
        .take(MOST_NAMED)
        .collect()
}

//! Uses as answers list them.

use crate::api::RefHit;
use crate::error::Result;
use crate::views::{LiveView, Texts};
use whyrank_graph::ReferenceHit;
use whyrank_retrieval::reference_name;

/// The kind of a word in a comment, a string or a document.
pub(super) const MENTION: &str = "mention";
/// Uses of an answer that come with their text and what is around them; nobody reads so many.
const MOST_DETAILED: usize = 2_000;

/// The uses with their lines. Of very many those that come first in an answer have their text and what is
/// around them; of the others no file is read.
pub(crate) fn ref_hits(view: &LiveView, found: Vec<ReferenceHit>) -> Result<Vec<RefHit>> {
    let mut texts = Texts::new(view);
    let is_detailed = first_of(view, &found, MOST_DETAILED);
    let mut hits: Vec<RefHit> = Vec::with_capacity(found.len());
    for (hit, is_detailed) in found.into_iter().zip(is_detailed) {
        let enclosing = hit.enclosing.filter(|_| is_detailed);
        let is_read = is_detailed || has_tests_beside_code(view, hit.file);
        hits.push(RefHit {
            path: view.files[hit.file as usize].path.clone(),
            line: hit.line,
            kind: reference_name(hit.kind).to_owned(),
            enclosing: enclosing.map(|id| view.symbol(id).qualified.clone()),
            confidence: hit.confidence.into(),
            text: match is_detailed {
                true => texts.line(hit.file, hit.line)?,
                false => String::new(),
            },
            test: match is_read {
                true => view.is_test_code(hit.file, hit.enclosing),
                false => view.is_test(hit.file),
            },
            doc: view.is_doc(hit.file),
            ruling: None,
            because: String::new(),
        });
    }
    Ok(hits)
}

/// Production code first, by path and line.
pub(crate) fn sort_hits(hits: &mut [RefHit]) {
    hits.sort_by(|a, b| {
        (a.doc, a.test, &a.path, a.line, &a.kind).cmp(&(b.doc, b.test, &b.path, b.line, &b.kind))
    });
}

/// Which of some uses stand among the first of an answer, as far as their files tell.
fn first_of(view: &LiveView, found: &[ReferenceHit], most: usize) -> Vec<bool> {
    let mut is_first = vec![found.len() <= most; found.len()];
    if found.len() > most {
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|at| {
            let hit = &found[*at];
            let is_aside = (view.is_doc(hit.file), view.is_test(hit.file));
            (is_aside, hit.file, hit.line)
        });
        for at in order.into_iter().take(most) {
            is_first[at] = true;
        }
    }
    is_first
}

/// Whether a language writes tests into the files that they test.
fn has_tests_beside_code(view: &LiveView, file: u32) -> bool {
    matches!(view.files[file as usize].language.name(), "rust" | "zig")
}

//! What the parts of an issue add to a file and to a definition in it, each a term with its reason.

use super::lexical::{LexicalScores, N_PARTS, PARTS};
use super::names::NamedPlaces;
use super::past_changes::PastScores;
use crate::evidence::{Terms, is_alike};
use crate::order::acts;
use crate::query::{ParsedQuery, PartKind};
use crate::search_index::{FileRole, SearchIndex, SymbolRef, distinct_tokens, part_tokens};
use crate::settings::IssueTuning;
use crate::terms::Reason;
use std::collections::HashMap;
use whyrank_index::ChunkRef;

/// Everything that is weighed.
pub(super) struct IssueEvidence<'a> {
    pub(super) index: &'a SearchIndex,
    pub(super) tuning: &'a IssueTuning,
    pub(super) lexical: &'a LexicalScores,
    pub(super) named: &'a NamedPlaces,
    /// Share of the title's words that a path holds.
    pub(super) path_cover: HashMap<u32, f64>,
    /// The title.
    pub(super) title: &'a ParsedQuery,
    /// Words of title, prose and names, for files that are called so.
    pub(super) words: &'a [String],
    pub(super) semantic: &'a Semantic,
    pub(super) past: &'a PastScores,
    /// The title asks for documentation.
    pub(super) wants_docs: bool,
}

/// A term: name, amount in first places, reason.
pub(super) type Term = (String, f64, Reason);

impl IssueEvidence<'_> {
    /// Evidence for a file, without reasons.
    pub(super) fn file_score(&self, file: u32) -> f64 {
        let keep = self.keep(self.index.roles[file as usize]).0;
        let mut sum = 0.0;
        self.of_file(file, |_, amount, _| sum += amount);
        sum * keep
    }

    /// Evidence for a chunk of a file, besides its file.
    pub(super) fn chunk_score(&self, place: ChunkRef) -> f64 {
        let mut sum = 0.0;
        self.of_chunk(place, |_, amount, _| sum += amount);
        sum
    }

    /// The terms of a file.
    pub(super) fn file_terms(&self, file: u32) -> Vec<Term> {
        let mut terms = Vec::new();
        self.of_file(file, |name, amount, reason| {
            if amount != 0.0 {
                terms.push((name.to_owned(), amount, reason()));
            }
        });
        terms
    }

    /// Adds the terms of a chunk, then what its file's part in the program leaves of all of them.
    pub(super) fn add(
        &self,
        place: ChunkRef,
        of_file: &[Term],
        base: f64,
        terms: &mut Terms,
    ) -> f64 {
        for (name, amount, reason) in of_file {
            terms.add(name, *amount, || reason.clone());
        }
        self.of_chunk(place, |name, amount, reason| {
            terms.add(name, amount, reason)
        });
        let (keep, what) = self.keep(self.index.role_of(place));
        if keep < 1.0 {
            let so_far = (base + terms.sum()) / terms.unit;
            terms.add(&format!("{what}-file"), (keep - 1.0) * so_far, || {
                format!(
                    "{what} file: keeps {:.0}% of its score for an issue",
                    keep * 100.0
                )
            });
        }
        keep
    }

    /// What a part in the program leaves of a score.
    fn keep(&self, role: FileRole) -> (f64, &'static str) {
        let tuning = self.tuning;
        match role {
            FileRole::Source => (1.0, ""),
            FileRole::Docs if self.wants_docs => (1.0, ""),
            FileRole::Test => (tuning.issue_keep_aside, "test"),
            FileRole::Example => (tuning.issue_keep_aside, "example"),
            FileRole::Docs => (tuning.issue_keep_aside, "docs"),
            FileRole::Config => (tuning.issue_keep_config, "config"),
            FileRole::Vendored | FileRole::Generated => (tuning.issue_keep_config, "foreign"),
            FileRole::Legacy => (tuning.issue_keep_legacy, "legacy"),
            FileRole::Stub => (tuning.issue_keep_legacy, "stub"),
        }
    }

    fn of_file(&self, file: u32, mut term: impl FnMut(&str, f64, &dyn Fn() -> Reason)) {
        let tuning = self.tuning;
        for (part, kind) in PARTS.into_iter().enumerate() {
            let best = self.lexical.best_file[part];
            let score = self.lexical.files[file as usize][part];
            if score > 0.0 {
                let share = f64::from(score / best);
                let (name, weight) = (kind.name(), tuning.of_files(kind));
                term(&format!("issue-{name}-file"), weight * share, &|| {
                    let percent = share * 100.0;
                    let words = self.lexical.words(part, file);
                    let listed = words.join(", ");
                    Reason {
                        text: format!("{name}: {percent:.0}% of the best file's BM25 ({listed})"),
                        words,
                    }
                });
            }
        }
        self.named(file, &mut term);
        self.past(file, &mut term);
        if let Some(share) = self.named.alike_files.get(&file) {
            term(
                "issue-name-alike-file",
                tuning.issue_name_alike_file * share,
                &|| {
                    Reason::from(format!(
                        "a definition's name holds the issue's words: {:.0}% of the best",
                        share * 100.0
                    ))
                },
            );
        }
        if let Some(cover) = self.path_cover.get(&file) {
            term("issue-title-path", tuning.issue_title_path * cover, &|| {
                Reason::from(format!(
                    "its path holds {:.0}% of the title's words",
                    cover * 100.0
                ))
            });
        }
        self.stem(file, &mut term);
        if let Some(share) = self.semantic.files.get(&file) {
            term(
                "issue-vector-file",
                tuning.issue_vector_file * share,
                &|| {
                    Reason::from(format!(
                        "its nearest chunk: {:.0}% of the list's range",
                        share * 100.0
                    ))
                },
            );
        }
        let rank = f64::from(self.index.view.file_rank(file));
        term("file-rank", tuning.issue_file_rank * rank, &|| {
            Reason::from(format!("PageRank {rank:.2} of the most imported file's"))
        });
    }

    fn named(&self, file: u32, term: &mut impl FnMut(&str, f64, &dyn Fn() -> Reason)) {
        let tuning = self.tuning;
        let named = [
            (
                "issue-frame-file",
                tuning.issue_frame_file,
                &self.named.frames,
                "a frame of the traceback",
            ),
            (
                "issue-path",
                tuning.issue_path,
                &self.named.paths,
                "the issue names this file",
            ),
            (
                "issue-module",
                tuning.issue_module,
                &self.named.modules,
                "the issue names the module",
            ),
        ];
        for (name, weight, places, why) in named {
            if let Some(found) = places.get(&file) {
                term(name, weight * found.value, &|| Reason {
                    text: format!("{why}: {}", found.words.join(", ")),
                    words: found.words.clone(),
                });
            }
        }
        if let Some(found) = self.named.names.get(&file) {
            // Ten names in a file are not ten times as good as one.
            let value = found.value / (found.value + 1.5);
            term("issue-name-file", tuning.issue_name_file * value, &|| {
                Reason {
                    text: format!("defines what the issue names: {}", found.words.join(", ")),
                    words: found.words.clone(),
                }
            });
        }
    }

    fn past(&self, file: u32, term: &mut impl FnMut(&str, f64, &dyn Fn() -> Reason)) {
        if let Some((share, words)) = self.past.words.get(&file) {
            term("issue-history", self.tuning.issue_history * share, &|| {
                let listed = words.join(", ");
                Reason {
                    text: format!(
                        "past commits said so when it changed: {:.0}% of the best ({listed})",
                        share * 100.0
                    ),
                    words: words.clone(),
                }
            });
        }
        if let Some((share, n)) = self.past.changes.get(&file) {
            term(
                "issue-history-changes",
                self.tuning.issue_changes * share,
                &|| Reason::from(format!("{n} of the newest commits changed it")),
            );
        }
    }

    fn stem(&self, file: u32, term: &mut impl FnMut(&str, f64, &dyn Fn() -> Reason)) {
        let stem = self.index.stem(file);
        let stem = part_tokens(&stem);
        let is_said = |token: &&String| self.words.iter().any(|word| is_alike(word, token, 4));
        let n_said = stem.iter().filter(is_said).count();
        if !stem.is_empty() && n_said == stem.len() {
            term("issue-stem", self.tuning.issue_stem, &|| {
                Reason::from("the issue holds every word of the file's name".to_owned())
            });
        }
    }

    fn of_chunk(&self, place: ChunkRef, mut term: impl FnMut(&str, f64, &dyn Fn() -> Reason)) {
        let tuning = self.tuning;
        let scores = self.lexical.chunk(place);
        for part in 0..N_PARTS {
            if scores[part] > 0.0 {
                let share = f64::from(scores[part] / self.lexical.best_chunk[part]);
                let (name, weight) = (PARTS[part].name(), tuning.of_chunks(PARTS[part]));
                term(&format!("issue-{name}"), weight * share, &|| {
                    Reason::from(format!(
                        "{name}: {:.0}% of the best chunk's BM25",
                        share * 100.0
                    ))
                });
            }
        }
        if let Some(share) = self.semantic.chunks.get(&place) {
            term("issue-vector", tuning.issue_vector * share, &|| {
                Reason::from(format!(
                    "nearest window of the issue: {:.0}% of the list's range",
                    share * 100.0
                ))
            });
        }
        let outline = &self.index.view.files[place.file as usize].outline();
        let Some(symbol) = outline.chunks[place.chunk as usize].symbol else {
            term("issue-residue", -tuning.issue_residue, &|| {
                Reason::from("code between definitions".to_owned())
            });
            return;
        };
        self.of_symbol(
            SymbolRef {
                file: place.file,
                symbol,
            },
            &mut term,
        );
    }

    fn of_symbol(&self, id: SymbolRef, term: &mut impl FnMut(&str, f64, &dyn Fn() -> Reason)) {
        let tuning = self.tuning;
        let symbol = self.index.symbol(id);
        if let Some(found) = self.named.frame_symbols.get(&id) {
            term("issue-frame", tuning.issue_frame * found.value, &|| {
                Reason {
                    text: format!("the function of a frame: {}", found.words.join(", ")),
                    words: found.words.clone(),
                }
            });
        }
        if let Some(found) = self.named.symbols.get(&id) {
            term(
                "issue-name",
                tuning.issue_name * found.value.min(1.5),
                &|| Reason::from(format!("`{}` is what the issue names", symbol.qualified)),
            );
        } else if let Some(parent) = symbol.parent
            && let Some(found) = self.named.symbols.get(&SymbolRef {
                symbol: parent,
                ..id
            })
        {
            term(
                "issue-member",
                tuning.issue_member * found.value.min(1.5),
                &|| Reason {
                    text: format!(
                        "a member of {}, which the issue names",
                        found.words.join(", ")
                    ),
                    words: found.words.clone(),
                },
            );
        }
        if let Some(share) = self.named.alike.get(&id) {
            term("issue-name-alike", tuning.issue_name_alike * share, &|| {
                Reason::from(format!(
                    "its name's words are the issue's: {:.0}% of the best",
                    share * 100.0
                ))
            });
        }
        if !acts(symbol.kind) {
            term("issue-inert", -tuning.issue_inert, &|| {
                Reason::from("no function: an issue is fixed in code that runs".to_owned())
            });
        }
        let share = self.title_share(&symbol.qualified);
        term("issue-title-name", tuning.issue_title_name * share, &|| {
            Reason::from(format!(
                "`{}` holds {:.0}% of the title's words",
                symbol.qualified,
                share * 100.0
            ))
        });
    }

    fn title_share(&self, qualified: &str) -> f64 {
        let words = &self.title.keywords;
        if words.is_empty() {
            return 0.0;
        }
        let name = distinct_tokens(qualified);
        let n_held = words.iter().filter(|word| name.contains(word)).count();
        n_held as f64 / words.len().clamp(3, 8) as f64
    }
}

/// The coefficients of a part, of files and chunks together.
pub(super) fn weight_of(kind: PartKind, tuning: &IssueTuning) -> f64 {
    match kind {
        PartKind::Frame => tuning.issue_frame_file + tuning.issue_frame,
        PartKind::Name => tuning.issue_name_file + tuning.issue_name,
        PartKind::Path => tuning.issue_path,
        PartKind::Module => tuning.issue_module,
        PartKind::History => tuning.issue_history + tuning.issue_changes,
        kind => tuning.of_files(kind) + tuning.of_chunks(kind),
    }
}

/// Shares of the nearest windows' cosine range.
#[derive(Default)]
pub(crate) struct Semantic {
    pub(crate) chunks: HashMap<ChunkRef, f64>,
    pub(crate) files: HashMap<u32, f64>,
}

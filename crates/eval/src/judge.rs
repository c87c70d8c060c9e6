//! Scores of an answer. The rules follow the benchmarks that the tasks come from; each names its own.

mod verdict;
pub use verdict::{Judgement, Verdict};

mod deep;
mod patch;
mod places;
mod ranks;
mod sets;

use crate::answer::Answer;
use crate::task::{Expected, Matching, Task};
pub use deep::recall_at;
use patch::patch;
use places::{lenient, one_to_one};
use ranks::{Targets, documents, ranked, symbols};
use sets::{both_sides, file_set, name_set, one_verdict};

/// Scores an answer. One that failed with an error scores 0, whatever it holds.
pub fn judge(task: &Task, answer: &Answer) -> Judgement {
    let mut judgement = scored(task, answer);
    if answer.error.is_some() {
        judgement.scores.values_mut().for_each(|score| *score = 0.0);
    }
    judgement
}

fn scored(task: &Task, answer: &Answer) -> Judgement {
    match &task.expected {
        Expected::Places { matching, .. } => match matching {
            Matching::OneToOne => one_to_one(task, answer),
            Matching::Lenient | Matching::LenientAny => lenient(task, answer),
        },
        Expected::Files { files, .. } => file_set(task, files, answer),
        Expected::Patch { files } => patch(files, answer),
        Expected::Deps { imports, importers } => both_sides(imports, importers, answer),
        Expected::Dead { dead } => one_verdict(*dead, answer),
        Expected::Names { names } => name_set(names, answer),
        Expected::Ranked {
            relevant,
            by_suffix,
            needs_overlap,
            refused,
        } => {
            let targets = Targets {
                relevant,
                by_suffix: *by_suffix,
                needs_overlap: *needs_overlap,
                refused: refused.as_deref(),
            };
            ranked(&targets, answer)
        }
        Expected::Symbols {
            names,
            share,
            top_k,
        } => symbols(task, names, *share, *top_k, answer),
        Expected::Documents { grades } => documents(grades, answer),
    }
}

#[cfg(test)]
mod tests;

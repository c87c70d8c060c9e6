//! Why one hit stands before another, in words: the terms of two rows of a trace, side by
//! side.

use super::trace::{Trace, TraceRow};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::fmt::Write as _;

/// Terms that differ by less say nothing.
const TOLERANCE: f64 = 1e-9;

/// Two hits compared, the better ranked first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct HitComparison {
    /// Rank of the first.
    pub ahead: u32,
    /// Rank of the other.
    pub behind: u32,
    /// Score of the first less that of the other; the terms sum to it.
    pub by: f64,
    /// Who is ahead, and by what: `… is ahead of … by 0.0130`.
    pub sentence: String,
    /// Terms in which they differ, the largest first.
    pub terms: Vec<ComparedTerm>,
}

/// A term in which two hits differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ComparedTerm {
    /// Channel or evidence: `fts`, `definition`.
    pub name: String,
    /// What it gives the first less what it gives the other.
    pub by: f64,
    /// What each side has, as it reads behind the term's name: `ranks it #1, the other #5`.
    pub words: String,
}

/// Says why the row of one rank stands before that of another; the order of the two does not matter.
/// `None` where the trace has no such rows, or both ranks are the same.
pub fn compare(trace: &Trace, one: u32, other: u32) -> Option<HitComparison> {
    let row = |rank: u32| trace.rows.iter().find(|row| row.rank == rank);
    let (first, second) = (row(one.min(other))?, row(one.max(other))?);
    if first.rank == second.rank {
        return None;
    }
    let mut terms = channel_terms(first, second);
    terms.extend(evidence_terms(first, second));
    terms.retain(|term| term.by.abs() > TOLERANCE);
    terms.sort_by(|a, b| b.by.abs().total_cmp(&a.by.abs()).then(a.name.cmp(&b.name)));
    let by = first.score - second.score;
    Some(HitComparison {
        ahead: first.rank,
        behind: second.rank,
        by,
        sentence: sentence(trace, first, second, by),
        terms,
    })
}

fn sentence(trace: &Trace, first: &TraceRow, second: &TraceRow, by: f64) -> String {
    let mut text = format!("{} is ahead of {}", name(first), name(second));
    if by > TOLERANCE {
        let _ = write!(text, " by {by:.4}");
    } else if by < -TOLERANCE {
        let why = if first.path != second.path && repeats_a_file(trace, second) {
            "files come first, and it is a further hit of its file"
        } else {
            "places of files go before scores"
        };
        let _ = write!(text, " though its score is {:.4} lower: {why}", -by);
    } else {
        text.push_str(" with the same score: ties go by path and line");
    }
    text
}

/// Whether a better row is of the same file.
fn repeats_a_file(trace: &Trace, row: &TraceRow) -> bool {
    let mut better = trace.rows.iter().filter(|other| other.rank < row.rank);
    better.any(|other| other.path == row.path)
}

/// `Router.use`, or the path's last part with the line.
fn name(row: &TraceRow) -> String {
    let file = row.path.rsplit('/').next().unwrap_or(&row.path);
    match &row.symbol {
        Some(symbol) => format!("{symbol} (#{})", row.rank),
        None => format!("{file}:{} (#{})", row.start_line, row.rank),
    }
}

fn channel_terms(first: &TraceRow, second: &TraceRow) -> Vec<ComparedTerm> {
    let names = first.channels.iter().chain(&second.channels);
    let mut channels: Vec<_> = names.map(|rank| rank.channel).collect();
    channels.sort_unstable();
    channels.dedup();
    let compared = channels.into_iter().map(|channel| {
        let rank = |row: &TraceRow| {
            let mut ranks = row.channels.iter();
            let found = ranks.find(|rank| rank.channel == channel)?;
            Some((found.rank, found.contribution))
        };
        let (ours, theirs) = (rank(first), rank(second));
        let words = match (ours, theirs) {
            (Some((ours, _)), Some((theirs, _))) => {
                format!("ranks it #{ours}, the other #{theirs}")
            }
            (Some((ours, _)), None) => {
                format!("ranks it #{ours} and does not find the other")
            }
            (None, Some((theirs, _))) => {
                format!("does not find it and ranks the other #{theirs}")
            }
            (None, None) => String::new(),
        };
        let brings = |side: Option<(u32, f64)>| side.map_or(0.0, |(_, brings)| brings);
        ComparedTerm {
            name: channel.name().to_owned(),
            by: brings(ours) - brings(theirs),
            words,
        }
    });
    compared.collect()
}

fn evidence_terms(first: &TraceRow, second: &TraceRow) -> Vec<ComparedTerm> {
    let all = first.evidence.iter().chain(&second.evidence);
    let mut names: Vec<&str> = all.map(|term| term.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let compared = names.into_iter().map(|name| {
        let of = |row: &TraceRow| {
            let terms = row.evidence.iter().filter(|term| term.name == name);
            let parts: Vec<_> = terms
                .map(|term| (term.contribution, term.reason.clone()))
                .collect();
            let sum: f64 = parts.iter().map(|(contribution, _)| contribution).sum();
            let reasons: Vec<String> = parts.into_iter().map(|(_, reason)| reason).collect();
            (sum, reasons.join("; "))
        };
        let ((ours, why), (theirs, why_other)) = (of(first), of(second));
        ComparedTerm {
            name: name.to_owned(),
            by: ours - theirs,
            words: evidence_words(&why, &why_other),
        }
    });
    compared.collect()
}

/// The reason of each side; what both begin with is said once.
fn evidence_words(why: &str, why_other: &str) -> String {
    match (why.is_empty(), why_other.is_empty()) {
        (false, true) => format!("{why}; the other has none"),
        (true, false) => format!("has none; the other: {why_other}"),
        _ if why == why_other => format!("{why}, for both"),
        _ => {
            let own = why_other.split_once(": ").filter(|(what, _)| {
                let ours = why.strip_prefix(what);
                ours.is_some_and(|rest| rest.starts_with(": "))
            });
            let (_, theirs) = own.unwrap_or(("", why_other));
            format!("{why}; the other: {theirs}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::QueryShape;
    use crate::terms::{Channel, ChannelRank, Evidence};

    fn row(rank: u32, path: &str, fts: Option<(u32, f64)>, evidence: &[(&str, f64)]) -> TraceRow {
        let evidence: Vec<Evidence> = evidence
            .iter()
            .map(|(name, contribution)| Evidence {
                words: Vec::new(),
                name: (*name).to_owned(),
                contribution: *contribution,
                reason: format!("{name} of {path}"),
            })
            .collect();
        let channels: Vec<ChannelRank> = fts
            .map(|(rank, contribution)| ChannelRank {
                channel: Channel::Fts,
                rank,
                raw_score: 1.0,
                contribution,
                way: None,
            })
            .into_iter()
            .collect();
        let fused: f64 = channels.iter().map(|rank| rank.contribution).sum();
        let terms: f64 = evidence.iter().map(|term| term.contribution).sum();
        TraceRow {
            repo: None,
            rank,
            path: path.to_owned(),
            start_line: 3,
            end_line: 9,
            part: None,
            symbol: None,
            channels,
            evidence,
            fused,
            score: fused + terms,
            shown: true,
            late: None,
            stages: None,
            alignment: None,
        }
    }

    fn trace(rows: Vec<TraceRow>) -> Trace {
        Trace {
            query_id: "q1".to_owned(),
            query: "parse".to_owned(),
            repo: "r".to_owned(),
            view: "working tree".to_owned(),
            as_of: None,
            shape: QueryShape::Identifier,
            shape_reason: String::new(),
            rrf_k: 60.0,
            issue: None,
            weights: Vec::new(),
            channels: Vec::new(),
            rows,
            timings: Vec::new(),
            gate: None,
            refine: None,
            cross: None,
            rerank: None,
            fit: None,
            confidence: None,
            coverage: crate::coverage::Coverage::default(),
            manifest: String::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn the_differences_sum_to_the_distance_and_the_largest_comes_first() {
        let trace = trace(vec![
            row(1, "src/a.rs", Some((1, 0.02)), &[("definition", 0.01)]),
            row(2, "src/b.rs", Some((5, 0.015)), &[("file-rank", 0.003)]),
        ]);
        let compared = compare(&trace, 2, 1).expect("both are there");
        assert_eq!((compared.ahead, compared.behind), (1, 2));
        let sum: f64 = compared.terms.iter().map(|term| term.by).sum();
        assert!((sum - compared.by).abs() < 1e-9);
        assert_eq!(
            compared.sentence,
            "a.rs:3 (#1) is ahead of b.rs:3 (#2) by 0.0120"
        );
        let words: Vec<(&str, &str)> = compared
            .terms
            .iter()
            .map(|term| (term.name.as_str(), term.words.as_str()))
            .collect();
        assert_eq!(
            words,
            [
                ("definition", "definition of src/a.rs; the other has none"),
                ("fts", "ranks it #1, the other #5"),
                ("file-rank", "has none; the other: file-rank of src/b.rs"),
            ]
        );
    }

    #[test]
    fn what_both_reasons_begin_with_is_said_once() {
        let words = evidence_words(
            "all chunks of the file: 100%",
            "all chunks of the file: 35%",
        );
        assert_eq!(words, "all chunks of the file: 100%; the other: 35%");
        let words = evidence_words("BM25 7.4", "BM25 3.1");
        assert_eq!(words, "BM25 7.4; the other: BM25 3.1");
    }

    #[test]
    fn a_lower_score_may_stand_ahead_and_is_explained() {
        let trace = trace(vec![
            row(1, "src/a.rs", Some((1, 0.02)), &[]),
            row(2, "src/b.rs", Some((9, 0.01)), &[]),
            row(3, "src/a.rs", Some((2, 0.019)), &[]),
        ]);
        let compared = compare(&trace, 2, 3).expect("both are there");
        assert!(compared.by < 0.0);
        assert!(
            compared.sentence.contains("further hit of its file"),
            "{compared:?}"
        );
    }

    #[test]
    fn rows_that_are_not_there_give_nothing() {
        let trace = trace(vec![row(1, "a", None, &[]), row(2, "b", None, &[])]);
        assert!(compare(&trace, 1, 7).is_none());
        assert!(compare(&trace, 1, 1).is_none());
        let same = compare(&trace, 1, 2).expect("both are there");
        assert!(same.terms.is_empty() && same.sentence.contains("ties go by path"));
    }
}

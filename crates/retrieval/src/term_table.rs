//! The terms of a score besides ranks: whose signal each speaks for, what it is multiplied by, and how it
//! counts. Who tries other weights on a trace needs it.

use crate::terms::Channel;
use serde::Serialize;

/// A term by its name in traces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EvidenceTerm {
    /// Name.
    pub name: &'static str,
    /// The channel whose signal it is; `None` for what belongs to none.
    pub channel: Option<Channel>,
    /// Coefficients that are its own, as settings name them: they move with the channel's weight.
    pub coefficients: &'static [&'static str],
    /// It keeps a share of what stood before it, rather than add.
    pub is_share: bool,
}

const fn of(
    channel: Channel,
    name: &'static str,
    coefficients: &'static [&'static str],
) -> EvidenceTerm {
    EvidenceTerm {
        name,
        channel: Some(channel),
        coefficients,
        is_share: false,
    }
}

const fn share(name: &'static str) -> EvidenceTerm {
    EvidenceTerm {
        name,
        channel: None,
        coefficients: &[],
        is_share: true,
    }
}

const fn alone(name: &'static str) -> EvidenceTerm {
    EvidenceTerm {
        name,
        channel: None,
        coefficients: &[],
        is_share: false,
    }
}

/// The beginning of the terms of an issue; they belong to no channel.
const OF_ISSUES: &str = "issue-";

/// Every term save those of issues.
pub const EVIDENCE_TERMS: &[EvidenceTerm] = &[
    of(Channel::Fts, "lexical-score", &["lexical_score"]),
    of(Channel::Fts, "file-lexical", &["lexical_file"]),
    of(Channel::Vector, "vector-score", &["vector_score"]),
    of(Channel::Static, "static-score", &["static_score"]),
    of(Channel::Graph, "graph-score", &["graph_score"]),
    // What it is multiplied by is a definition's, and moves with that.
    of(Channel::Path, "path", &[]),
    of(Channel::Path, "area", &["area"]),
    of(Channel::Path, "file-name", &["file_name"]),
    of(Channel::Path, "file-named", &["file_named"]),
    of(Channel::Path, "path-words", &["path_words"]),
    of(
        Channel::SymbolName,
        "definition",
        &["definition", "embedded_definition"],
    ),
    of(Channel::SymbolName, "name-cover", &["name_cover"]),
    of(Channel::LateInteraction, "max-sim", &["late_score"]),
    of(Channel::LateInteraction, "file-max-sim", &["late_file"]),
    of(Channel::LateInteraction, "code-max-sim", &["late_code"]),
    alone("file-coherence"),
    alone("file-rank"),
    alone("repository-named"),
    alone("repository-imported"),
    alone("open-file"),
    alone("cross-encode"),
    alone("rerank"),
    share("config-file"),
    share("test-file"),
    share("example-file"),
    share("docs-file"),
    share("foreign-file"),
    share("legacy-file"),
    share("stub-file"),
    share("between-definitions"),
    share("re-exports"),
    share("within-file"),
    share("same-file"),
    share("copy"),
];

/// Says whether a term is in the table: one that is missing would be counted as nobody's.
pub(crate) fn is_listed(name: &str) -> bool {
    name.starts_with(OF_ISSUES) || EVIDENCE_TERMS.iter().any(|term| term.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Tuning;
    use std::collections::BTreeSet;

    #[test]
    fn names_and_coefficients_stand_once_and_settings_have_them() {
        let names: BTreeSet<&str> = EVIDENCE_TERMS.iter().map(|term| term.name).collect();
        assert_eq!(names.len(), EVIDENCE_TERMS.len());
        let known = Tuning::default().values();
        let coefficients = EVIDENCE_TERMS.iter().flat_map(|term| term.coefficients);
        let mut seen = BTreeSet::new();
        for coefficient in coefficients {
            assert!(known.contains_key(*coefficient), "{coefficient}");
            assert!(seen.insert(coefficient), "{coefficient} moves twice");
        }
        assert!(EVIDENCE_TERMS.iter().all(|term| is_listed(term.name)));
    }
}

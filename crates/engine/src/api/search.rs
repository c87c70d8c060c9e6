//! Searches: requests, hits, previews, completions.

use super::{
    Channel, Coverage, Memo, MissingRepo, QueryId, ReasonCount, RepoId, RerankNote, SuggestionKind,
    SymbolLine, WeightSetting,
};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Narrows a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct SearchFilters {
    /// Globs on the path; a leading `!` excludes.
    pub paths: Vec<String>,
    /// Languages.
    pub languages: Vec<String>,
    /// Symbol kinds: `function`, `class`.
    pub kinds: Vec<String>,
    /// Leave out tests.
    pub no_tests: bool,
}

impl SearchFilters {
    /// Lets only these paths through; globs, a leading `!` excludes.
    pub fn below(paths: &[String]) -> Self {
        Self {
            paths: paths.to_vec(),
            ..Self::default()
        }
    }
}

/// A search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct SearchRequest {
    /// The repository's id; the one that asks, where `repos` names others.
    pub repo: RepoId,
    /// Repositories that are searched as one, in any order: ids, names, `all` and workspaces; empty for
    /// `repo` alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repos: Vec<RepoId>,
    /// The query.
    pub query: String,
    /// Hits at most; 0 for the default of 10.
    pub limit: u32,
    /// Filters.
    pub filters: SearchFilters,
    /// Commit to search; `None` for the working tree.
    pub as_of: Option<String>,
    /// Weights in place of the settings', for trying out.
    pub weights: Option<Vec<WeightSetting>>,
    /// Changes of the settings for this question: `-vector`, `graph=2`, `-evidence`, `gate=always`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tune: Vec<String>,
    /// The file that is open where the question is asked, in `repo`: what it imports and what imports
    /// it comes a little earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_file: Option<String>,
    /// One hit a file (the default of agents and of the window).
    pub distinct_files: bool,
    /// The last word may be the beginning of one: somebody types. Nothing changes for a word that is there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub prefix: bool,
}

impl SearchRequest {
    /// Returns how many hits are wanted at most: 10 where none are asked for, never more than 500.
    pub fn n_hits(&self) -> usize {
        match self.limit {
            0 => 10,
            limit => limit.min(500) as usize,
        }
    }
}

/// A line of a snippet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SnippetLine {
    /// Line number, from 1.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// Ranges of the text that match the query, in UTF-16 units: start, end.
    pub matches: Vec<(u32, u32)>,
}

/// A search hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Hit {
    /// Rank from 1.
    pub rank: u32,
    /// Name of its repository, where several were searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    /// Path in the repository.
    pub path: String,
    /// First line: of the whole definition, where it is one, without the comment before it.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Qualified name, if it is a definition.
    pub symbol: Option<String>,
    /// `function`, `class`, `code`, `doc`.
    pub kind: String,
    /// The definition's head, or the first line.
    pub signature: String,
    /// Language.
    pub language: String,
    /// Final score.
    pub score: f64,
    /// Channels that found it, strongest first.
    pub channels: Vec<Channel>,
    /// The head and the lines of the part that was found which match best.
    pub snippet: Vec<SnippetLine>,
    /// `test`, `docs`, `config`, `generated`, `vendored`.
    pub badges: Vec<String>,
    /// Further hits in the same file.
    pub more_in_file: u32,
    /// Paths of files that say nearly the same and are no hits of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<String>,
    /// Content hash + span + commit, for later verification.
    pub evidence_id: String,
}

/// A search's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SearchResponse {
    /// For `explain`.
    pub query_id: QueryId,
    /// Hits by rank.
    pub hits: Vec<Hit>,
    /// Repositories that were to be searched with the others and could not be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingRepo>,
    /// Why the file that is open (`current_file`) did not count, where it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown_current_file: Option<String>,
    /// Candidates before the cut.
    pub n_candidates: u32,
    /// Wall time in milliseconds.
    pub elapsed_ms: f64,
    /// Degradations in words: `vector channel skipped: no embedding model: lexical channels only`.
    pub notes: Vec<String>,
    /// That nothing fits well, and why; the first note says the same.
    pub poor_fit: Option<String>,
    /// How often the first file is right in answers like this one, 0 to 1; `None` where that was not
    /// measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Coverage.
    pub coverage: Coverage,
    /// Hits of each language, kind, folder and repository.
    pub facets: Vec<Facet>,
    /// Memos about the question, best first; they hold at the commit that was searched.
    pub memos: Vec<Memo>,
    /// What of memory could not be read, in words.
    pub memory_gap: Option<String>,
    /// What the reranker made of the hits; `None` where it was not asked.
    pub rerank: Option<RerankNote>,
}

/// Below it an answer says that its first file may be wrong.
const DOUBTFUL: f64 = 0.5;

impl SearchResponse {
    /// Returns that the first file is as likely wrong as right, where it is; nothing where nothing fits
    /// at all.
    pub fn doubt(&self) -> Option<String> {
        let confidence = self.confidence.filter(|_| self.poor_fit.is_none())?;
        (confidence < DOUBTFUL).then(|| {
            let percent = (confidence * 100.0).round();
            format!("first file right in {percent}% of such answers")
        })
    }
}

/// Values to narrow by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Facet {
    /// `language`, `kind`, `folder`.
    pub name: String,
    /// Value and count, most first.
    pub values: Vec<ReasonCount>,
}

/// A completion while typing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Suggestion {
    /// What to put into the box.
    pub text: String,
    /// What it is.
    pub kind: SuggestionKind,
    /// What is told beside it, for people: `method · src/router.rs:12`.
    pub detail: String,
    /// The file it is, or that defines it.
    pub path: Option<String>,
    /// Line of its name in that file.
    pub line: Option<u32>,
}

/// A highlighted range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct PaintedRange {
    /// First UTF-16 unit in the text.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// `keyword`, `string`, `comment`, …
    pub class: String,
}

/// A file for the preview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct FilePreview {
    /// Path in the repository.
    pub path: String,
    /// Language.
    pub language: String,
    /// The text.
    pub text: String,
    /// Highlighting, by position.
    pub highlights: Vec<PaintedRange>,
    /// Definitions in the file, for a header and jumps.
    pub symbols: Vec<SymbolLine>,
    /// The text was cut at the size limit.
    pub truncated: bool,
}

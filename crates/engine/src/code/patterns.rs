//! Recurring roles and idioms in the code of a view.

use crate::Engine;
use crate::api::{PatternEvidence, PatternFinding, PatternsRequest, PatternsResponse, ReasonCount};
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use whyrank_graph::{Idiom, IdiomConfidence, IdiomFinding, IdiomInput, idioms};
use whyrank_retrieval::{FileRole, PathFilter};

/// Larger files are generated, or read as such.
const MAX_BYTES: usize = 500_000;

impl Engine {
    /// Roles that definitions play, with the lines that speak for each: one role, or all of them
    /// with the best example of each.
    ///
    /// # Errors
    /// `bad-argument` for an unknown role or a broken glob; those of opening the view.
    pub fn patterns(&self, request: &PatternsRequest) -> Result<PatternsResponse> {
        let wanted = wanted(&request.pattern)?;
        let paths = PathFilter::new(&request.paths)?;
        let view = self.view_of(&request.repo, request.as_of.as_deref())?;
        let facts = view.graph_facts(true)?;
        let inputs = facts.inputs(&view);
        let texts = texts(&view)?;
        let found = idioms(
            &IdiomInput {
                files: &inputs,
                texts: &texts,
                is_test: &|file| view.is_test(file),
            },
            wanted,
        );
        let path = |finding: &IdiomFinding| {
            let file = finding.symbol.file as usize;
            view.index.view.files[file].path.as_str()
        };
        let found: Vec<IdiomFinding> = found
            .into_iter()
            .filter(|finding| paths.passes(path(finding)))
            .collect();
        let shown = match wanted {
            Some(_) => found.iter().collect(),
            None => best(&found),
        };
        Ok(PatternsResponse {
            findings: shown
                .into_iter()
                .map(|one| pattern_finding(&view, one))
                .collect(),
            counts: counts(&view, &found),
            n_searched: texts.iter().filter(|text| !text.is_empty()).count() as u32,
            known: Idiom::ALL
                .iter()
                .map(|idiom| idiom.name().to_owned())
                .collect(),
        })
    }
}

fn wanted(name: &str) -> Result<Option<Idiom>> {
    if name.trim().is_empty() {
        return Ok(None);
    }
    let known = || Idiom::ALL.map(Idiom::name).join(", ");
    Idiom::from_name(name).map(Some).ok_or_else(|| {
        EngineError::bad_argument(
            format!("no pattern named `{name}`"),
            format!(
                "there are {}; for code of a shape of your own use ast_grep",
                known()
            ),
        )
    })
}

/// The texts of code that people wrote; empty for other files.
fn texts(view: &LiveView) -> Result<Vec<String>> {
    let files = view.index.view.files.iter().zip(&view.index.roles);
    files
        .map(|(file, role)| {
            let is_own = !matches!(
                role,
                FileRole::Vendored | FileRole::Generated | FileRole::Stub
            );
            if !is_own || !file.language.is_code() || file.outline.symbols.is_empty() {
                return Ok(String::new());
            }
            let text = view.reader.text(file.content_id)?;
            Ok(if text.len() > MAX_BYTES {
                String::new()
            } else {
                text
            })
        })
        .collect()
}

/// The first of each idiom; findings come in the order of worth.
fn best(found: &[IdiomFinding]) -> Vec<&IdiomFinding> {
    let idioms = found.chunk_by(|a, b| a.idiom == b.idiom);
    idioms
        .filter_map(|of_one| of_one.first())
        .filter(|finding| finding.confidence > IdiomConfidence::Low)
        .collect()
}

fn counts(view: &LiveView, found: &[IdiomFinding]) -> Vec<ReasonCount> {
    let counts = found.chunk_by(|a, b| a.idiom == b.idiom).map(|of_one| {
        let counted = of_one.iter().filter(|finding| {
            let is_code = !view.is_test(finding.symbol.file) || finding.idiom == Idiom::TestFixture;
            is_code && finding.confidence > IdiomConfidence::Low
        });
        ReasonCount {
            reason: of_one[0].idiom.name().to_owned(),
            count: counted.count() as u32,
        }
    });
    let mut counts: Vec<ReasonCount> = counts.collect();
    counts.sort_by(|a, b| b.count.cmp(&a.count).then(a.reason.cmp(&b.reason)));
    counts
}

fn pattern_finding(view: &LiveView, finding: &IdiomFinding) -> PatternFinding {
    let confidence = match finding.confidence {
        IdiomConfidence::High => "high",
        IdiomConfidence::Medium => "medium",
        IdiomConfidence::Low => "low",
    };
    let evidence = finding.evidence.iter().map(|one| PatternEvidence {
        path: view.index.view.files[one.file as usize].path.clone(),
        line: one.line,
        why: one.why.clone(),
    });
    PatternFinding {
        pattern: finding.idiom.name().to_owned(),
        symbol: view.symbol_line(finding.symbol),
        confidence: confidence.to_owned(),
        evidence: evidence.collect(),
        test: view.is_test(finding.symbol.file),
    }
}

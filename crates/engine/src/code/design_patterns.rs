//! Recurring design patterns in the code of a view.

use crate::Engine;
use crate::api::{
    Level, PatternEvidence, PatternFinding, PatternsRequest, PatternsResponse, ReasonCount,
};
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use std::time::{Duration, Instant};
use whyrank_graph::{
    DesignPattern, DesignPatternFinding, DesignPatternInput, PatternConfidence, design_patterns,
};
use whyrank_retrieval::{FileRole, PathFilter};

/// Files that are not read by then are not looked at, and the answer says so.
const TIME_LIMIT: Duration = Duration::from_secs(3);
/// Larger files are generated, or read as such.
const MAX_BYTES: usize = 500_000;

impl Engine {
    /// Roles that definitions play, with the lines that speak for each: one role, or all of them
    /// with the best example of each. What three seconds do not reach is counted.
    ///
    /// # Errors
    /// `bad-argument` for an unknown role or a broken glob; those of opening the view.
    pub fn patterns(&self, request: &PatternsRequest) -> Result<PatternsResponse> {
        let wanted = wanted(&request.pattern)?;
        let paths = PathFilter::new(&request.paths)?;
        let view = self.view_of(&request.repo, request.as_of.as_deref())?;
        let facts = view.graph_facts(true)?;
        let inputs = facts.inputs(&view);
        let deadline = Instant::now() + TIME_LIMIT;
        let (texts, n_unread) = texts(&view, &|| Instant::now() >= deadline)?;
        let found = design_patterns(
            &DesignPatternInput {
                files: &inputs,
                texts: &texts,
                is_test: &|file| view.is_test(file),
            },
            wanted,
        );
        let path = |finding: &DesignPatternFinding| {
            let file = finding.symbol.file as usize;
            view.files[file].path.as_str()
        };
        let found: Vec<DesignPatternFinding> = found
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
            n_unread,
            known: DesignPattern::ALL
                .iter()
                .map(|pattern| pattern.name().to_owned())
                .collect(),
        })
    }
}

fn wanted(name: &str) -> Result<Option<DesignPattern>> {
    if name.trim().is_empty() {
        return Ok(None);
    }
    let known = || DesignPattern::ALL.map(DesignPattern::name).join(", ");
    DesignPattern::from_name(name).map(Some).ok_or_else(|| {
        EngineError::bad_argument(
            format!("no pattern named `{name}`"),
            format!("the patterns are {}; for your own use ast_grep", known()),
        )
    })
}

/// The texts of code that people wrote, empty for other files; and how many files time did not reach.
///
/// What is shipped and central is read first, so that a partial answer has what matters.
fn texts(view: &LiveView, is_late: &dyn Fn() -> bool) -> Result<(Vec<String>, u32)> {
    let loaded = view.snapshot();
    let is_read = |file: &u32| {
        let (entry, role) = (
            &loaded.files[*file as usize],
            view.index.roles[*file as usize],
        );
        let is_own = !matches!(
            role,
            FileRole::Vendored | FileRole::Generated | FileRole::Stub
        );
        is_own && entry.language.is_code() && !entry.outline().symbols.is_empty()
    };
    let mut wanted: Vec<u32> = (0..loaded.files.len() as u32).filter(is_read).collect();
    wanted.sort_by(|a, b| {
        let by_rank = loaded.file_rank(*b).total_cmp(&loaded.file_rank(*a));
        view.is_test(*a).cmp(&view.is_test(*b)).then(by_rank)
    });
    let mut texts = vec![String::new(); loaded.files.len()];
    let n_read = in_time(&wanted, is_late, |file| {
        let text = view.text(file)?;
        if text.len() <= MAX_BYTES {
            texts[file as usize] = text;
        }
        Ok(())
    })?;
    Ok((texts, (wanted.len() - n_read) as u32))
}

/// Reads files until it is late; returns how many.
fn in_time(
    files: &[u32],
    is_late: &dyn Fn() -> bool,
    mut read: impl FnMut(u32) -> Result<()>,
) -> Result<usize> {
    for (n_read, file) in files.iter().enumerate() {
        if is_late() {
            return Ok(n_read);
        }
        read(*file)?;
    }
    Ok(files.len())
}

/// The first of each pattern; findings come in the order of worth.
fn best(found: &[DesignPatternFinding]) -> Vec<&DesignPatternFinding> {
    let patterns = found.chunk_by(|a, b| a.pattern == b.pattern);
    patterns
        .filter_map(|of_one| of_one.first())
        .filter(|finding| finding.confidence > PatternConfidence::Low)
        .collect()
}

fn counts(view: &LiveView, found: &[DesignPatternFinding]) -> Vec<ReasonCount> {
    let counts = found.chunk_by(|a, b| a.pattern == b.pattern).map(|of_one| {
        let counted = of_one.iter().filter(|finding| {
            !view.is_test(finding.symbol.file) && finding.confidence > PatternConfidence::Low
        });
        ReasonCount {
            reason: of_one[0].pattern.name().to_owned(),
            count: counted.count() as u32,
        }
    });
    let mut counts: Vec<ReasonCount> = counts.collect();
    counts.sort_by(|a, b| b.count.cmp(&a.count).then(a.reason.cmp(&b.reason)));
    counts
}

fn pattern_finding(view: &LiveView, finding: &DesignPatternFinding) -> PatternFinding {
    let confidence = match finding.confidence {
        PatternConfidence::High => Level::High,
        PatternConfidence::Medium => Level::Medium,
        PatternConfidence::Low => Level::Low,
    };
    let evidence = finding.evidence.iter().map(|one| PatternEvidence {
        path: view.files[one.file as usize].path.clone(),
        line: one.line,
        why: one.why.clone(),
    });
    PatternFinding {
        pattern: finding.pattern.name().to_owned(),
        symbol: view.symbol_line(finding.symbol),
        confidence,
        evidence: evidence.collect(),
        test: view.is_test(finding.symbol.file),
    }
}

#[cfg(test)]
mod tests {
    use super::in_time;
    use std::cell::Cell;

    #[test]
    fn what_time_does_not_reach_is_not_read() {
        let n_looks = Cell::new(0);
        let is_late = || {
            n_looks.set(n_looks.get() + 1);
            n_looks.get() > 2
        };
        let mut read = Vec::new();
        let n_read = in_time(&[7, 8, 9], &is_late, |file| {
            read.push(file);
            Ok(())
        });
        assert_eq!((n_read.unwrap(), read), (2, vec![7, 8]));
    }
}

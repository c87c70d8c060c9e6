//! Verdicts on evidence and claims: a line each, contradictions first.

use whyrank_engine::api::{CritiquePoint, VerifiedEvidence};

use super::Style;
use super::page::{Footer, Page, count, span};

/// Writes what of a claim holds, then what became of the evidence.
pub fn critique(points: &[CritiquePoint], evidence: &[VerifiedEvidence], style: Style) -> String {
    let mut page = Page::new(style.budget);
    let n = |verdict: &str| {
        points
            .iter()
            .filter(|point| point.verdict == verdict)
            .count()
    };
    if points.is_empty() && evidence.is_empty() {
        page.head("nothing in the claim can be checked: name symbols or paths in backticks");
        return page.finish(&Footer::default());
    }
    if !points.is_empty() {
        page.head(&format!(
            "{}: {} hold, {} contradicted, {} unknown",
            count(points.len(), "point"),
            n("holds"),
            n("contradicted"),
            n("unknown")
        ));
    }
    let points = points
        .iter()
        .map(|point| format!("{}: {} ({})", point.verdict, point.says, point.shown));
    let evidence = evidence.iter().map(|one| line(one, style));
    let lines: Vec<String> = points.chain(evidence).collect();
    let shown = lines.iter().take_while(|line| page.line(line)).count();
    page.finish(&Footer {
        shown,
        total: lines.len(),
        what: "verdicts",
        ..Footer::default()
    })
}

fn line(one: &VerifiedEvidence, style: Style) -> String {
    let place = match &one.path {
        Some(path) => format!(" {}", span(path, one.start_line, one.end_line)),
        None => String::new(),
    };
    let symbol = one
        .symbol
        .as_deref()
        .map(|symbol| format!(" {symbol}"))
        .unwrap_or_default();
    let note = match one.note.is_empty() {
        true => String::new(),
        false if one.note.contains('\n') || one.note.starts_with(['-', '+']) => {
            format!("\n  {}", one.note.replace('\n', "\n  "))
        }
        false => format!(" ({})", one.note),
    };
    // What is unchanged needs no new id.
    let is_new = one.now.as_ref().filter(|now| **now != one.evidence);
    let now = match is_new.filter(|_| style.detailed || one.state != "unchanged") {
        Some(now) => format!("\n  now {now}"),
        None => String::new(),
    };
    format!("{}: {}{place}{symbol}{note}{now}", one.state, one.evidence)
}

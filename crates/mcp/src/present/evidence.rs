//! Verdicts on evidence and claims: a line each, contradictions first.

use whyrank_engine::api::{
    ClaimVerdict, CritiquePoint, CritiqueResponse, EvidenceState, VerifiedEvidence,
};

use super::Style;
use super::page::{Footer, Page, count, span};
use super::sure::brought;

/// Writes what of a claim holds, its names in one line, then what became of the evidence.
pub fn critique(response: &CritiqueResponse, style: Style) -> String {
    let (points, evidence) = (&response.points, &response.evidence);
    let mut page = Page::new(style.budget);
    brought(&mut page, &response.brought);
    if points.is_empty() && evidence.is_empty() {
        page.head(
            "not judged: nothing in the claim can be checked; name symbols or paths in backticks",
        );
        return page.finish(&Footer::default());
    }
    let (known, told): (Vec<&CritiquePoint>, Vec<&CritiquePoint>) = points
        .iter()
        .partition(|point| point.is_name && point.verdict == ClaimVerdict::Holds);
    if !points.is_empty() {
        page.head(&head(points));
    }
    let told = told
        .iter()
        .map(|point| format!("{}: {} ({})", point.verdict, point.says, point.shown));
    let names = known.iter().map(|point| name(point)).collect::<Vec<_>>();
    let names = (!names.is_empty()).then(|| format!("there: {}", names.join(", ")));
    let evidence = evidence.iter().map(|one| line(one, style));
    let lines: Vec<String> = told.chain(names).chain(evidence).collect();
    let shown = lines.iter().take_while(|line| page.line(line)).count();
    page.finish(&Footer {
        shown,
        total: lines.len(),
        what: "verdicts",
        ..Footer::default()
    })
}

/// What of the statements holds; names are no statements.
fn head(points: &[CritiquePoint]) -> String {
    let n = |verdict: ClaimVerdict, is_name: bool| {
        let of = points.iter().filter(|point| point.is_name == is_name);
        of.filter(|point| point.verdict == verdict).count()
    };
    let n_statements = points.iter().filter(|point| !point.is_name).count();
    let n_missing = n(ClaimVerdict::Contradicted, true);
    let verdicts = [
        ClaimVerdict::Contradicted,
        ClaimVerdict::Maybe,
        ClaimVerdict::NotJudged,
        ClaimVerdict::Holds,
    ]
    .map(|verdict| {
        let n = n(verdict, false);
        (n > 0).then(|| format!("{n} {verdict}"))
    });
    let verdicts: Vec<String> = verdicts.into_iter().flatten().collect();
    let statements = match n_statements {
        0 => "no statement to judge, names only".to_owned(),
        n_all => format!("{}: {}", count(n_all, "statement"), verdicts.join(", ")),
    };
    match n_missing {
        0 => statements,
        n => format!("{statements}; {} not there", count(n, "name")),
    }
}

/// A name that is there, and where.
fn name(point: &CritiquePoint) -> String {
    let name = point.says.trim_end_matches(" exists");
    let place = match point.places.as_slice() {
        [one] => format!("{}:{}", one.path, one.name_line),
        _ => point.shown.clone(),
    };
    format!("{name} ({place})")
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
    let note = if one.note.is_empty() {
        String::new()
    } else if one.note.contains('\n') || one.note.starts_with(['-', '+']) {
        format!("\n  {}", one.note.replace('\n', "\n  "))
    } else {
        format!(" ({})", one.note)
    };
    // What is unchanged needs no new id.
    let is_new = one.now.as_ref().filter(|now| **now != one.evidence);
    let now = match is_new.filter(|_| style.detailed || one.state != EvidenceState::Unchanged) {
        Some(now) => format!("\n  now {now}"),
        None => String::new(),
    };
    format!("{}: {}{place}{symbol}{note}{now}", one.state, one.evidence)
}

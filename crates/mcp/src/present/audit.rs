//! What sticks out: a block a kind, worst first.

use whyrank_engine::api::{AuditFinding, AuditKind, AuditPlace, AuditResponse};

use super::Style;
use super::blocks::{Block, fill, some};
use super::page::{Footer, Page, count, thousands};

/// The kinds in the order of the answer, with their names for one and for several.
const KINDS: [(AuditKind, &str, &str); 5] = [
    (AuditKind::Cycle, "import cycle", "import cycles"),
    (
        AuditKind::Layering,
        "edge against the layers",
        "edges against the layers",
    ),
    (AuditKind::GodFile, "god file", "god files"),
    (AuditKind::Hub, "hub", "hubs"),
    (AuditKind::Orphan, "orphan", "orphans"),
];
/// Lines that show a finding in the short form; all in the long one.
const N_PLACES: usize = 2;
/// Files in one line of orphans.
const N_FILES: usize = 8;

/// Writes findings by kind, in each the worst first.
pub fn audit(response: &AuditResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    page.head(&head(response));
    for note in &response.notes {
        page.line(note);
    }
    let blocks: Vec<Block> = KINDS
        .iter()
        .map(|(kind, _, several)| {
            let of_kind = response.findings.iter().filter(|one| one.kind == *kind);
            let found: Vec<&AuditFinding> = of_kind.collect();
            Block::new(
                format!("{several}{}", measure(*kind, response)),
                lines(*kind, &found, style),
            )
        })
        .collect();
    let shown = fill(&mut page, &blocks).into_iter().sum();
    page.finish(&Footer {
        shown,
        total: response.findings.len(),
        what: "findings",
        ..Footer::default()
    })
}

fn head(response: &AuditResponse) -> String {
    let counts = KINDS.iter().filter_map(|(kind, one, several)| {
        let n = response
            .findings
            .iter()
            .filter(|found| found.kind == *kind)
            .count();
        let noun = if n == 1 { one } else { several };
        (n > 0).then(|| format!("{} {noun}", thousands(n)))
    });
    let counts: Vec<String> = counts.collect();
    let files = count(response.n_files as usize, "file");
    if counts.is_empty() {
        format!("{files} of code: nothing sticks out")
    } else {
        format!("{files} of code: {}", counts.join(", "))
    }
}

fn measure(kind: AuditKind, response: &AuditResponse) -> String {
    let limits = response.limits.iter().filter(|limit| limit.kind == kind);
    let words: Vec<String> = limits
        .map(|limit| {
            let n = |value: f64| thousands(value as usize);
            format!(
                "{} over {} (median {})",
                limit.what,
                n(limit.limit),
                n(limit.median)
            )
        })
        .collect();
    if words.is_empty() {
        ":".to_owned()
    } else {
        format!(", {}:", words.join(", "))
    }
}

fn lines(kind: AuditKind, found: &[&AuditFinding], style: Style) -> Vec<(usize, String)> {
    match kind {
        AuditKind::Orphan => orphans(found),
        AuditKind::Cycle => found.iter().map(|one| (1, cycle(one, style))).collect(),
        _ => found.iter().map(|one| (1, finding(one, style))).collect(),
    }
}

fn finding(found: &AuditFinding, style: Style) -> String {
    let to = found
        .with
        .first()
        .map(|to| format!(" -> {to}"))
        .unwrap_or_default();
    let most = if style.detailed { usize::MAX } else { N_PLACES };
    let is_edge = !to.is_empty() || found.places_are_uses;
    let place = |place: &AuditPlace| {
        if is_edge {
            format!("{}:{} -> {}", place.path, place.line, place.target)
        } else {
            format!("{} {}", place.line, place.target)
        }
    };
    let places: Vec<String> = found.places.iter().map(place).collect();
    let shown = if places.is_empty() {
        String::new()
    } else {
        format!(": {}", some(&places, most))
    };
    format!(
        "  {} {}{to} {}{shown}",
        found.severity, found.path, found.reason
    )
}

fn cycle(found: &AuditFinding, style: Style) -> String {
    let steps: Vec<String> = found
        .places
        .iter()
        .map(|place| format!("{}:{} -> ", place.path, place.line))
        .collect();
    let line = format!(
        "  {} {}{}; {}",
        found.severity,
        steps.concat(),
        found.path,
        found.reason
    );
    if style.detailed {
        format!("{line}; files: {}", found.with.join(", "))
    } else {
        line
    }
}

/// Severity, reason and folder of some orphans, and their names.
type OrphanGroup<'a> = ((&'a str, &'a str, &'a str), Vec<&'a str>);

/// Orphans of one reason and folder together.
fn orphans(found: &[&AuditFinding]) -> Vec<(usize, String)> {
    let mut groups: Vec<OrphanGroup<'_>> = Vec::new();
    for one in found {
        let (folder, name) = one.path.rsplit_once('/').unwrap_or(("", &one.path));
        let key = (one.severity.as_str(), one.reason.as_str(), folder);
        match groups.last_mut() {
            Some((last, names)) if *last == key && names.len() < N_FILES => names.push(name),
            _ => groups.push((key, vec![name])),
        }
    }
    let line = |((severity, reason, folder), names): OrphanGroup<'_>| {
        let folder = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let files = match names.as_slice() {
            [name] => format!("{folder}{name}"),
            names => format!("{folder}{{{}}}", names.join(", ")),
        };
        (names.len(), format!("  {severity} {files}: {reason}"))
    };
    groups.into_iter().map(line).collect()
}

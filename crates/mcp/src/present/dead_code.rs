//! What nothing needs: a block a verdict, a line a definition.

use whyrank_engine::api::{DeadCodeResponse, DeadFinding};

use super::Style;
use super::page::{Footer, Page, count, thousands};

/// The verdicts in the order of the answer, with what they mean.
const VERDICTS: [(&str, &str); 4] = [
    ("dead", "dead"),
    ("test-only", "used only by tests"),
    ("possibly-dynamic", "unused, but maybe reached by name"),
    ("exported-unused", "exported, unused in the checkout"),
];

/// Writes verdicts on the symbols asked about, or the list of what nothing needs.
pub fn dead_code(asked: &[String], response: &DeadCodeResponse, style: Style) -> String {
    match asked.is_empty() {
        true => listing(response, style),
        false => verdicts(response, style),
    }
}

fn verdicts(response: &DeadCodeResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let lines = response.findings.iter().map(|finding| {
        let state = if finding.dead { "dead" } else { "alive" };
        let place = place(finding);
        format!(
            "{place} {}: {state}, {}",
            finding.symbol.qualified, finding.reason
        )
    });
    let shown = lines.take_while(|line| page.line(line)).count();
    if !response.unknown.is_empty() {
        page.line(&format!(
            "not defined here: {}",
            response.unknown.join(", ")
        ));
    }
    page.finish(&Footer {
        shown,
        total: response.findings.len(),
        what: "symbols",
        ..Footer::default()
    })
}

fn listing(response: &DeadCodeResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let n_checked = thousands(response.n_checked as usize);
    let head = match response.findings.len() {
        0 => format!("nothing unneeded among {n_checked} definitions"),
        n => format!("{} of {n_checked} without a use that counts", thousands(n)),
    };
    page.head(&head);
    let mut shown = 0;
    let mut has_second_hand = false;
    for (verdict, words) in VERDICTS {
        let of_verdict = |finding: &&DeadFinding| finding.verdict == verdict;
        let found: Vec<&DeadFinding> = response.findings.iter().filter(of_verdict).collect();
        let head = format!("{words}: {}", count(found.len(), "definition"));
        if found.is_empty() || !page.line(&head) {
            continue;
        }
        has_second_hand |= found.iter().any(|finding| is_second_hand(finding));
        for (n_found, line) in lines(&found, style) {
            if !page.line(&line) {
                break;
            }
            shown += n_found;
        }
    }
    page.finish(&Footer {
        shown,
        total: response.findings.len(),
        what: "findings",
        note: has_second_hand.then_some("* = used only by dead code"),
        ..Footer::default()
    })
}

/// Findings counted and their line: one a file, or one each with its reason.
fn lines(findings: &[&DeadFinding], style: Style) -> Vec<(usize, String)> {
    if style.detailed {
        let line = |finding: &&DeadFinding| {
            let symbol = &finding.symbol;
            format!(
                "  {} {} {}: {} ({})",
                place(finding),
                symbol.kind,
                symbol.qualified,
                finding.reason,
                finding.confidence
            )
        };
        return findings.iter().map(|finding| (1, line(finding))).collect();
    }
    let mut files: Vec<(&str, Vec<String>)> = Vec::new();
    for finding in findings {
        let mark = if is_second_hand(finding) { "*" } else { "" };
        let name = format!(
            "{} {}{mark}",
            finding.symbol.name_line, finding.symbol.qualified
        );
        match files.last_mut() {
            Some((path, names)) if *path == finding.symbol.path => names.push(name),
            _ => files.push((&finding.symbol.path, vec![name])),
        }
    }
    files
        .iter()
        .map(|(path, names)| (names.len(), format!("  {path}: {}", names.join(", "))))
        .collect()
}

fn place(finding: &DeadFinding) -> String {
    format!("{}:{}", finding.symbol.path, finding.symbol.name_line)
}

fn is_second_hand(finding: &DeadFinding) -> bool {
    finding.verdict == "dead" && finding.confidence == "medium"
}

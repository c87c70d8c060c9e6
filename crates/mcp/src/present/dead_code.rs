//! What nothing needs: a block a verdict, a line a definition.

use whyrank_engine::api::{DeadCodeResponse, DeadFinding, DeadVerdict, Level};

use super::Style;
use super::page::{Footer, Page, clip, count, short, thousands};
use super::sure::{brought, by_name_only};

const NOTE_CHARS: usize = 160;
const WHY_CHARS: usize = 70;

/// The verdicts in the order of the answer, with what they mean.
const VERDICTS: [(DeadVerdict, &str); 6] = [
    (DeadVerdict::Dead, "dead"),
    (DeadVerdict::TestOnly, "used only by tests or examples"),
    (DeadVerdict::PossiblyDynamic, "maybe"),
    (
        DeadVerdict::ExportedUnused,
        "exported, used by tests or examples at most",
    ),
    (DeadVerdict::NeverRan, "used, but never ran"),
    (DeadVerdict::Ran, "without a use that counts, but ran"),
];

/// Writes verdicts on the symbols asked about, or the list of what nothing needs.
pub fn dead_code(asked: &[String], response: &DeadCodeResponse, style: Style) -> String {
    if asked.is_empty() {
        listing(response, style)
    } else {
        verdicts(response, style)
    }
}

fn verdicts(response: &DeadCodeResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let is_judged = response.by_name_only.is_empty();
    by_name_only(&mut page, &response.by_name_only);
    brought(&mut page, &response.brought);
    let lines = response.findings.iter().map(|finding| {
        let state = match finding.verdict {
            _ if !is_judged => "not judged",
            _ if finding.dead => "dead",
            DeadVerdict::PossiblyDynamic => "maybe dead",
            _ => "alive",
        };
        let place = place(finding);
        format!(
            "{place} {}: {state}, {}",
            short(&finding.symbol.qualified),
            finding.reason
        )
    });
    let shown = lines.take_while(|line| page.line(line)).count();
    if response.n_left_out > 0 {
        let definitions = count(response.n_left_out as usize, "definition");
        page.line(&format!(
            "{definitions} more of the name not judged: path and line narrow"
        ));
    }
    coverage_lines(&mut page, response, true);
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
    brought(&mut page, &response.brought);
    if !response.by_name_only.is_empty() {
        by_name_only(&mut page, &response.by_name_only);
        page.line("not judged before that; dead_code(symbol=…) says how often one is named");
        return page.finish(&Footer::default());
    }
    let n_checked = thousands(response.n_checked as usize);
    let is_unneeded = |finding: &&DeadFinding| {
        !matches!(finding.verdict, DeadVerdict::NeverRan | DeadVerdict::Ran)
    };
    let n_unneeded = response.findings.iter().filter(is_unneeded).count();
    match n_unneeded {
        0 if response.n_checked == 0 => {
            page.head("nothing is judged here: tests, examples and documents are not, nor fields");
        }
        0 if response.findings.is_empty() => {
            page.head(&format!(
                "nothing unneeded among {n_checked} definitions (fields and properties aside)"
            ));
        }
        0 => {}
        n => page.head(&format!(
            "{} of {n_checked} without a certain use",
            thousands(n)
        )),
    }
    coverage_lines(&mut page, response, false);
    let mut shown = 0;
    let mut has_second_hand = false;
    for (verdict, words) in VERDICTS {
        let of_verdict = |finding: &&DeadFinding| finding.verdict == verdict;
        let found: Vec<&DeadFinding> = response.findings.iter().filter(of_verdict).collect();
        let what = match verdict {
            DeadVerdict::PossiblyDynamic => " that something may reach",
            _ => "",
        };
        let head = format!("{words}: {}{what}", count(found.len(), "definition"));
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
    public_line(&mut page, response);
    page.finish(&Footer {
        shown,
        total: response.findings.len(),
        what: "findings",
        note: has_second_hand.then_some("* = used only by dead code"),
        ..Footer::default()
    })
}

/// What a package shows to others is a number, unless it was asked for.
fn public_line(page: &mut Page, response: &DeadCodeResponse) {
    let is_public = |finding: &&DeadFinding| finding.verdict == DeadVerdict::ExportedUnused;
    let n_listed = response.findings.iter().filter(is_public).count();
    let n_more = (response.n_exported_unused as usize).saturating_sub(n_listed);
    if n_more > 0 {
        let more = if n_listed > 0 { "more " } else { "" };
        let n = thousands(n_more);
        page.line(&format!(
            "{n} {more}exported, used by tests or examples at most: public API (kinds=exported lists it)"
        ));
    }
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
        let why = match finding.verdict {
            DeadVerdict::PossiblyDynamic => format!(" ({})", clip(&finding.reason, WHY_CHARS)),
            _ => String::new(),
        };
        let name = format!(
            "{} {}{mark}{why}",
            finding.symbol.name_line,
            short(&finding.symbol.qualified)
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

/// What coverage was taken in and what is missing of it; `only_notes` where reasons name it anyway.
fn coverage_lines(page: &mut Page, response: &DeadCodeResponse, only_notes: bool) {
    for report in &response.coverage {
        let mut parts = vec![count(report.n_files as usize, "file")];
        parts.extend(report.notes.iter().map(|note| clip(note, NOTE_CHARS)));
        if !only_notes || parts.len() > 1 {
            page.line(&format!("coverage {}: {}", report.path, parts.join("; ")));
        }
    }
    let counts = [
        (
            response.n_kept_by_run,
            "alive for having run alone (kinds: ran)",
        ),
        (
            response.n_never_ran,
            "used but never ran (kinds: never-ran)",
        ),
    ];
    let counts = counts.iter().filter(|(n, _)| *n > 0);
    let counts: Vec<String> = counts.map(|(n, what)| format!("{n} {what}")).collect();
    if !counts.is_empty() {
        page.line(&counts.join(", "));
    }
}

fn place(finding: &DeadFinding) -> String {
    format!("{}:{}", finding.symbol.path, finding.symbol.name_line)
}

fn is_second_hand(finding: &DeadFinding) -> bool {
    finding.verdict == DeadVerdict::Dead && finding.confidence == Level::Medium
}

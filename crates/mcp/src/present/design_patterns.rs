//! Design patterns: a line each in the summary, a block a finding with its evidence.

use whyrank_engine::api::{Level, PatternFinding, PatternsResponse};

use super::Style;
use super::page::{Footer, Page, clip, count, short, thousands};

/// Evidence shown of a finding, and in the summary.
const N_EVIDENCE: usize = 3;
const WHY_CHARS: usize = 70;

/// Writes the findings of one role, or how often each occurs with its best example.
pub fn patterns(asked: &str, response: &PatternsResponse, style: Style) -> String {
    if asked.trim().is_empty() {
        summary(response, style)
    } else {
        findings(asked, response, style)
    }
}

fn summary(response: &PatternsResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let searched = searched(response);
    let n_found = response.findings.len();
    let head = match n_found {
        0 => format!("no role found in {searched}"),
        _ => format!(
            "{} in {searched}; how often, and the best example",
            count(n_found, "role")
        ),
    };
    page.head(&head);
    let of_count = |finding: &PatternFinding| {
        let known = response
            .counts
            .iter()
            .find(|known| known.reason == finding.pattern);
        known.map_or(0, |known| known.count)
    };
    let mut findings: Vec<&PatternFinding> = response.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(of_count(finding)));
    let lines = findings.iter().map(|finding| {
        let often = match of_count(finding) {
            0 => "only in tests".to_owned(),
            n => thousands(n as usize),
        };
        format!("{} ({often}): {}", finding.pattern, line(finding, 1, style))
    });
    let shown = lines.take_while(|line| page.line(line)).count();
    page.finish(&Footer {
        shown,
        total: n_found,
        what: "roles",
        note: (n_found > 0).then_some("patterns(pattern=NAME) lists one"),
        ..Footer::default()
    })
}

fn findings(asked: &str, response: &PatternsResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let found = &response.findings;
    let name = found
        .first()
        .map_or(asked, |finding| finding.pattern.as_str());
    let of = |confidence: Level| {
        let code = found.iter().filter(|finding| !finding.test);
        code.filter(|finding| finding.confidence == confidence)
            .count()
    };
    let searched = searched(response);
    let head = match found.len() {
        0 => format!("{name}: none found in {searched}"),
        _ => format!(
            "{name}: {} sure, {} likely, {} maybe in {searched}{}",
            of(Level::High),
            of(Level::Medium),
            of(Level::Low),
            tests(found)
        ),
    };
    page.head(&head);
    let lines = found.iter().map(|finding| {
        let mark = match (finding.confidence, finding.test) {
            (Level::Low, _) => "? ",
            (Level::Medium, _) => "~ ",
            _ => "",
        };
        format!("{mark}{}", line(finding, N_EVIDENCE, style))
    });
    let shown = lines.take_while(|line| page.line(line)).count();
    let unsure = found
        .iter()
        .any(|finding| finding.confidence != Level::High);
    page.finish(&Footer {
        shown,
        total: found.len(),
        what: "findings",
        note: unsure.then_some("~ likely, ? maybe"),
        ..Footer::default()
    })
}

/// `2,191 files`, with what time did not reach.
fn searched(response: &PatternsResponse) -> String {
    let searched = count(response.n_searched as usize, "file");
    match response.n_unread {
        0 => searched,
        n => format!(
            "{searched} (partial: time was up before {} that fewer use)",
            count(n as usize, "other")
        ),
    }
}

fn tests(found: &[PatternFinding]) -> String {
    match found.iter().filter(|finding| finding.test).count() {
        0 => String::new(),
        n => format!(", and {n} in tests"),
    }
}

/// `path:12 name: what line 14 shows; …`; detailed with all evidence, a line each.
fn line(finding: &PatternFinding, n_evidence: usize, style: Style) -> String {
    let symbol = &finding.symbol;
    let place = format!("{}:{}", symbol.path, symbol.name_line);
    let evidence = finding.evidence.iter().map(|one| {
        let at = if one.path == symbol.path {
            one.line.to_string()
        } else {
            format!("{}:{}", one.path, one.line)
        };
        format!("{at} {}", clip(&one.why, WHY_CHARS))
    });
    if style.detailed {
        let lines: Vec<String> = evidence.map(|line| format!("\n  {line}")).collect();
        let head = format!(
            "{place} {} {} ({})",
            symbol.kind, symbol.qualified, finding.confidence
        );
        format!("{head}{}", lines.concat())
    } else {
        let shown: Vec<String> = evidence.take(n_evidence).collect();
        format!("{place} {}: {}", short(&symbol.qualified), shown.join("; "))
    }
}

//! Which tests cover what: what has none first, by risk.

use whyrank_engine::api::{TestMapResponse, TestPlace, TestedSymbol};

use super::Style;
use super::blocks::{Block, fill, some};
use super::page::{Footer, Page, count, short, thousands};

/// Tests named for a definition in the short form.
const N_TESTS: usize = 2;
/// Definitions listed in the short form where there are no tests at all.
const N_UNTESTABLE: usize = 12;

/// Writes definitions without a test, with distant ones, and with tests of their own.
pub fn test_map(response: &TestMapResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let depth_of = |one: &&TestedSymbol| one.tests.first().map_or(0, |test| test.depth);
    let of = |fits: &dyn Fn(u32) -> bool| -> Vec<&TestedSymbol> {
        let all = response.symbols.iter();
        all.filter(|one| fits(depth_of(one))).collect()
    };
    let (none, far, direct) = (of(&|d| d == 0), of(&|d| d > 1), of(&|d| d == 1));
    page.head(&head(response, [direct.len(), far.len(), none.len()]));
    if !response.unmapped.is_empty() {
        page.line(&format!(
            "changed without a definition of code: {}",
            some(&response.unmapped, 5)
        ));
    }
    let with_tests = |found: &[&TestedSymbol]| -> Vec<(usize, String)> {
        found.iter().map(|one| (1, covered(one, style))).collect()
    };
    // Where nothing is tested, all is of the same kind: the riskiest say enough.
    let listed = match response.n_test_files {
        0 if !style.detailed => &none[..none.len().min(N_UNTESTABLE)],
        _ => &none[..],
    };
    let blocks = [
        Block {
            share: 3,
            ..Block::new(
                format!("no test within {} steps, riskiest first:", response.depth),
                untested(listed, style),
            )
        },
        Block::new("through others, riskiest first:", with_tests(&far)),
        Block::new("used by tests:", with_tests(&direct)),
    ];
    let shown = fill(&mut page, &blocks).into_iter().sum();
    let is_doubtful = |one: &TestedSymbol| one.tests.first().is_some_and(|test| !test.sure);
    let doubtful = response.symbols.iter().any(is_doubtful);
    page.finish(&Footer {
        shown,
        total: response.symbols.len(),
        what: "definitions",
        note: doubtful.then_some("? = name or override matches, not certain"),
        ..Footer::default()
    })
}

fn head(response: &TestMapResponse, [direct, far, none]: [usize; 3]) -> String {
    let n_all = response.symbols.len();
    let of = match &response.base {
        Some(base) => format!("changed since {base}"),
        None => "here".to_owned(),
    };
    if n_all == 0 {
        return match &response.base {
            Some(base) => format!(
                "no definition of code changed since {base}; give ref=\"main\" or a path to look at all"
            ),
            None => "no functions or methods here".to_owned(),
        };
    }
    let tests = match response.n_test_files {
        0 => "; the repository has no test files".to_owned(),
        n => format!("; {}", count(n as usize, "test file")),
    };
    format!(
        "{} {of}: {} used by tests, {} through others, {} by none{tests}",
        count(n_all, "definition"),
        thousands(direct),
        thousands(far),
        thousands(none)
    )
}

/// What has no test: neighbours in the order of risk that lie in one file share a line.
fn untested(found: &[&TestedSymbol], style: Style) -> Vec<(usize, String)> {
    let mut files: Vec<(&str, Vec<String>)> = Vec::new();
    for one in found {
        let risk = match style.detailed {
            true => format!(" (risk {:.2})", one.risk),
            false => String::new(),
        };
        let name = format!(
            "{} {}{risk}",
            one.symbol.name_line,
            short(&one.symbol.qualified)
        );
        match files.last_mut() {
            Some((path, names)) if *path == one.symbol.path && names.len() < 12 => names.push(name),
            _ => files.push((&one.symbol.path, vec![name])),
        }
    }
    files
        .iter()
        .map(|(path, names)| (names.len(), format!("  {path}: {}", names.join(", "))))
        .collect()
}

fn covered(one: &TestedSymbol, style: Style) -> String {
    let symbol = &one.symbol;
    let most = if style.detailed { 20 } else { N_TESTS };
    let tests: Vec<String> = one.tests.iter().map(test).collect();
    let depth = one.tests.first().map_or(1, |test| test.depth);
    let steps = match depth {
        1 => String::new(),
        depth => format!(" ({depth} steps)"),
    };
    format!(
        "  {}:{} {}{steps} <- {}",
        symbol.path,
        symbol.name_line,
        short(&symbol.qualified),
        named(&tests, one.n_tests as usize, most)
    )
}

fn test(test: &TestPlace) -> String {
    let name = test
        .name
        .as_deref()
        .map(|name| format!(" {}", short(name)))
        .unwrap_or_default();
    let mark = if test.sure { "" } else { "?" };
    format!("{}:{}{name}{mark}", test.path, test.line)
}

/// The first `most` tests, and how many more of `n_all` there are.
fn named(tests: &[String], n_all: usize, most: usize) -> String {
    let shown = &tests[..tests.len().min(most)];
    match n_all.saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} +{more}", shown.join(", ")),
    }
}

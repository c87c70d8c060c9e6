//! Which tests cover what: what has none first, by risk.

use whyrank_engine::api::{SymbolLine, TestMapResponse, TestPlace, TestedSymbol};

use super::Style;
use super::blocks::{Block, fill, some};
use super::page::{Footer, Page, by_path, count, short, thousands};
use super::review::comparison;

/// Tests named for a definition in the short form.
const N_TESTS: usize = 2;
/// Tests named in the long form, and of a definition that was asked about.
const N_ALL_TESTS: usize = 20;
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
    comparison(
        &mut page,
        &response.notes,
        &response.unread,
        &response.without,
    );
    if !response.unmapped.is_empty() {
        page.line(&format!(
            "changed without a definition of code: {}",
            some(&response.unmapped, 5)
        ));
    }
    // Who asks about one definition wants its tests.
    let most = if style.detailed || response.symbols.len() <= 3 {
        N_ALL_TESTS
    } else {
        N_TESTS
    };
    let with_tests = |found: &[&TestedSymbol]| covered_by_file(found, most);
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
        Block::new(
            "not in the index yet, so nothing tells which tests reach them:",
            unknown(&response.unknown),
        ),
    ];
    let shown = fill(&mut page, &blocks).into_iter().sum();
    page.finish(&Footer {
        shown,
        total: response.symbols.len() + response.unknown.len(),
        what: "definitions",
        ..Footer::default()
    })
}

/// Definitions by file.
fn unknown(found: &[SymbolLine]) -> Vec<(usize, String)> {
    let in_files = found.chunk_by(|a, b| a.path == b.path);
    let lines = in_files.map(|of_file| {
        let names = of_file.iter().map(|one| {
            (
                one.path.as_str(),
                format!("{} {}", one.name_line, short(&one.qualified)),
            )
        });
        (of_file.len(), format!("  {}", by_path(names)))
    });
    lines.collect()
}

fn head(response: &TestMapResponse, [direct, far, none]: [usize; 3]) -> String {
    let n_all = response.symbols.len() + response.unknown.len();
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
    if response.symbols.is_empty() {
        return format!(
            "{} {of}; their tests are not known",
            count(n_all, "definition")
        );
    }
    let n_unfollowed: u32 = response.unfollowed.iter().map(|one| one.count).sum();
    let languages = response
        .unfollowed
        .iter()
        .take(3)
        .map(|one| one.reason.as_str());
    let languages = languages.collect::<Vec<_>>().join(", ");
    let tests = match (response.n_test_files, n_unfollowed) {
        (0, _) => "; the repository has no test files".to_owned(),
        (n, left) if left * 4 < n => format!("; {}", count(n as usize, "test file")),
        (n, left) => format!(
            "; {}, {left} of them in {languages}, whose uses of this code cannot be followed",
            count(n as usize, "test file"),
        ),
    };
    // Where tests are not read, nothing is untested for sure.
    let known = if n_unfollowed * 4 >= response.n_test_files.max(1) {
        " known"
    } else {
        ""
    };
    format!(
        "{} {of}: {} used by tests, {} through others, {} by none{known}{tests}",
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
        let risk = if style.detailed {
            format!(" (risk {:.2})", one.risk)
        } else {
            String::new()
        };
        let open = match one.n_open {
            0 => String::new(),
            n => format!(" ({} in tests may mean it)", count(n as usize, "place")),
        };
        let name = format!(
            "{} {}{risk}{open}",
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

/// Definitions with their tests: those of one file below its path.
fn covered_by_file(found: &[&TestedSymbol], most: usize) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    for in_file in found.chunk_by(|a, b| a.symbol.path == b.symbol.path) {
        let path = &in_file[0].symbol.path;
        match in_file {
            [only] => lines.push((1, format!("  {path}:{}", covered(only, most)))),
            several => {
                let below = several
                    .iter()
                    .map(|one| format!("    {}", covered(one, most)));
                let below: Vec<String> = below.collect();
                lines.push((1, format!("  {path}\n{}", below[0])));
                lines.extend(below.into_iter().skip(1).map(|line| (1, line)));
            }
        }
    }
    lines
}

fn covered(one: &TestedSymbol, most: usize) -> String {
    let symbol = &one.symbol;
    let depth = one.tests.first().map_or(1, |test| test.depth);
    let steps = match depth {
        1 => String::new(),
        depth => format!(" ({depth} steps)"),
    };
    let shown = &one.tests[..one.tests.len().min(most)];
    let more = match (one.n_tests as usize).saturating_sub(shown.len()) {
        0 => String::new(),
        more => format!(" +{more}"),
    };
    let possible = match one.n_possible {
        0 => String::new(),
        n => format!("; {n} more may reach it"),
    };
    format!(
        "{} {}{steps} <- {}{more}{possible}",
        symbol.name_line,
        short(&symbol.qualified),
        tests(shown)
    )
}

/// Tests by file; `maybe` before those that a name or an override suggests.
fn tests(tests: &[TestPlace]) -> String {
    let (sure, unsure): (Vec<&TestPlace>, Vec<&TestPlace>) = tests.iter().partition(|one| one.sure);
    let written = |tests: Vec<&TestPlace>, word: &str| {
        let places = tests.iter().map(|test| {
            let name = test.name.as_deref().map(short).unwrap_or_default();
            let place = format!("{} {name}", test.line);
            (test.path.as_str(), place.trim_end().to_owned())
        });
        (!tests.is_empty()).then(|| format!("{word}{}", by_path(places)))
    };
    let parts = [written(sure, ""), written(unsure, "maybe ")];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

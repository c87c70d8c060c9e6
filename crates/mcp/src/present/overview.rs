//! The map of a code base: folders by importance, in each its main files and definitions.

use whyrank_engine::api::{LanguageShare, Overview, OverviewFile, OverviewModule};

use super::Style;
use super::page::{Footer, Page, clip, cost, count, thousands};

const N_SYMBOLS: usize = 6;
const N_SYMBOLS_DETAILED: usize = 20;
const N_DEPENDS_ON: usize = 4;

/// Writes the map: every folder's line before any folder's second file.
pub fn overview(map: &Overview, style: Style) -> String {
    let mut page = Page::new(style.budget);
    page.head(&languages(&map.languages));
    let plan = plan(map, page.room(), style);
    let shown = plan.len();
    for (module, n_files) in map.modules.iter().zip(plan) {
        page.line(&module_line(module));
        for file in &module.files[..n_files] {
            page.line(&file_line(module, file, style));
        }
    }
    page.finish(&Footer {
        shown,
        total: map.modules.len(),
        what: "folders",
        ..Footer::default()
    })
}

/// How many files of each folder fit: folders take up to three fifths of the room, then files come
/// in rounds, one more for each folder.
fn plan(map: &Overview, room: usize, style: Style) -> Vec<usize> {
    let mut left = room;
    let mut n_files = Vec::new();
    for module in &map.modules {
        let n_chars = cost(&module_line(module));
        if left < n_chars || (!n_files.is_empty() && left - n_chars < room * 2 / 5) {
            break;
        }
        left -= n_chars;
        n_files.push(0);
    }
    let most = map
        .modules
        .iter()
        .map(|module| module.files.len())
        .max()
        .unwrap_or(0);
    for round in 0..most {
        for (module, n_files) in map.modules.iter().zip(&mut n_files) {
            let Some(file) = module.files.get(round).filter(|_| *n_files == round) else {
                continue;
            };
            let n_chars = cost(&file_line(module, file, style));
            if n_chars <= left {
                left -= n_chars;
                *n_files += 1;
            }
        }
    }
    n_files
}

/// `rust 80 %, toml 20 % of 12,000 lines in 120 files`.
pub(super) fn languages(languages: &[LanguageShare]) -> String {
    let n_lines: f64 = languages
        .iter()
        .map(|language| f64::from(language.lines))
        .sum();
    let n_files: usize = languages
        .iter()
        .map(|language| language.files as usize)
        .sum();
    let shares = languages.iter().take(6).map(|language| {
        let share = f64::from(language.lines) / n_lines.max(1.0);
        format!("{} {}", language.language, super::page::percent(share))
    });
    let shares = shares.collect::<Vec<_>>().join(", ");
    let lines: usize = languages
        .iter()
        .map(|language| language.lines as usize)
        .sum();
    format!(
        "{shares} of {} lines in {}",
        thousands(lines),
        count(n_files, "file")
    )
}

fn module_line(module: &OverviewModule) -> String {
    let path = if module.path.is_empty() {
        "."
    } else {
        &module.path
    };
    let n_files = count(module.n_files as usize, "file");
    let lines = thousands(module.n_lines as usize);
    let used = module.depends_on.iter().take(N_DEPENDS_ON);
    let used: Vec<&str> = used.map(|folder| folder.reason.as_str()).collect();
    let uses = match used.is_empty() {
        true => String::new(),
        false => format!("; uses {}", used.join(", ")),
    };
    format!("{path}/ {n_files}, {lines} lines{uses}")
}

fn file_line(module: &OverviewModule, file: &OverviewFile, style: Style) -> String {
    let below = file.path.strip_prefix(&module.path).unwrap_or(&file.path);
    let name = below.trim_start_matches('/');
    let n_symbols = if style.detailed {
        N_SYMBOLS_DETAILED
    } else {
        N_SYMBOLS
    };
    let symbols = file
        .symbols
        .iter()
        .take(n_symbols)
        .map(|symbol| match style.detailed {
            true => format!("{} {}:{}", symbol.kind, symbol.qualified, symbol.start_line),
            false => format!("{}:{}", symbol.name, symbol.start_line),
        });
    let symbols = symbols.collect::<Vec<_>>().join(", ");
    let importers = match file.n_importers {
        0 => String::new(),
        n => format!(" (imported by {n})"),
    };
    format!(
        "  {}",
        clip(&format!("{name}{importers} {symbols}"), 400).trim_end()
    )
}

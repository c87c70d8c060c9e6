//! The map of a code base: folders by importance, in each its main files and definitions.

use whyrank_engine::api::{EntryPoint, LanguageShare, Overview, OverviewFile, OverviewModule};

use super::Style;
use super::blocks::some;
use super::page::{Footer, Page, clip, cost, count, thousands};

const N_SYMBOLS: usize = 6;
const N_SYMBOLS_DETAILED: usize = 20;
const N_DEPENDS_ON: usize = 4;
const N_EXPORTS: usize = 5;
const N_STARTS: usize = 5;

/// Of the room, what bridges may take at most.
const BRIDGES_SHARE: usize = 7;

/// Writes the map: where it starts, every folder's line before any folder's second file, bridges, and
/// folders without code of their own in a line.
pub fn overview(map: &Overview, style: Style) -> String {
    let mut page = Page::new(style.budget);
    page.head(&languages(&map.languages));
    if !map.entry_points.is_empty() {
        page.line(&starts(map));
    }
    let has_code = map.modules.iter().any(|module| module.rank > 0.0);
    let is_main = |module: &&OverviewModule| module.rank > 0.0 || !has_code;
    let modules: Vec<&OverviewModule> = map.modules.iter().filter(is_main).collect();
    let others: Vec<&OverviewModule> = map.modules.iter().filter(|one| !is_main(one)).collect();
    let mut tail = bridges(map, page.room() / BRIDGES_SHARE);
    let mut shown = 0;
    if !others.is_empty() {
        let line = others_line(&others, page.room() / BRIDGES_SHARE);
        if cost(&line) <= page.room() / 4 {
            shown += others.len();
            tail.push(line);
        }
    }
    let taken: usize = tail.iter().map(|line| cost(line)).sum();
    let room = page.room().saturating_sub(taken);
    let plan = plan(&modules, room, style);
    shown += plan.len();
    let mut left = room.saturating_sub(planned(&modules, &plan, style));
    for (module, n_files) in modules.iter().zip(plan) {
        // What a folder shows is said by its files, where these have room.
        let exports = exports(module).filter(|names| n_files == 0 && names.chars().count() <= left);
        left -= exports.as_ref().map_or(0, |names| names.chars().count());
        page.line(&format!(
            "{}{}",
            module_line(module),
            exports.unwrap_or_default()
        ));
        for file in &module.files[..n_files] {
            page.line(&file_line(module, file, style));
        }
    }
    for line in &tail {
        page.line(line);
    }
    page.finish(&Footer {
        shown,
        total: map.modules.len(),
        what: "folders",
        ..Footer::default()
    })
}

/// `tests, docs and other files: tests/ 22, docs/ 30 +4 folders`.
fn others_line(modules: &[&OverviewModule], room: usize) -> String {
    let mut line = String::from("tests, examples, docs and the like (files):");
    for (at, module) in modules.iter().enumerate() {
        let part = format!(" {} {},", folder(&module.path), module.n_files);
        if line.chars().count() + part.chars().count() > room {
            let n_files: u32 = modules[at..].iter().map(|module| module.n_files).sum();
            return format!(
                "{line} {} more {n_files}",
                count(modules.len() - at, "folder")
            );
        }
        line.push_str(&part);
    }
    line.trim_end_matches(',').to_owned()
}

fn starts(map: &Overview) -> String {
    let entry = |entry: &EntryPoint| format!("{}:{}", entry.path, entry.line);
    let entries: Vec<String> = map.entry_points.iter().map(entry).collect();
    clip(&format!("starts: {}", some(&entries, N_STARTS)), 400)
}

/// The strongest bridges, as many as fit, with a head that says how many there are.
fn bridges(map: &Overview, mut room: usize) -> Vec<String> {
    let mut lines = vec![format!("bridges ({}), strongest first:", map.bridges.len())];
    room = room.saturating_sub(cost(&lines[0]));
    for bridge in &map.bridges {
        let line = format!(
            "  {} -> {}: {}, {}; {}:{}",
            folder(&bridge.from),
            folder(&bridge.to),
            count(bridge.n_imports as usize, "import"),
            count(bridge.n_uses as usize, "use"),
            bridge.path,
            bridge.line
        );
        if cost(&line) > room {
            break;
        }
        room -= cost(&line);
        lines.push(line);
    }
    if lines.len() > 1 { lines } else { Vec::new() }
}

/// `; exports A, B`.
fn exports(module: &OverviewModule) -> Option<String> {
    let names = module
        .exports
        .iter()
        .take(N_EXPORTS)
        .map(|symbol| symbol.name.as_str());
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| clip(&format!("; exports {}", names.join(", ")), 200))
}

fn planned(modules: &[&OverviewModule], plan: &[usize], style: Style) -> usize {
    let of_module = |(module, n_files): (&&OverviewModule, &usize)| -> usize {
        let files = module.files[..*n_files].iter();
        let files: usize = files
            .map(|file| cost(&file_line(module, file, style)))
            .sum();
        cost(&module_line(module)) + files
    };
    modules.iter().zip(plan).map(of_module).sum()
}

pub(super) fn folder(path: &str) -> String {
    format!("{}/", if path.is_empty() { "." } else { path })
}

/// How many files of each folder fit: folders take up to three fifths of the room, then files come
/// in rounds, one more for each folder.
fn plan(modules: &[&OverviewModule], room: usize, style: Style) -> Vec<usize> {
    let mut left = room;
    let mut n_files = Vec::new();
    for module in modules {
        let n_chars = cost(&module_line(module));
        if left < n_chars || (!n_files.is_empty() && left - n_chars < room * 2 / 5) {
            break;
        }
        left -= n_chars;
        n_files.push(0);
    }
    let most = modules
        .iter()
        .map(|module| module.files.len())
        .max()
        .unwrap_or(0);
    for round in 0..most {
        for (module, n_files) in modules.iter().zip(&mut n_files) {
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

/// `rust 80%, toml 20% of 12,000 lines in 120 files`.
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
    let path = folder(&module.path);
    let n_files = count(module.n_files as usize, "file");
    let lines = thousands(module.n_lines as usize);
    let used = module.depends_on.iter().take(N_DEPENDS_ON);
    let used: Vec<String> = used.map(|used| folder(&used.reason)).collect();
    let uses = if used.is_empty() {
        String::new()
    } else {
        format!("; uses {}", used.join(", "))
    };
    format!("{path} {n_files}, {lines} lines{uses}")
}

fn file_line(module: &OverviewModule, file: &OverviewFile, style: Style) -> String {
    let below = file.path.strip_prefix(&module.path).unwrap_or(&file.path);
    let name = below.trim_start_matches('/');
    let n_symbols = if style.detailed {
        N_SYMBOLS_DETAILED
    } else {
        N_SYMBOLS
    };
    // Overloads are one name, at the first of them.
    let is_first = |at: usize| {
        let earlier = &file.symbols[..at];
        earlier
            .iter()
            .all(|other| other.name != file.symbols[at].name)
    };
    let distinct = file.symbols.iter().enumerate();
    let symbols = distinct
        .filter(|(at, _)| style.detailed || is_first(*at))
        .map(|(_, symbol)| symbol)
        .take(n_symbols)
        .map(|symbol| {
            if style.detailed {
                format!("{} {}:{}", symbol.kind, symbol.qualified, symbol.start_line)
            } else {
                format!("{}:{}", symbol.name, symbol.start_line)
            }
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

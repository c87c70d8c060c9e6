//! A code base for a language model: a table of folders, bridges, then definitions, best first packed
//! into the budget and shown by file.

use std::collections::BTreeMap;

use whyrank_engine::api::{ExportDefinition, ExportModule, ExportResponse, ModuleBridge};

use super::Style;
use super::page::{Footer, Page, clip, cost, count, short};

/// Of the room, what the table and the bridges may take at most.
const TABLE_SHARE: f64 = 0.3;
const BRIDGES_SHARE: f64 = 0.15;
const MAX_SIGNATURE: usize = 100;

/// Writes the export; what found no room is counted.
pub fn export_context(response: &ExportResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    if response.n_definitions == 0 {
        page.head("no definitions of code here");
        return page.finish(&Footer::default());
    }
    let room = page.room() as f64;
    table(&mut page, response, (room * TABLE_SHARE) as usize);
    bridges(&mut page, response, (room * BRIDGES_SHARE) as usize);
    let shown = definitions(&mut page, response, style);
    page.finish(&Footer {
        shown,
        total: response.n_definitions as usize,
        what: "definitions",
        note: Some("[c = callers], stars by PageRank"),
        ..Footer::default()
    })
}

fn table(page: &mut Page, response: &ExportResponse, room: usize) {
    let row = |module: &ExportModule| {
        let path = folder(&module.path);
        let exports = clip(&module.exports.join(", "), 90);
        format!(
            "| {path} | {} | {} | {exports} |",
            module.n_symbols, module.n_files
        )
    };
    page.line("| module | symbols | files | key exports |");
    page.line("|---|---|---|---|");
    let rows: Vec<String> = response.modules.iter().map(row).collect();
    let n_shown = within(&rows, room, page);
    rest(page, rows.len() - n_shown, "modules");
}

/// Adds lines as far as they fit into a share of the room; gives how many.
fn within(lines: &[String], mut room: usize, page: &mut Page) -> usize {
    for (at, line) in lines.iter().enumerate() {
        let n_chars = cost(line);
        if n_chars > room || !page.line(line) {
            return at;
        }
        room -= n_chars;
    }
    lines.len()
}

fn rest(page: &mut Page, n_left: usize, what: &str) {
    if n_left > 0 {
        page.line(&format!("and {n_left} more {what}"));
    }
}

fn bridges(page: &mut Page, response: &ExportResponse, room: usize) {
    let line = |bridge: &ModuleBridge| {
        format!(
            "{} -> {}: {}, {} ({}:{})",
            folder(&bridge.from),
            folder(&bridge.to),
            count(bridge.n_imports as usize, "import"),
            count(bridge.n_uses as usize, "use"),
            bridge.path,
            bridge.line
        )
    };
    let lines: Vec<String> = response.bridges.iter().map(line).collect();
    if lines.first().is_some_and(|first| cost(first) + 9 <= room) && page.line("bridges:") {
        let n_shown = within(&lines, room - 9, page);
        rest(page, lines.len() - n_shown, "bridges");
    }
}

/// Packs definitions by importance, then writes them by folder and file.
fn definitions(page: &mut Page, response: &ExportResponse, style: Style) -> usize {
    let mut room = page.room();
    let mut files: BTreeMap<(u32, &str), Vec<&ExportDefinition>> = BTreeMap::new();
    let mut shown = 0;
    for definition in &response.definitions {
        let key = (definition.module, definition.symbol.path.as_str());
        let head = if files.contains_key(&key) {
            0
        } else {
            cost(&definition.symbol.path)
        };
        let n_chars = head + cost(&definition_line(definition, style));
        if n_chars > room {
            break;
        }
        room -= n_chars;
        files.entry(key).or_default().push(definition);
        shown += 1;
    }
    for ((_, path), mut definitions) in files {
        page.line(path);
        definitions.sort_by_key(|one| one.symbol.name_line);
        for definition in definitions {
            page.line(&definition_line(definition, style));
        }
    }
    shown
}

fn definition_line(definition: &ExportDefinition, style: Style) -> String {
    let symbol = &definition.symbol;
    let callers = match definition.n_callers {
        0 => String::new(),
        n => format!(" [c={n}]"),
    };
    let stars = match definition.stars {
        0 => String::new(),
        n => format!(" {}", "★".repeat(n as usize)),
    };
    let head = symbol.signature.split(" {").next().unwrap_or_default();
    let signature = if head.is_empty() {
        format!("{} {}", symbol.kind, symbol.name)
    } else {
        super::page::signature(head, MAX_SIGNATURE)
    };
    // The head of a method does not say whose it is.
    let owner = short(
        symbol
            .qualified
            .strip_suffix(&symbol.name)
            .unwrap_or_default(),
    );
    let owner = owner.trim_end_matches(['.', ':', '#']);
    let owner = if owner.is_empty() || signature.contains(owner) {
        String::new()
    } else {
        format!("{owner}: ")
    };
    let end = if style.detailed {
        format!("-{}", symbol.end_line)
    } else {
        String::new()
    };
    clip(
        &format!(
            "  {}{end} {owner}{signature}{callers}{stars}",
            symbol.name_line
        ),
        300,
    )
}

fn folder(path: &str) -> String {
    format!("{}/", if path.is_empty() { "." } else { path })
}

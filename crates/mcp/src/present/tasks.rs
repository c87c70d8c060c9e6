//! Context for a task, an investigation, a pool of candidates: several answers on one page.

use std::collections::BTreeMap;

use whyrank_engine::api::{
    ContextPiece, ContextResponse, Hit, InvestigateResponse, InvestigatedHit, NeighbourPlace,
    TestFile,
};

use super::Style;
use super::page::{Footer, Page, clip, cost, short};
use super::search::hit_line;

/// Share of the page that code may take; the rest is for what surrounds it.
const CODE_SHARE: f64 = 0.75;
/// Lines of code of a piece in the short form.
const MAX_LINES: usize = 40;
/// The same of pieces after the first.
const MAX_FURTHER_LINES: usize = 24;
/// Pieces that are shown with who uses them and what they use.
const N_WITH_NEIGHBOURS: usize = 4;
/// One part in so many of the page is what the tests to run may take.
const TESTS_SHARE: usize = 5;
const MIN_LINES: usize = 6;
/// Letters that the list of definitions that were left out may take.
const LEFT_OUT_CHARS: usize = 420;

/// Writes the files that a task needs, most needed first: the heads of all, code from the first on, and
/// the tests to run.
pub fn context(response: &ContextResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let pieces = &response.pieces;
    // What was decided of the code comes before it: it would be cut first.
    super::memory::beside(&mut page, &response.memos, response.memory_gap.as_deref());
    let tests = tests_to_run(&response.tests, page.room() / TESTS_SHARE);
    let for_tests = tests.as_ref().map_or(0, |tests| cost(tests));
    if response.whole {
        let room = page.room().saturating_sub(for_tests);
        let shown = whole_pieces(&mut page, pieces, room);
        return finish(page, response, style, tests, shown);
    }
    let heads = pieces.iter().enumerate();
    let heads: Vec<String> = heads
        .map(|(at, piece)| head(piece, at < N_WITH_NEIGHBOURS))
        .collect();
    let heads_cost: usize = heads.iter().map(|head| cost(head)).sum();
    let room = page.room().saturating_sub(for_tests);
    let for_code = (room as f64 * CODE_SHARE) as usize;
    let mut for_code = for_code.min(room.saturating_sub(heads_cost));
    let mut shown = 0;
    for (piece, head) in pieces.iter().zip(&heads) {
        let fits = cost(head) + for_tests <= page.room();
        if !(fits && page.line(head)) {
            break;
        }
        shown += 1;
        if let Some(code) = code(piece, for_code, shown == 1, style) {
            for_code -= cost(&code).min(for_code);
            page.line(&code);
        }
    }
    finish(page, response, style, tests, shown)
}

/// The tests, then how much was shown.
fn finish(
    mut page: Page,
    response: &ContextResponse,
    style: Style,
    tests: Option<String>,
    shown: usize,
) -> String {
    if let Some(tests) = tests {
        page.line(&tests);
    }
    page.finish(&Footer {
        shown,
        total: response.pieces.len(),
        what: if response.whole {
            "definitions"
        } else {
            "files"
        },
        query_id: style.detailed.then_some(response.query_id.as_str()),
        note: response.notes.first().map(String::as_str),
        ..Footer::default()
    })
}

/// Whole definitions as long as there is room, then where those are that were left out; how many were
/// shown. A definition is cut only where nothing stands before it.
fn whole_pieces(page: &mut Page, pieces: &[ContextPiece], room: usize) -> usize {
    let for_code = room.saturating_sub(LEFT_OUT_CHARS.min(room / TESTS_SHARE));
    let (mut left, mut shown) = (for_code, 0);
    let mut left_out: Vec<String> = Vec::new();
    for piece in pieces {
        let head = head(piece, shown < N_WITH_NEIGHBOURS);
        let text = whole_code(piece, &head);
        if !piece.lines.is_empty() && cost(&text) <= left && page.line(&text) {
            left -= cost(&text);
            shown += 1;
        } else if shown == 0 && !piece.lines.is_empty() && cost(&head) <= left && page.line(&head) {
            let style = Style {
                detailed: true,
                budget: 0,
            };
            let code = code(piece, left - cost(&head), true, style);
            if let Some(code) = code {
                left = left.saturating_sub(cost(&head) + cost(&code));
                page.line(&code);
            }
            shown += 1;
        } else {
            let hit = &piece.hit;
            let name = hit.symbol.as_deref().map_or(hit.kind.as_str(), short);
            let (first, last) = (hit.start_line, hit.end_line);
            left_out.push(format!("{}:{first}-{last} {name}", hit.path));
        }
    }
    if !left_out.is_empty() {
        let line = format!("left out, to be read there: {}", left_out.join(", "));
        page.line(&clip(&line, LEFT_OUT_CHARS.min(page.room()).max(1)));
    }
    shown
}

/// The head, then every line.
fn whole_code(piece: &ContextPiece, head: &str) -> String {
    let lines = piece.lines.iter();
    let lines = lines.map(|line| format!("\n  {}: {}", line.line, line.text.trim_end()));
    let is_cut = piece
        .lines
        .last()
        .is_some_and(|last| last.line < piece.hit.end_line);
    let end = if is_cut { "\n  …" } else { "" };
    format!("{head}{}{end}", lines.collect::<String>())
}

fn head(piece: &ContextPiece, with_neighbours: bool) -> String {
    let mut lines = vec![hit_line(&piece.hit)];
    if with_neighbours && !piece.used_by.is_empty() {
        let more = piece.n_used_by as usize - piece.used_by.len();
        let more = if more > 0 {
            format!(" +{more}")
        } else {
            String::new()
        };
        lines.push(format!("  used by {}{more}", neighbours(&piece.used_by)));
    }
    if with_neighbours && !piece.uses.is_empty() {
        lines.push(format!("  uses {}", defined(&piece.uses)));
    }
    if !piece.also.is_empty() {
        let also = piece.also.iter().map(|hit| {
            let name = hit.symbol.as_deref().map_or(hit.kind.as_str(), short);
            format!("{}-{} {name}", hit.start_line, hit.end_line)
        });
        lines.push(format!("  also {}", also.collect::<Vec<_>>().join(", ")));
    }
    lines.join("\n")
}

/// `tests a/test_b.py:4 test_c, test_d +3; …` as far as there is room.
fn tests_to_run(files: &[TestFile], room: usize) -> Option<String> {
    let file = |file: &TestFile| {
        let names: Vec<&str> = file.names.iter().map(|name| short(name)).collect();
        let more = match file.n_tests as usize - names.len().min(file.n_tests as usize) {
            0 => String::new(),
            n => format!(" +{n}"),
        };
        format!("{}:{} {}{more}", file.path, file.line, names.join(", "))
    };
    let mut line = String::new();
    for file in files.iter().map(file) {
        let next = if line.is_empty() {
            format!("tests {file}")
        } else {
            format!("{line}; {file}")
        };
        if cost(&next) > room && !line.is_empty() {
            break;
        }
        line = next;
    }
    (!line.is_empty()).then(|| clip(line.trim_end(), room.max(1)))
}

/// The code of a piece as far as there is room; none where too little is left to tell anything, and of
/// tests, prose and the like only where nothing ranks before them.
fn code(piece: &ContextPiece, room: usize, is_first: bool, style: Style) -> Option<String> {
    let most = match (style.detailed, is_first) {
        (true, _) => usize::MAX,
        (false, true) => MAX_LINES,
        (false, false) => MAX_FURTHER_LINES,
    };
    if !is_first && !piece.hit.badges.is_empty() {
        return None;
    }
    let mut kept: Vec<String> = Vec::new();
    let (mut left, mut n_kept) = (room, 0);
    let mut before = piece.lines.first().map_or(0, |line| line.line);
    for line in piece.lines.iter().take(most) {
        let gap = if line.line > before + 1 {
            "  …\n"
        } else {
            ""
        };
        let text = format!("{gap}  {}: {}", line.line, line.text.trim_end());
        if cost(&text) + 8 > left {
            break;
        }
        left -= cost(&text);
        before = line.line;
        n_kept += 1;
        kept.push(text);
    }
    if n_kept < MIN_LINES.min(piece.lines.len()) || kept.is_empty() {
        return None;
    }
    if n_kept < piece.lines.len() {
        kept.push("  …".to_owned());
    }
    Some(kept.join("\n"))
}

/// `src/a.rs:12 name`, where each uses it.
fn neighbours(places: &[NeighbourPlace]) -> String {
    let places = places.iter().map(|place| {
        format!(
            "{}:{} {}",
            place.path,
            place.line,
            short(&place.symbol.qualified)
        )
    });
    places.collect::<Vec<_>>().join(", ")
}

/// `src/a.rs:12 name`, where each is defined.
fn defined(places: &[NeighbourPlace]) -> String {
    let places = places.iter().map(|place| {
        format!(
            "{}:{} {}",
            place.symbol.path,
            place.symbol.name_line,
            short(&place.symbol.qualified)
        )
    });
    places.collect::<Vec<_>>().join(", ")
}

/// Writes hits with what found them and what surrounds them.
pub fn investigate(response: &InvestigateResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let total = response.hits.len();
    let shown = response
        .hits
        .iter()
        .take_while(|one| page.line(&investigated(one)))
        .count();
    if !response.between.is_empty() {
        page.line(&format!("between them: {}", defined(&response.between)));
    }
    if total == 0 {
        page.head("nothing found; use other words");
    }
    page.finish(&Footer {
        shown,
        total,
        what: "hits",
        query_id: style.detailed.then_some(response.query_id.as_str()),
        note: response.notes.first().map(String::as_str),
        ..Footer::default()
    })
}

fn investigated(one: &InvestigatedHit) -> String {
    let channels: Vec<&str> = one
        .hit
        .channels
        .iter()
        .map(|channel| channel.name())
        .collect();
    let mut text = format!("{} by {}", hit_line(&one.hit), channels.join(" "));
    if !one.used_by.is_empty() {
        text.push_str(&format!("\n  used by {}", neighbours(&one.used_by)));
    }
    if !one.uses.is_empty() {
        text.push_str(&format!("\n  uses {}", defined(&one.uses)));
    }
    text
}

/// Writes the head of a pool, and by what it can be narrowed.
pub fn search_iterative(fitting: &[Hit], (limit, n_pool): (usize, usize), style: Style) -> String {
    let mut page = Page::new(style.budget);
    for (name, count) in [
        ("folders", counted(fitting, folder)),
        ("kinds", counted(fitting, |hit| hit.kind.clone())),
        ("languages", counted(fitting, |hit| hit.language.clone())),
    ] {
        if !count.is_empty() {
            page.line(&format!("{name}: {count}"));
        }
    }
    let lines = fitting.iter().take(limit).map(hit_line);
    let shown = lines.take_while(|line| page.line(line)).count();
    if fitting.is_empty() {
        page.head("nothing fits; narrow by less");
    }
    let pool = format!("pool {n_pool}");
    page.finish(&Footer {
        shown,
        total: fitting.len(),
        what: "fitting",
        note: Some(&pool),
        ..Footer::default()
    })
}

fn folder(hit: &Hit) -> String {
    let parts: Vec<&str> = hit.path.split('/').collect();
    match parts.len() {
        1 => ".".to_owned(),
        n => parts[..(n - 1).min(2)].join("/"),
    }
}

/// The values that most hits have: `src/api 12, src 3`.
fn counted(hits: &[Hit], value: impl Fn(&Hit) -> String) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for hit in hits {
        *counts.entry(value(hit)).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let shown = counts
        .iter()
        .take(6)
        .map(|(value, n)| format!("{value} {n}"));
    shown.collect::<Vec<_>>().join(", ")
}

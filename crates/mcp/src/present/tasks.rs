//! Context for a task, an investigation, a pool of candidates: several answers on one page.

use std::collections::BTreeMap;

use whyrank_engine::api::{
    ContextPiece, ContextResponse, Hit, InvestigateResponse, InvestigatedHit, NeighbourPlace,
};

use super::Style;
use super::page::{Footer, Page, cost, short};
use super::search::hit_line;

/// Share of the page that code may take; the rest is for what surrounds it.
const CODE_SHARE: f64 = 0.75;
/// Lines of code of a piece in the short form.
const MAX_LINES: usize = 40;
const MIN_LINES: usize = 6;

/// Writes the pieces that a task needs: the heads of all, then code from the most needed on.
pub fn context(response: &ContextResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let pieces = &response.pieces;
    // What was decided of the code comes before it: it would be cut first.
    for memo in &response.memos {
        page.line(&super::memory::beside(memo));
    }
    let heads: Vec<String> = pieces.iter().map(around).collect();
    let mut for_code = (page.room() as f64 * CODE_SHARE) as usize;
    let heads_cost: usize = heads.iter().map(|head| cost(head)).sum();
    for_code = for_code.min(page.room().saturating_sub(heads_cost.min(page.room())));
    let mut shown = 0;
    for (piece, head) in pieces.iter().zip(&heads) {
        if !page.line(head) {
            break;
        }
        shown += 1;
        if let Some(code) = code(piece, for_code, style) {
            for_code -= cost(&code).min(for_code);
            page.line(&code);
        }
    }
    page.finish(&Footer {
        shown,
        total: pieces.len(),
        what: "pieces",
        query_id: Some(&response.query_id),
        note: response.notes.first().map(String::as_str),
        ..Footer::default()
    })
}

fn around(piece: &ContextPiece) -> String {
    let mut lines = vec![hit_line(&piece.hit)];
    if !piece.used_by.is_empty() {
        let more = piece.n_used_by as usize - piece.used_by.len();
        let more = if more > 0 {
            format!(" +{more}")
        } else {
            String::new()
        };
        lines.push(format!("  used by {}{more}", neighbours(&piece.used_by)));
    }
    if !piece.uses.is_empty() {
        lines.push(format!("  uses {}", defined(&piece.uses)));
    }
    if !piece.tests.is_empty() {
        let tests: Vec<String> = piece
            .tests
            .iter()
            .map(|test| {
                let name = test.name.as_deref().map(|name| format!(" {}", short(name)));
                format!("{}:{}{}", test.path, test.line, name.unwrap_or_default())
            })
            .collect();
        let more = piece.n_tests as usize - piece.tests.len();
        let more = if more > 0 {
            format!(" +{more}")
        } else {
            String::new()
        };
        lines.push(format!("  tests {}{more}", tests.join(", ")));
    }
    lines.join("\n")
}

/// The code of a piece as far as there is room; none where too little is left to tell anything.
fn code(piece: &ContextPiece, room: usize, style: Style) -> Option<String> {
    let most = if style.detailed {
        usize::MAX
    } else {
        MAX_LINES
    };
    let all: Vec<&str> = piece.text.lines().collect();
    let mut kept: Vec<String> = Vec::new();
    let mut left = room;
    for (line, text) in (piece.hit.start_line..).zip(&all).take(most) {
        let line = format!("  {line}: {}", text.trim_end());
        if cost(&line) + 8 > left {
            break;
        }
        left -= cost(&line);
        kept.push(line);
    }
    if kept.len() < MIN_LINES.min(all.len()) || kept.is_empty() {
        return None;
    }
    if kept.len() < all.len() {
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
        query_id: Some(&response.query_id),
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

//! A review: what to look at first, and why; and hits in a diff.

use whyrank_engine::api::{
    BrokenImports, DiffSearchResponse, MovedFile, ReviewResponse, ReviewedSymbol, RiskKind,
    SymbolChange, UnreadChange,
};

use super::Style;
use super::blocks::some;
use super::page::{Footer, Page, by_path, clip, count, short};
use super::search::hit_line;

const N_CALLERS: usize = 3;
const N_OTHERS: usize = 6;
/// Paths with imports that lead nowhere.
const N_BROKEN: usize = 8;
/// Files named that could not be read.
const N_UNREAD: usize = 3;
const SIGNATURE_CHARS: usize = 140;

/// Writes changed definitions by risk, each with its reasons and the users that did not change.
pub fn review_diff(response: &ReviewResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let symbols = &response.symbols;
    let broken = &response.broken_imports;
    let is_unchanged = symbols.is_empty() && broken.is_empty() && response.others.is_empty();
    if is_unchanged && response.removed_files.is_empty() && response.moved_files.is_empty() {
        let text = format!(
            "nothing changed since {}; give ref=\"main\" to review a branch",
            response.base
        );
        page.head(&text);
        comparison(&mut page, &response.notes, &[], "");
        return page.finish(&Footer::default());
    }
    let risks = symbols.iter().map(|one| one.risk);
    let risks = risks.chain(broken.iter().map(|one| one.risk));
    let highest = risks.fold(0.0, f64::max);
    let n_moved = response.moved_files.len();
    let moved = if n_moved == 0 {
        String::new()
    } else {
        format!("{} moved, ", count(n_moved, "file"))
    };
    page.head(&format!(
        "since {}: {moved}{} in {}, highest risk {highest:.0}/100",
        response.base,
        count(symbols.len(), "definition"),
        count(response.files.len(), "file"),
    ));
    comparison(
        &mut page,
        &response.notes,
        &response.unread,
        &response.without,
    );
    for one in broken.iter().take(N_BROKEN) {
        if !page.line(&broken_line(one)) {
            break;
        }
    }
    if broken.len() > N_BROKEN {
        let more = count(broken.len() - N_BROKEN, "more path");
        page.line(&format!("{more} with imports that lead nowhere now"));
    }
    let shown = symbols
        .iter()
        .take_while(|one| write(&mut page, one, style))
        .count();
    if n_moved > 0 {
        let moved: Vec<String> = response.moved_files.iter().map(moved_words).collect();
        page.line(&format!("moved: {}", some(&moved, N_OTHERS)));
    }
    if !response.removed_files.is_empty() {
        page.line(&format!(
            "removed: {}",
            some(&response.removed_files, N_OTHERS)
        ));
    }
    if !response.others.is_empty() {
        page.line(&format!(
            "also changed: {}",
            some(&response.others, N_OTHERS)
        ));
    }
    let left_out = format!(
        "{} left out by max_files",
        count(response.n_left_out as usize, "file")
    );
    page.finish(&Footer {
        shown,
        total: symbols.len(),
        what: "definitions",
        note: (response.n_left_out > 0).then_some(left_out.as_str()),
        ..Footer::default()
    })
}

/// What to know of a comparison: how it is meant, what could not be read, and of what state the rest is.
pub(super) fn comparison(
    page: &mut Page,
    notes: &[String],
    unread: &[UnreadChange],
    without: &str,
) {
    for note in notes {
        page.line(note);
    }
    for one in unread.iter().take(N_UNREAD) {
        page.line(&format!("not read: {}: {}", one.path, one.reason));
    }
    if unread.len() > N_UNREAD {
        page.line(&format!(
            "not read: {}",
            count(unread.len() - N_UNREAD, "more file")
        ));
    }
    if !without.is_empty() {
        page.line(&format!("users and tests: {}", without_words(without)));
    }
}

/// `users and tests are those of …` after a head that has said so.
fn without_words(without: &str) -> &str {
    without
        .strip_prefix("users and tests are ")
        .unwrap_or(without)
}

/// `66 src/a.py: moved to src/b.py, and 51 files import it still: src/c.py:3, src/d.py:1 +49`.
fn broken_line(one: &BrokenImports) -> String {
    let places = one.importers.iter().take(N_CALLERS);
    let places: Vec<String> = places
        .map(|importer| format!("{}:{}", importer.path, importer.line))
        .collect();
    let more = match one.n_importers as usize - places.len() {
        0 => String::new(),
        n => format!(" +{n}"),
    };
    let n = count(one.n_importers as usize, "file");
    let verb = if one.n_importers == 1 {
        "imports"
    } else {
        "import"
    };
    let what = match &one.now {
        Some(now) if *now == one.path => format!("{n} {verb} it by a path that leads nowhere now"),
        Some(now) => format!("moved to {now}, and {n} {verb} it still"),
        None => format!("it was removed, and {n} {verb} it still"),
    };
    format!(
        "{:.0} {}: {what}: {}{more}",
        one.risk,
        one.path,
        places.join(", ")
    )
}

/// Says whether uses of the definition as it was may lead nowhere now.
fn leaves_users(change: SymbolChange) -> bool {
    matches!(change, SymbolChange::Removed | SymbolChange::Renamed)
}

fn moved_words(one: &MovedFile) -> String {
    let changed = match one.n_lines {
        0 => String::new(),
        n => format!(" ({} changed)", count(n as usize, "line")),
    };
    format!("{} -> {}{changed}", one.from, one.path)
}

/// False, and nothing written, when the first line has no room.
fn write(page: &mut Page, one: &ReviewedSymbol, style: Style) -> bool {
    let symbol = &one.symbol;
    let reasons: Vec<String> = one
        .reasons
        .iter()
        .map(|reason| {
            if style.detailed {
                format!("{} (+{:.0})", reason.text, reason.points)
            } else {
                reason.text.clone()
            }
        })
        .collect();
    let change = match one.change {
        SymbolChange::Changed => String::new(),
        change => match &one.from {
            Some(from) if from.qualified == symbol.qualified => {
                format!(" [moved from {}]", from.path)
            }
            Some(from) => format!(" [renamed from {}]", short(&from.qualified)),
            None => format!(" [{change}]"),
        },
    };
    let why = if reasons.is_empty() {
        String::new()
    } else {
        format!(": {}", reasons.join("; "))
    };
    let line = format!(
        "{:.0} {}:{} {}{change}{why}",
        one.risk,
        symbol.path,
        symbol.name_line,
        short(&symbol.qualified)
    );
    if !page.line(&line) {
        return false;
    }
    if let Some(was) = &one.was {
        page.line(&format!("  was {}", clip(was.trim(), SIGNATURE_CHARS)));
        page.line(&format!(
            "  now {}",
            clip(symbol.signature.trim(), SIGNATURE_CHARS)
        ));
    }
    let most = if style.detailed {
        usize::MAX
    } else {
        N_CALLERS
    };
    let code = one
        .callers
        .iter()
        .filter(|caller| !caller.test || leaves_users(one.change) || one.n_callers == 0);
    let places: Vec<(&str, String)> = code
        .map(|caller| {
            let name = caller.name.as_deref().map(short).unwrap_or_default();
            let place = format!("{} {name}", caller.line);
            (caller.path.as_str(), place.trim_end().to_owned())
        })
        .collect();
    // Who uses it matters where the use may be wrong now.
    let matters = one.reasons.iter().any(|reason| {
        matches!(
            reason.kind,
            RiskKind::Signature | RiskKind::Removed | RiskKind::Callers | RiskKind::Heritage
        )
    });
    if matters && !places.is_empty() {
        let more = (one.n_callers as usize).saturating_sub(places.len().min(most));
        let more = if more > 0 {
            format!(" +{more}")
        } else {
            String::new()
        };
        let shown = by_path(places.into_iter().take(most));
        page.line(&format!("  used at {shown}{more}"));
    }
    true
}

/// Writes hits in a diff as `search` does.
pub fn diff_search(response: &DiffSearchResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    if response.hits.is_empty() {
        let files = count(response.n_files as usize, "file");
        page.head(&match response.n_files {
            0 => format!("nothing changed since {}; give ref=\"main\"", response.base),
            _ => format!("nothing in the diff since {} ({files}) fits", response.base),
        });
        ordered(&mut page, response);
        return page.finish(&Footer::default());
    }
    ordered(&mut page, response);
    let lines = response.hits.iter().map(hit_line);
    let shown = lines.take_while(|line| page.line(line)).count();
    let base = format!("since {}", response.base);
    page.finish(&Footer {
        shown,
        total: response.n_found as usize,
        what: "hits in the diff",
        query_id: style.detailed.then_some(response.query_id.as_str()),
        note: Some(&base),
        ..Footer::default()
    })
}

/// How hits were found where the index does not know the change.
fn ordered(page: &mut Page, response: &DiffSearchResponse) {
    comparison(page, &response.notes, &[], "");
    if !response.without.is_empty() {
        page.line(&response.without);
    }
}

//! Uses of a symbol, grouped by file: `path: 69,124,127; import 3`; and who implements, extends or
//! overrides it.

use std::collections::{BTreeMap, HashMap};

use whyrank_engine::api::{Namesake, PlaceRuling, RefHit, RefsResponse, UseConfidence};

use super::Style;
use super::by_name;
use super::heritage;
use super::page::{Footer, Page, clip, count, span, thousands};
use super::sure::{Certainty, brought, by_name_only};
use super::symbols::{asked_as, near_names};

/// Uses in tests, and in documents, that are listed in their one line; more are only counted.
const N_ASIDE: usize = 8;
/// Places named of a definition that has several: declarations, overloads.
const N_DEFINITIONS: usize = 4;
/// Definitions listed when the name alone does not tell which is meant.
const N_NAMESAKES: usize = 8;
const TEXT_CHARS: usize = 120;
/// This many files need no count.
const FEW_FILES: usize = 3;

/// Writes a symbol's uses, production code first; `list_tests` lists those in tests and documents too.
pub fn refs(symbol: &str, response: &RefsResponse, list_tests: bool, style: Style) -> String {
    if response.references.is_empty() && !(response.heirs.is_empty() && response.bases.is_empty()) {
        return heritage::heirs(symbol, response, style);
    }
    let (aside, code): (Vec<&RefHit>, Vec<&RefHit>) = response
        .references
        .iter()
        .partition(|hit| (hit.test || hit.doc) && !list_tests);
    let (docs, tests): (Vec<&RefHit>, Vec<&RefHit>) = aside.into_iter().partition(|hit| hit.doc);
    let mut page = Page::new(style.budget);
    let certainty = Certainty::new(
        response
            .references
            .iter()
            .filter(|hit| hit.kind != "mention")
            .map(|hit| hit.confidence),
    )
    .of(response.compiled);
    let through = heritage::through(response);
    let unsettled = match (response.n_unsettled, response.are_places_unread) {
        (0, false) => String::new(),
        (0, true) => "; other places of the name not read (mentions=true)".to_owned(),
        (n, _) => format!("; {} unsettled (mentions=true)", thousands(n as usize)),
    };
    let is_all = are_all(response);
    let head = format!(
        "{}{}{through}{unsettled}",
        head_line(&asked_as(symbol, &response.definitions), response, is_all),
        // What is said of uses by name, or of all uses, says how sure it is.
        match response.by_name {
            Some(_) => String::new(),
            None => certainty.head(is_all),
        }
    );
    by_name_only(&mut page, &response.by_name_only);
    brought(&mut page, &response.brought);
    if response.definitions.is_empty() {
        page.head(&undefined(symbol, response));
    } else {
        page.head(&head);
    }
    for line in namesake_lines(&response.namesakes) {
        page.line(&line);
    }
    let aside = [("tests", tests), ("docs", docs)];
    let aside = aside.map(|(what, hits)| (hits.len(), aside_line(what, &hits, &certainty)));
    let lines = if style.detailed {
        code.iter().map(|hit| (1, detailed_line(hit))).collect()
    } else {
        file_lines(&code, &certainty)
    };
    let mut shown = 0;
    for (n_uses, line) in lines {
        if !page.line(&line) {
            break;
        }
        shown += n_uses;
    }
    for (n_uses, line) in aside {
        if line.is_some_and(|line| page.line(&line)) {
            shown += n_uses;
        }
    }
    let mut n_by_name = 0;
    if let Some(found) = &response.by_name {
        shown += by_name::write(&mut page, found);
        n_by_name = found.n_uses as usize;
    }
    page.finish(&Footer {
        shown,
        total: response.references.len() + n_by_name,
        what: "uses",
        ..Footer::default()
    })
}

/// Says whether each place of the name is settled and listed, for each of its definitions.
fn are_all(response: &RefsResponse) -> bool {
    let has_open = response.n_unsettled > 0
        || response.are_places_unread
        || n_listed(response) < response.namesakes.len()
        || response.n_namesakes_left_out > 0;
    let is_settled = |hit: &RefHit| match hit.ruling {
        Some(ruling) => ruling != PlaceRuling::Unsettled,
        None => hit.kind == "mention" || hit.confidence.is_certain(),
    };
    !has_open
        && response.n_other_kinds == 0
        && response.by_name_only.is_empty()
        && response.references.iter().all(is_settled)
}

/// Definitions of the name whose uses are listed: those of the best kind.
fn n_listed(response: &RefsResponse) -> usize {
    let namesakes = response.namesakes.iter();
    let is_listed = |it: &&Namesake| response.definitions.contains(&it.definition);
    namesakes.filter(is_listed).count()
}

/// `is_all`: each place of the name is settled, so that there is no other use.
fn head_line(symbol: &str, response: &RefsResponse, is_all: bool) -> String {
    // A place with a ruling bears the name, and mostly is no use.
    let (ruled, uses): (Vec<&RefHit>, Vec<&RefHit>) = response
        .references
        .iter()
        .partition(|hit| hit.ruling.is_some());
    let n_uses = uses.len();
    let uses = match (n_uses, &response.by_name) {
        (0, Some(found)) => by_name::verdict(found, "use"),
        (n, Some(found)) => format!(
            "{}, {}",
            imports_or_mentions(n),
            by_name::verdict(found, "use")
        ),
        (0, None) if response.n_other_kinds > 0 => format!(
            "no use of that kind, {} of other kinds",
            thousands(response.n_other_kinds as usize)
        ),
        (0, None) => "no uses found".to_owned(),
        // Few files are seen at a glance.
        (_, None) => match (n_files(&uses), is_all) {
            (1, true) if n_uses == 1 => "its only use".to_owned(),
            (0..=FEW_FILES, true) => format!("all {}", count(n_uses, "use")),
            (0..=FEW_FILES, false) => count(n_uses, "use"),
            (n, true) => format!("all {} in {n} files", count(n_uses, "use")),
            (n, false) => format!("{} in {n} files", count(n_uses, "use")),
        },
    };
    let is_unsettled = |hit: &&&RefHit| hit.ruling == Some(PlaceRuling::Unsettled);
    let uses = match (ruled.len(), ruled.iter().filter(is_unsettled).count()) {
        (0, _) => uses,
        (n, 0) => format!("{uses}; {} of the name", count(n, "other place")),
        (n, open) => format!(
            "{uses}; {} of the name, {open} unsettled",
            count(n, "other place")
        ),
    };
    let places = response.definitions.iter().take(N_DEFINITIONS);
    let places: Vec<String> = places
        .map(|definition| span(&definition.path, definition.start_line, definition.end_line))
        .collect();
    match (places.len(), response.namesakes.len()) {
        (0, _) => format!("{symbol}: {uses}"),
        (_, 0) => format!("{symbol} ({}): {uses}", places.join(", ")),
        (_, n) => {
            let n_listed = n_listed(response);
            let of = match n + response.n_namesakes_left_out as usize {
                all if all == n_listed => format!("{all} definitions"),
                all => format!("{n_listed} of {all} definitions"),
            };
            format!("{symbol}: {uses} of {of} (path and line narrow)")
        }
    }
}

/// The definitions that a name may mean, a line each; the rest are only counted.
fn namesake_lines(namesakes: &[Namesake]) -> Vec<String> {
    let line = |namesake: &Namesake| {
        let at = &namesake.definition;
        let maybe = match namesake.n_maybe {
            0 => String::new(),
            n => format!(", {} maybe", thousands(n as usize)),
        };
        format!(
            "= {} {}: {}{maybe}",
            at.qualified,
            span(&at.path, at.start_line, at.end_line),
            count(namesake.n_uses as usize, "use")
        )
    };
    let mut lines: Vec<String> = namesakes.iter().take(N_NAMESAKES).map(line).collect();
    if namesakes.len() > N_NAMESAKES {
        let left_out = &namesakes[N_NAMESAKES..];
        let n_uses: u32 = left_out.iter().map(|namesake| namesake.n_uses).sum();
        let definitions = count(left_out.len(), "definition");
        lines.push(format!(
            "= {definitions} more, {}",
            count(n_uses as usize, "use")
        ));
    }
    lines
}

fn imports_or_mentions(n: usize) -> String {
    match n {
        1 => "1 import or mention".to_owned(),
        n => format!("{} imports or mentions", thousands(n)),
    }
}

/// Says that nothing defines a name, how often it is named all the same, and what is near.
fn undefined(symbol: &str, response: &RefsResponse) -> String {
    let places = count(response.references.len(), "place");
    let near = match response.near.as_slice() {
        [] => String::new(),
        near => format!("; nearest definitions: {}", near_names(near)),
    };
    format!("{symbol}: no definition here, and named at {places}, by name alone{near}")
}

fn n_files(hits: &[&RefHit]) -> usize {
    hits.iter()
        .map(|hit| hit.path.as_str())
        .collect::<std::collections::BTreeSet<_>>()
        .len()
}

/// Uses counted and their line, by file in the order in which the engine gives the files.
fn file_lines(hits: &[&RefHit], certainty: &Certainty) -> Vec<(usize, String)> {
    let mut files: Vec<(&str, Vec<&RefHit>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for hit in hits {
        let place = *places.entry(&hit.path).or_insert(files.len());
        match files.get_mut(place) {
            Some((_, in_file)) => in_file.push(hit),
            None => files.push((&hit.path, vec![hit])),
        }
    }
    files
        .iter()
        .map(|(path, in_file)| (in_file.len(), file_line(path, in_file, certainty)))
        .collect()
}

/// Calls and other uses need no word; what merely passes the name on is marked with its kind, and what
/// only the name suggests with a "maybe".
fn file_line(path: &str, hits: &[&RefHit], certainty: &Certainty) -> String {
    let mut by_kind: BTreeMap<(&str, String), Vec<u32>> = BTreeMap::new();
    for hit in hits {
        let kind = match (hit.ruling, hit.kind.as_str()) {
            (Some(ruling), _) => ruling_words(ruling, &hit.because),
            (None, "call" | "read" | "write" | "type" | "inherit" | "decorator") => String::new(),
            (None, kind) => kind.to_owned(),
        };
        let word = match hit.kind.as_str() {
            "mention" => "",
            _ => certainty.word(hit.confidence.is_certain()),
        };
        let lines = by_kind.entry((word, kind)).or_default();
        if lines.last() != Some(&hit.line) {
            lines.push(hit.line);
        }
    }
    let group = |((word, kind), lines): (&(&str, String), &Vec<u32>)| {
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        let kind = if kind.is_empty() {
            String::new()
        } else {
            format!("{kind} ")
        };
        format!("{word}{kind}{}", lines.join(","))
    };
    let groups: Vec<String> = by_kind.iter().map(group).collect();
    format!("{path}: {}", groups.join("; "))
}

/// A ruling as it stands before its lines: `elsewhere: Cart.add (src/cart.py:4) at`.
fn ruling_words(ruling: PlaceRuling, because: &str) -> String {
    match because {
        "" => ruling.to_string(),
        because => format!("{ruling}: {because} at"),
    }
}

fn aside_line(what: &str, hits: &[&RefHit], certainty: &Certainty) -> Option<String> {
    match hits.len() {
        0 => None,
        1..=N_ASIDE => {
            let files: Vec<String> = file_lines(hits, certainty)
                .into_iter()
                .map(|(_, line)| line)
                .collect();
            Some(format!("{what}: {}", files.join("; ")))
        }
        n => {
            let files = file_lines(hits, certainty).len();
            let uses = if what == "docs" { "mentions" } else { "uses" };
            Some(format!(
                "{what}: {n} {uses} in {} (tests=true lists them)",
                count(files, "file")
            ))
        }
    }
}

fn detailed_line(hit: &RefHit) -> String {
    let enclosing = hit
        .enclosing
        .as_ref()
        .map(|name| format!(" in {name}"))
        .unwrap_or_default();
    let confidence = match (hit.ruling, hit.confidence) {
        (Some(ruling), _) if hit.because.is_empty() => format!(" ({ruling})"),
        (Some(ruling), _) => format!(" ({ruling}: {})", hit.because),
        (None, UseConfidence::Resolved) => String::new(),
        (None, confidence) => format!(" ({confidence})"),
    };
    let text = clip(hit.text.trim(), TEXT_CHARS);
    format!(
        "{}:{} {}{enclosing}{confidence}\n  {text}",
        hit.path, hit.line, hit.kind
    )
}

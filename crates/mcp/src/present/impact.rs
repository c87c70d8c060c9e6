//! Who depends on a symbol, and how one reaches another: a block a step, a line a file.

use whyrank_engine::api::{
    CallPathResponse, CallStep, CoverageReport, ImpactHit, ImpactResponse, RefHit, Relation,
    UseConfidence,
};

use super::Style;
use super::by_name;
use super::page::{Footer, Page, clip, count, short, span, thousands};
use super::sure::{Certainty, brought, by_name_only};
use super::symbols::asked_as;

/// Callers in tests that are listed in their one line; more are only counted.
const N_TEST_CALLERS: usize = 6;
/// From this many callers of a distance on that only the name suggests, they stand by their names.
const MANY_UNSURE: usize = 8;
/// Of a note on a profile or trace.
const NOTE_CHARS: usize = 160;
/// Files named of places that nothing settles.
const N_UNSETTLED_FILES: usize = 6;
/// Files named of callers of one name.
const N_PLACES: usize = 3;

/// Writes a symbol's callers by distance, those that only the name suggests by their names; those in
/// tests in one line.
pub fn impact(symbol: &str, response: &ImpactResponse, style: Style) -> String {
    let (tests, code): (Vec<&ImpactHit>, Vec<&ImpactHit>) =
        response.callers.iter().partition(|hit| hit.test);
    let mut page = Page::new(style.budget);
    let said = response.callers.iter().map(|hit| hit.confidence);
    let outside = response.outside.iter().map(|hit| hit.confidence);
    let certainty = Certainty::new(said.chain(outside)).of(response.compiled);
    let asked = asked_as(symbol, &response.definitions);
    let head = impact_head(&asked, response, code.len());
    by_name_only(&mut page, &response.by_name_only);
    brought(&mut page, &response.brought);
    page.head(&format!(
        "{head}{}{}",
        certainty.head(false),
        n_unsettled(response)
    ));
    let mut shown = 0;
    let mut way = String::new();
    for of_step in code.chunk_by(|a, b| a.depth == b.depth) {
        let step = of_step[0].depth;
        let head = format!("{step} {}:", if step == 1 { "step" } else { "steps" });
        let has_head = response.depth > 1;
        if has_head && !page.line(&head) {
            break;
        }
        for (at, hits) in by_way(of_step).into_iter().enumerate() {
            let now = way_of(hits[0]);
            let is_told = now == way || (now.is_empty() && has_head && at == 0);
            if !is_told && !page.line(&way_line(&now, hits[0].relation == Relation::Through)) {
                break;
            }
            way = now;
            for (n_callers, line) in step_lines(&hits, &certainty, style) {
                if page.line(&line) {
                    shown += n_callers;
                }
            }
        }
    }
    if test_line(&tests, &certainty).is_some_and(|line| page.line(&line)) {
        shown += tests.len();
    }
    for (n_uses, line) in outside_lines(response, &certainty) {
        if page.line(&line) {
            shown += n_uses;
        }
    }
    if !response.unsettled.is_empty() {
        page.line(&unsettled_line(response));
    }
    run_lines(&mut page, &response.runs);
    let mut n_by_name = 0;
    if let Some(found) = &response.by_name {
        shown += by_name::write(&mut page, found);
        n_by_name = found.n_uses as usize;
    }
    page.finish(&Footer {
        shown,
        total: response.callers.len() + response.outside.len() + n_by_name,
        what: "callers",
        ..Footer::default()
    })
}

/// The callers of a distance, counted: a line a file; of many that only the name suggests, a line a
/// name.
fn step_lines(hits: &[&ImpactHit], certainty: &Certainty, style: Style) -> Vec<(usize, String)> {
    let (sure, unsure): (Vec<&ImpactHit>, Vec<&ImpactHit>) =
        hits.iter().partition(|hit| hit.confidence.is_certain());
    let of_files = |hits: &[&ImpactHit]| -> Vec<(usize, String)> {
        let files = by_file(hits).into_iter();
        files
            .map(|(path, hits)| (hits.len(), caller_line(path, &hits, certainty, style)))
            .collect()
    };
    if style.detailed || unsure.len() < MANY_UNSURE {
        return of_files(hits);
    }
    let mut lines = of_files(&sure);
    lines.extend(name_lines(&unsure, word_of(unsure[0], certainty)));
    lines
}

/// Callers that come the same way together, in the order of the first.
fn by_way<'a>(hits: &[&'a ImpactHit]) -> Vec<Vec<&'a ImpactHit>> {
    let mut ways: Vec<Vec<&ImpactHit>> = Vec::new();
    for hit in hits {
        match ways
            .iter_mut()
            .find(|known| way_of(known[0]) == way_of(hit))
        {
            Some(known) => known.push(hit),
            None => ways.push(vec![hit]),
        }
    }
    ways
}

/// The word before a caller; the line above those that a base leads to has said that they are possible.
fn word_of(hit: &ImpactHit, certainty: &Certainty) -> &'static str {
    match hit.relation {
        Relation::Through => "",
        _ => certainty.word(hit.confidence.is_certain()),
    }
}

/// Callers of one name together: `maybe eq in src/a.rs:12, src/b.rs:4 +26`.
fn name_lines(hits: &[&ImpactHit], word: &str) -> Vec<(usize, String)> {
    let mut names: Vec<(&str, Vec<&ImpactHit>)> = Vec::new();
    for hit in hits {
        match names.iter_mut().find(|(name, _)| *name == hit.caller.name) {
            Some((_, known)) => known.push(hit),
            None => names.push((&hit.caller.name, vec![hit])),
        }
    }
    let line = |(name, hits): (&str, Vec<&ImpactHit>)| {
        let files = by_file(&hits);
        let places = files.iter().take(N_PLACES).map(|(path, hits)| {
            let lines = hits.iter().map(|hit| hit.caller.name_line.to_string());
            format!("{path}:{}", lines.collect::<Vec<_>>().join(","))
        });
        let more = match files.len().saturating_sub(N_PLACES) {
            0 => String::new(),
            more => format!(" +{} (format=detailed lists them)", count(more, "file")),
        };
        let places = places.collect::<Vec<_>>().join(", ");
        (hits.len(), format!("{word}{name} in {places}{more}"))
    };
    names.into_iter().map(line).collect()
}

fn impact_head(symbol: &str, response: &ImpactResponse, n_code: usize) -> String {
    let n_outside = response.outside.len();
    let callers = match (response.callers.len(), n_code) {
        (0, _) => match (&response.by_name, n_outside) {
            (Some(found), _) => by_name::verdict(found, "caller"),
            (None, 0) => "no callers found".to_owned(),
            (None, n) => format!("{} outside of definitions", count(n, "use")),
        },
        (all, code) => {
            let tests = some(all - code, |n| format!(" + {n} in tests"));
            let outside = |n| format!(" + {} outside of definitions", count(n, "use"));
            let outside = some(n_outside, outside);
            format!("{}{tests}{outside}", count(code, "caller"))
        }
    };
    let within = match response.depth {
        1 => String::new(),
        depth => format!(" within {depth} steps"),
    };
    match response.definitions.as_slice() {
        [one] => {
            let place = span(&one.path, one.start_line, one.end_line);
            format!("{symbol} ({place}): {callers}{within}")
        }
        several => format!(
            "{symbol}: {callers}{within} of {} definitions; narrow by path and line",
            several.len()
        ),
    }
}

fn some(n: usize, words: impl Fn(usize) -> String) -> String {
    match n {
        0 => String::new(),
        n => words(n),
    }
}

/// What the head says of places that nothing settles; where no use is certain, it has said so.
fn n_unsettled(response: &ImpactResponse) -> String {
    match (response.n_unsettled, &response.by_name) {
        (_, Some(_)) => String::new(),
        (0, None) if response.are_places_unread => "; other places of the name not read".to_owned(),
        (0, None) => String::new(),
        (n, None) => format!("; {} unsettled", thousands(n as usize)),
    }
}

/// Places that nothing settles, a few files of them: `unsettled: src/a.ts:12,40; src/b.ts:3 +9 …`.
fn unsettled_line(response: &ImpactResponse) -> String {
    let files: Vec<&[RefHit]> = response
        .unsettled
        .chunk_by(|a, b| a.path == b.path)
        .take(N_UNSETTLED_FILES)
        .collect();
    let n_shown: usize = files.iter().map(|hits| hits.len()).sum();
    let places = files.iter().map(|hits| {
        let mut lines: Vec<String> = hits.iter().map(|hit| hit.line.to_string()).collect();
        lines.dedup();
        format!("{}:{}", hits[0].path, lines.join(","))
    });
    let places = places.collect::<Vec<_>>().join("; ");
    let more = some(
        (response.n_unsettled as usize).saturating_sub(n_shown),
        |n| format!(" +{} (refs with mentions=true lists them)", thousands(n)),
    );
    format!("unsettled, by name: {places}{more}")
}

/// How callers come by the symbol, where they do not just use it.
fn way_of(hit: &ImpactHit) -> String {
    match hit.relation {
        Relation::Uses => String::new(),
        Relation::Through => format!("by {}", hit.uses),
        relation => relation.to_string(),
    }
}

/// Says once what the lines below it are.
fn way_line(way: &str, is_through: bool) -> String {
    match way {
        "" => "by use:".to_owned(),
        way if is_through => format!("{way} (possible):"),
        way => format!("{way} it:"),
    }
}

fn is_alike(one: &ImpactHit, other: &ImpactHit) -> bool {
    one.depth == other.depth && way_of(one) == way_of(other)
}

/// Callers of one distance and file together, in the order of the first.
fn by_file<'a>(hits: &[&'a ImpactHit]) -> Vec<(&'a str, Vec<&'a ImpactHit>)> {
    let mut files: Vec<(&str, Vec<&ImpactHit>)> = Vec::new();
    for hit in hits {
        let known = files
            .iter_mut()
            .find(|(path, known)| *path == hit.caller.path && is_alike(known[0], hit));
        match known {
            Some((_, known)) => known.push(hit),
            None => files.push((&hit.caller.path, vec![hit])),
        }
    }
    // What comes the same way stands together, in the order of the first.
    let ways: Vec<(u32, String)> = files
        .iter()
        .map(|(_, hits)| (hits[0].depth, way_of(hits[0])))
        .collect();
    files.sort_by_key(|(_, hits)| {
        let way = (hits[0].depth, way_of(hits[0]));
        (way.0, ways.iter().position(|known| *known == way))
    });
    files
}

fn caller_line(path: &str, hits: &[&ImpactHit], certainty: &Certainty, style: Style) -> String {
    let callers = hits.iter().map(|hit| {
        let word = word_of(hit, certainty);
        let name = if style.detailed {
            &hit.caller.qualified
        } else {
            short(&hit.caller.qualified)
        };
        let is_seen = hit.confidence == UseConfidence::Observed || style.detailed;
        let ran = match hit.ran.as_str() {
            ran if is_seen && !ran.is_empty() => format!(" ({ran})"),
            _ => String::new(),
        };
        let caller = format!("{word}{} {name}{ran}", hit.caller.name_line);
        if style.detailed {
            format!(
                "{caller} uses {} at line {} (rank {:.2})",
                hit.uses, hit.line, hit.rank
            )
        } else {
            caller
        }
    });
    let callers: Vec<String> = callers.collect();
    if style.detailed {
        format!("{path}:\n  {}", callers.join("\n  "))
    } else {
        format!("{path}: {}", callers.join(", "))
    }
}

/// Uses outside of definitions, a line a file: `outside of definitions: test/a.spec.ts:12, 40`.
fn outside_lines(response: &ImpactResponse, certainty: &Certainty) -> Vec<(usize, String)> {
    let of_files = response.outside.chunk_by(|a, b| a.path == b.path);
    let line = |(at, hits): (usize, &[RefHit])| {
        let mut lines: Vec<(u32, &str)> = hits
            .iter()
            .map(|hit| (hit.line, certainty.word(hit.confidence.is_certain())))
            .collect();
        lines.dedup_by_key(|(line, _)| *line);
        let lines: Vec<String> = lines
            .iter()
            .map(|(line, word)| format!("{word}{line}"))
            .collect();
        let head = if at == 0 {
            "outside of definitions: "
        } else {
            "  "
        };
        (
            hits.len(),
            format!("{head}{}:{}", hits[0].path, lines.join(", ")),
        )
    };
    of_files.enumerate().map(line).collect()
}

fn test_line(tests: &[&ImpactHit], certainty: &Certainty) -> Option<String> {
    match tests.len() {
        0 => None,
        1..=N_TEST_CALLERS => {
            let concise = Style::concise(0);
            let files: Vec<String> = by_file(tests)
                .iter()
                .map(|(path, hits)| caller_line(path, hits, certainty, concise))
                .collect();
            Some(format!("tests: {}", files.join("; ")))
        }
        n => {
            let files = by_file(tests).len();
            Some(format!("tests: {n} callers in {}", count(files, "file")))
        }
    }
}

/// Writes the shortest paths, a line a step.
pub fn call_path(from: &str, to: &str, response: &CallPathResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    brought(&mut page, &response.brought);
    let (start, end) = if response.reversed {
        (to, from)
    } else {
        (from, to)
    };
    let head = match (response.paths.first(), response.reversed) {
        (None, _) if !response.imports.is_empty() => {
            let n_steps = count(response.imports.len() - 1, "import");
            format!("no certain chain between {from} and {to}; {start} -> {end} by {n_steps}")
        }
        (None, _) => format!("no certain chain between {from} and {to}"),
        (Some(path), reversed) => {
            let n_guessed = path.iter().filter(|step| is_guess(step)).count();
            let note = match (reversed, n_guessed) {
                (true, _) => format!("no certain chain from {from} to {to}; the other way: "),
                (false, 0) => String::new(),
                (false, n) => {
                    let n = count(n, "step");
                    format!("no certain chain; with {n} by name alone: ")
                }
            };
            let n_steps = count(path.len() - 1, "step");
            format!("{note}{start} -> {end}: {n_steps}")
        }
    };
    let steps = response.paths.iter().flatten();
    let steps = steps.filter(|step| step.line.is_some());
    let certainty = Certainty::new(steps.map(|step| step.confidence));
    // The head has said whether a chain is certain.
    page.head(&format!("{head}{}", certainty.precise()));
    for step in &response.imports {
        let at = step.line.map(|line| format!(":{line}"));
        page.line(&format!("  {}{}", step.path, at.unwrap_or_default()));
    }
    let mut shown = 0;
    let mut first: Vec<String> = Vec::new();
    for (at, path) in response.paths.iter().enumerate() {
        let lines: Vec<String> = path
            .iter()
            .map(|step| step_line(step, &certainty))
            .collect();
        let fits = match at {
            0 => lines.iter().all(|line| page.line(line)),
            _ => page.line(&other_way(&first, &lines)),
        };
        if !fits {
            break;
        }
        if at == 0 {
            first = lines;
        }
        shown += 1;
    }
    run_lines(&mut page, &response.runs);
    page.finish(&Footer {
        shown,
        total: response.paths.len(),
        what: "paths",
        ..Footer::default()
    })
}

/// What profiles and traces could not say.
fn run_lines(page: &mut Page, runs: &[CoverageReport]) {
    for run in runs.iter().filter(|run| !run.notes.is_empty()) {
        let notes: Vec<String> = run
            .notes
            .iter()
            .map(|note| clip(note, NOTE_CHARS))
            .collect();
        page.line(&format!("{}: {}", run.path, notes.join("; ")));
    }
}

fn is_guess(step: &CallStep) -> bool {
    step.line.is_some() && !step.confidence.is_certain()
}

/// Another way, from where it leaves the first to where it meets it again.
fn other_way(first: &[String], lines: &[String]) -> String {
    let n_same = same(first.iter(), lines.iter());
    let n_end = same(first.iter().rev(), lines.iter().rev());
    let end = lines.len().saturating_sub(n_end).max(n_same);
    let from = match n_same {
        0 => "or".to_owned(),
        n => format!("or, from step {n} on"),
    };
    let own = lines[n_same..end].iter().map(|line| format!("\n{line}"));
    format!("{from}:{}", own.collect::<String>())
}

fn same<'a>(
    one: impl Iterator<Item = &'a String>,
    other: impl Iterator<Item = &'a String>,
) -> usize {
    one.zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

fn step_line(step: &CallStep, certainty: &Certainty) -> String {
    let place = format!("{}:{}", step.symbol.path, step.symbol.name_line);
    let word = certainty.word(step.confidence.is_certain()).trim_end();
    let word = if word.is_empty() { "" } else { ", maybe" };
    let at = match step.line {
        Some(line) if step.confidence != UseConfidence::Observed => {
            format!(" -> at {line}{word}")
        }
        Some(line) => format!(" -> at {line}, {}", step.ran),
        None if !step.ran.is_empty() => format!(" -> {}", step.ran),
        None if step.confidence == UseConfidence::Possible => " -> possibly".to_owned(),
        None => String::new(),
    };
    format!("  {place} {}{at}", short(&step.symbol.qualified))
}

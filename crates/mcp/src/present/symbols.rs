//! Definitions: a line each.

use whyrank_engine::api::{LookupResponse, SymbolLine, UnreadFile};

use super::Style;
use super::page::{Footer, Page, signature, span};

const SIGNATURE_CHARS: usize = 160;
const N_NEAR: usize = 5;
/// Definitions in an answer of the usual size; a larger one has more.
const FEW_DEFINITIONS: usize = 20;
const TOKENS_A_DEFINITION: usize = 100;

/// Writes definitions, best first: `path:43-60 kind signature`.
pub fn lookup(response: &LookupResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    let definitions = &response.definitions;
    if let Some(unread) = unread(&response.unread) {
        page.head(&format!("none is spelled like that here, but {unread}"));
    }
    let lines = definitions.iter().map(|definition| {
        if style.detailed {
            detailed_line(definition)
        } else {
            definition_line(definition)
        }
    });
    let most = FEW_DEFINITIONS.max(style.budget as usize / TOKENS_A_DEFINITION);
    let lines = lines.take(most);
    let shown = lines.take_while(|line| page.line(line)).count();
    if shown == 0
        && let Some(first) = definitions.first()
    {
        page.head(&definition_line(first));
    }
    super::memory::beside(&mut page, &response.memos, response.memory_gap.as_deref());
    let shown = shown.max(1).min(definitions.len());
    let total = definitions.len().max(response.n_definitions as usize);
    page.finish(&Footer {
        shown,
        total,
        what: "definitions",
        note: (shown < total).then_some("Owner.name, kind or path narrows"),
        ..Footer::default()
    })
}

/// Says which files hold a name and were not read whole.
pub fn unread(files: &[UnreadFile]) -> Option<String> {
    let of = |is_left_out: bool| -> Vec<&str> {
        let files = files.iter().filter(|file| file.is_left_out == is_left_out);
        files.map(|file| file.path.as_str()).collect()
    };
    let said = [
        (true, "too large for the index"),
        (false, "parsed only in part"),
    ];
    let said = said
        .into_iter()
        .filter_map(|(is_left_out, why)| match of(is_left_out).as_slice() {
            [] => None,
            [one] => Some(format!("{one}, {why}, holds the name")),
            several => Some(format!("{}, {why}, hold the name", several.join(", "))),
        });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// Lines that a name may stand below the beginning of its definition.
const NEAR_LINES: u32 = 3;

/// Where a definition is: its lines, with the line of its name first where that lies far below the
/// beginning (the end of a C `typedef struct`, a function under many decorators).
fn place_of(definition: &SymbolLine) -> String {
    let SymbolLine {
        path,
        start_line,
        end_line,
        name_line,
        ..
    } = definition;
    if *name_line > start_line + NEAR_LINES {
        format!("{path}:{name_line} (lines {start_line}-{end_line})")
    } else {
        span(path, *start_line, *end_line)
    }
}

/// One definition; the qualified name stands in where the signature does not have it.
pub(super) fn definition_line(definition: &SymbolLine) -> String {
    let place = place_of(definition);
    let signature = signature(&definition.signature, SIGNATURE_CHARS);
    let kind = if names_kind(&signature, &definition.kind) {
        String::new()
    } else {
        format!("{} ", definition.kind)
    };
    let is_member = definition.qualified != definition.name;
    let name = if is_member && !signature.contains(&definition.qualified) {
        format!("{}: ", definition.qualified)
    } else {
        String::new()
    };
    format!("{place} {kind}{name}{signature}")
}

/// Whether a signature says its kind itself: `export function f()`.
pub(super) fn names_kind(signature: &str, kind: &str) -> bool {
    signature
        .split_whitespace()
        .take(4)
        .any(|word| word == kind)
}

fn detailed_line(definition: &SymbolLine) -> String {
    let visibility = if definition.exported {
        "exported"
    } else {
        "internal"
    };
    format!(
        "{}\n  {} {visibility}",
        definition_line(definition),
        definition.qualified
    )
}

/// A name as it was asked for; where only another case of it is defined, with that.
pub(super) fn asked_as(symbol: &str, definitions: &[SymbolLine]) -> String {
    let asked = symbol.rsplit(['.', ':', '#', '/', '\\']).next();
    let asked = asked.unwrap_or(symbol);
    let is_other =
        |one: &SymbolLine| one.name != asked && one.name.to_lowercase() == asked.to_lowercase();
    match definitions.first() {
        Some(first) if definitions.iter().all(is_other) => {
            format!("{symbol}, taken for {}", first.qualified)
        }
        _ => symbol.to_owned(),
    }
}

/// Returns the nearest names, each once with the place of its best definition, for an error's hint.
pub fn near_names(near: &[SymbolLine]) -> String {
    let mut distinct: Vec<&SymbolLine> = Vec::new();
    for definition in near {
        if distinct
            .iter()
            .all(|other| other.qualified != definition.qualified)
        {
            distinct.push(definition);
        }
    }
    let names = distinct.iter().take(N_NEAR).map(|definition| {
        format!(
            "{} ({}:{})",
            definition.qualified, definition.path, definition.name_line
        )
    });
    names.collect::<Vec<_>>().join(", ")
}

//! Whether a SCIP document was made from a text: its ranges must hit identifiers of it.

use std::collections::HashMap;

use whyrank_external::scip::{Document, Encoding, Occurrence, Role, Symbol};

/// A document with more misses than one in so many occurrences is of another text.
const MISSES: usize = 20;

/// An occurrence in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// Line, from 1.
    pub(crate) line: u32,
    /// Byte column in the line, from 0.
    pub(crate) column: u32,
    pub(crate) text: String,
    pub(crate) symbol: u32,
    pub(crate) role: Role,
    /// The text is the symbol's name, as far as that is one.
    pub(crate) is_named: bool,
    /// A parenthesis follows.
    pub(crate) is_call: bool,
}

/// The occurrences that stand on identifiers; `None` when the document is of another text.
pub(crate) fn fit(document: &Document, symbols: &[Symbol], text: &str) -> Option<Vec<Placed>> {
    let lines: Vec<&str> = text.lines().collect();
    let encodings = match &document.encoding {
        Some(encoding) => std::slice::from_ref(encoding),
        None => &[Encoding::Utf16, Encoding::Utf32, Encoding::Utf8],
    };
    encodings
        .iter()
        .find_map(|encoding| fit_in(document, symbols, &lines, *encoding))
}

/// Says whether an occurrence stands under its symbol's name; indexers number those that come again
/// (`INIT0`), and what is no identifier (`<constructor>`) stands under other words.
fn bears(one: &Placed, name: &str) -> bool {
    let rest = name.strip_prefix(one.text.as_str());
    rest.is_some_and(|rest| rest.chars().all(|char| char.is_ascii_digit())) || !is_identifier(name)
}

enum SymbolMatch {
    Identifier(Placed),
    /// A string, an operator, an empty range: nothing that a name could mean.
    Elsewhere,
    Miss,
}

fn fit_in(
    document: &Document,
    symbols: &[Symbol],
    lines: &[&str],
    encoding: Encoding,
) -> Option<Vec<Placed>> {
    let mut placed = Vec::with_capacity(document.occurrences.len());
    let mut n_misses = 0;
    for occurrence in &document.occurrences {
        match hit(occurrence, lines, encoding) {
            SymbolMatch::Identifier(one) => placed.push(one),
            SymbolMatch::Elsewhere => {}
            SymbolMatch::Miss => n_misses += 1,
        }
    }
    // A definition stands under its own name, and a local is called everywhere as where it is
    // declared. One that is declared nowhere (`module.exports` of JavaScript) says nothing.
    let name_of = |one: &Placed| {
        symbols
            .get(one.symbol as usize)
            .map(|symbol| symbol.name.as_str())
    };
    let is_local = |one: &Placed| name_of(one) == Some("");
    let mut locals: HashMap<u32, String> = HashMap::new();
    for one in placed
        .iter()
        .filter(|one| one.role == Role::Definition && is_local(one))
    {
        locals.entry(one.symbol).or_insert_with(|| one.text.clone());
    }
    placed.retain(|one| !is_local(one) || locals.contains_key(&one.symbol));
    let n_placed = placed.len();
    placed.retain(|one| match name_of(one) {
        Some("") => locals[&one.symbol] == one.text,
        Some(name) => one.role != Role::Definition || bears(one, name),
        None => false,
    });
    n_misses += n_placed - placed.len();
    if n_misses * MISSES > document.occurrences.len() {
        return None;
    }
    for one in &mut placed {
        let name = &symbols[one.symbol as usize].name;
        one.is_named = name.is_empty() || bears(one, name);
    }
    if n_misses > 0 {
        // Elsewhere a name may be an alias of another; in a text that has changed it is damage.
        placed.retain(|one| one.is_named);
    }
    Some(placed)
}

fn hit(occurrence: &Occurrence, lines: &[&str], encoding: Encoding) -> SymbolMatch {
    // A module starts at an empty range, in an empty file, too.
    if occurrence.start == occurrence.end {
        return SymbolMatch::Elsewhere;
    }
    let line = occurrence.line.checked_sub(1);
    let Some(line) = line.and_then(|line| lines.get(line as usize)) else {
        return SymbolMatch::Miss;
    };
    let start = byte_at(line, occurrence.start, encoding);
    let end = byte_at(line, occurrence.end, encoding);
    let (Some(start), Some(end)) = (start, end) else {
        return SymbolMatch::Miss;
    };
    let (before, text, after) = (&line[..start], &line[start..end], &line[end..]);
    let (Some(first), Some(last)) = (text.chars().next(), text.chars().next_back()) else {
        return SymbolMatch::Elsewhere;
    };
    match (is_part(first), is_part(last)) {
        (true, true) => {}
        (false, false) => return SymbolMatch::Elsewhere,
        // `#field`, `'a`, `empty?`: names of a kind. `(one` is a range of another text.
        _ if [first, last].iter().any(|char| "#@'!?=".contains(*char)) => {
            return SymbolMatch::Elsewhere;
        }
        _ => return SymbolMatch::Miss,
    }
    let is_cut = before.chars().next_back().is_some_and(is_part)
        || after.chars().next().is_some_and(is_part);
    if is_cut {
        return SymbolMatch::Miss;
    }
    if is_identifier(text) {
        SymbolMatch::Identifier(Placed {
            line: occurrence.line,
            column: start as u32,
            text: text.to_owned(),
            symbol: occurrence.symbol,
            role: occurrence.role,
            is_named: true,
            is_call: after.starts_with('('),
        })
    } else {
        SymbolMatch::Elsewhere
    }
}

/// The byte at which a column starts; `None` beyond the line.
fn byte_at(line: &str, column: u32, encoding: Encoding) -> Option<usize> {
    let column = column as usize;
    if encoding == Encoding::Utf8 || line.is_ascii() {
        return line.is_char_boundary(column).then_some(column);
    }
    let mut units = 0;
    for (at, char) in line.char_indices() {
        if units >= column {
            return (units == column).then_some(at);
        }
        units += match encoding {
            Encoding::Utf16 => char.len_utf16(),
            _ => 1,
        };
    }
    (units == column).then_some(line.len())
}

fn is_part(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$')
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_part)
}

//! Values in a column whose head says that they are secrets: CSV, tables in prose, SQL's `INSERT`.

use super::mark::Found;
use super::place::SecretContext;
use super::secret_names::{SecretKind, kind_by_name};
use super::strike::range_of;
use super::values::is_secret;
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// Longer rows are data, not a table that a person keeps.
const MOST_ROW: usize = 4000;
/// Bytes of an `INSERT` that are read.
const MOST_INSERT: usize = 1 << 16;

/// Secrets in the columns of a text.
pub(super) fn find(place: SecretContext, path: &str, text: &[u8], found: &mut Found) {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    if matches!(extension, "csv" | "tsv" | "psv") {
        let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let n_of = |sign: &u8| first.iter().filter(|byte| *byte == sign).count();
        let sign = *b",;\t|"
            .iter()
            .max_by_key(|sign| n_of(sign))
            .unwrap_or(&b',');
        table(place, text, text.split(|byte| *byte == b'\n'), sign, found);
    } else if memchr::memmem::find(text, b"|-").is_some()
        || memchr::memmem::find(text, b"| -").is_some()
    {
        of_prose(place, text, found);
    }
    inserted(place, text, found);
}

/// Rows under their heads: those that name a secret are judged.
fn table<'a>(
    place: SecretContext,
    text: &'a [u8],
    mut rows: impl Iterator<Item = &'a [u8]>,
    sign: u8,
    found: &mut Found,
) {
    let heads: Vec<Option<SecretKind>> = match rows.next() {
        Some(row) if row.len() <= MOST_ROW => cells(row, sign).map(kind_by_name).collect(),
        _ => return,
    };
    if heads.iter().all(Option::is_none) {
        return;
    }
    for row in rows.filter(|row| row.len() <= MOST_ROW) {
        for (cell, head) in cells(row, sign).zip(&heads) {
            judge(place, text, cell, *head, found);
        }
    }
}

fn judge(
    place: SecretContext,
    text: &[u8],
    cell: &[u8],
    head: Option<SecretKind>,
    found: &mut Found,
) {
    // As a literal of code: a column may hold words.
    let place = match place {
        SecretContext::Settings => SecretContext::Code,
        other => other,
    };
    if head.is_some_and(|told| is_secret(cell, told, place)) {
        found.push(range_of(text, cell));
    }
}

/// The cells of a row, without quotes and blanks.
fn cells(row: &[u8], sign: u8) -> impl Iterator<Item = &[u8]> {
    row.split(move |byte| *byte == sign).map(|cell| {
        let is_around = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`*".contains(byte);
        let start = cell.iter().take_while(|byte| is_around(byte)).count();
        let cell = &cell[start..];
        let n_after = cell.iter().rev().take_while(|byte| is_around(byte)).count();
        &cell[..cell.len() - n_after]
    })
}

/// Tables of Markdown and its kin: rows that begin with `|`, the second of them a rule.
fn of_prose(place: SecretContext, text: &[u8], found: &mut Found) {
    let is_row = |line: &&[u8]| line.trim_ascii_start().starts_with(b"|");
    let mut lines = text.split(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let is_rule = |line: &&[u8]| {
            let mut bytes = line.iter();
            is_row(line) && bytes.all(|byte| b"|-: \r".contains(byte))
        };
        if is_row(&line) && lines.peek().is_some_and(is_rule) {
            let rows = std::iter::once(line);
            let rows = rows.chain(std::iter::from_fn(|| lines.next_if(is_row)));
            table(place, text, rows, b'|', found);
        }
    }
}

static INSERTS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let finder = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(["insert into"]);
    finder.expect("a short text")
});

/// `INSERT INTO users (name, password) VALUES ('bob', 'x'), …`.
fn inserted(place: SecretContext, text: &[u8], found: &mut Found) {
    for start in INSERTS.find_iter(text) {
        let rest = &text[start.end()..text.len().min(start.end() + MOST_INSERT)];
        let mut lists = Lists { rest };
        let Some(heads) = lists.next() else { continue };
        let heads: Vec<_> = heads.into_iter().map(kind_by_name).collect();
        if heads.iter().any(Option::is_some) {
            for row in lists {
                for (cell, head) in row.into_iter().zip(&heads) {
                    judge(place, text, cell, *head, found);
                }
            }
        }
    }
}

/// Lists in parentheses up to the end of a statement.
struct Lists<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Lists<'a> {
    type Item = Vec<&'a [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        let open = self.rest.iter().position(|byte| b"(;".contains(byte))?;
        if self.rest[open] == b';' {
            return None;
        }
        let list = &self.rest[open + 1..];
        let (mut from, mut in_quotes, mut depth) = (0, false, 0);
        let mut items = Vec::new();
        for (at, byte) in list.iter().enumerate() {
            match byte {
                b'\'' => in_quotes = !in_quotes,
                _ if in_quotes => {}
                b'(' => depth += 1,
                b',' | b')' if depth == 0 => {
                    items.extend(cells(&list[from..at], b'\0').next());
                    from = at + 1;
                    if *byte == b')' {
                        self.rest = &list[from..];
                        return Some(items);
                    }
                }
                b')' => depth -= 1,
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_under_a_telling_head_are_found() {
        for (path, text) in [
            ("a.csv", "name;\"password\"\nbob;\"Zq8tLx3nBw7Rk2\"\n"),
            (
                "a.md",
                "| a | token |\n|---|:--|\n| x | `Zq8tLx3nBw7Rk2mT5v` |\n\n| Zq8tLx3nBw7Rk2mT5w |",
            ),
            (
                "a.sql",
                "insert into t (a, pwd) values (f(1, 'x)'), 'Zq8tLx3nBw7Rk2');",
            ),
        ] {
            let mut found = Vec::new();
            find(SecretContext::Code, path, text.as_bytes(), &mut found);
            let found: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
            assert_eq!(found.len(), 1, "{text} {found:?}");
            assert!(found[0].starts_with("Zq8tLx3nBw7Rk2"), "{found:?}");
        }
    }
}

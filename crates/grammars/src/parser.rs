//! A generated `parser.c`: its two large tables as numbers, and the text without them.
//!
//! What does not read as tree-sitter writes it is an error, never a table with a hole.

use std::collections::HashMap;

const LARGE: &str = "static const uint16_t ts_parse_table[LARGE_STATE_COUNT][SYMBOL_COUNT] = {";
const SMALL: &str = "static const uint16_t ts_small_parse_table[] = {";
const END: &str = "\n};\n";

/// A parser taken apart.
pub(crate) struct Parser {
    /// What follows `tree_sitter_` in the name of its function.
    pub(crate) name: String,
    /// The text, with an empty array that is not constant where the tables were.
    pub(crate) code: String,
    /// Both tables, the large one first.
    pub(crate) tables: Vec<u16>,
}

impl Parser {
    /// Takes the tables out of `text`; none where it does not read as tree-sitter writes it.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = text.replace('\r', "");
        let name = between(&text, "TSLanguage *tree_sitter_", "(")?.1;
        let symbols = symbols(&text)?;
        let (before, large, rest) = between(&text, LARGE, END)?;
        let n_symbols = defined(before, "SYMBOL_COUNT")?;
        let mut tables = vec![0; n_symbols * defined(before, "LARGE_STATE_COUNT")?];
        fill_large(large, &symbols, tables.chunks_exact_mut(n_symbols))?;
        let (between_them, small, after) = between(rest, SMALL, END).unwrap_or(("", "", rest));
        let n_large = tables.len();
        push_small(small, &symbols, &mut tables)?;
        let array = declaration(name, tables.len() - n_large, tables.len());
        let code = [before, array.as_str(), between_them, after].concat();
        let name = name.to_owned();
        Some(Self { name, code, tables })
    }
}

/// The text before `start`, from there to `end`, and behind it.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<(&'t str, &'t str, &'t str)> {
    let (before, rest) = text.split_once(start)?;
    let (inside, after) = rest.split_once(end)?;
    Some((before, inside, after))
}

fn declaration(name: &str, n_small: usize, n_all: usize) -> String {
    let n_bytes = 2 * n_all;
    // No array is empty in C.
    let small = if n_small == 0 {
        String::new()
    } else {
        format!(" uint16_t small[{n_small}];")
    };
    format!(
        "struct whyrank_tables {{ uint16_t large[LARGE_STATE_COUNT][SYMBOL_COUNT];{small} }};\n\
         struct whyrank_tables whyrank_tables_{name};\n\
         _Static_assert(sizeof(struct whyrank_tables) == {n_bytes}, \"as many as were packed\");\n\
         #define ts_parse_table whyrank_tables_{name}.large\n\
         #define ts_small_parse_table whyrank_tables_{name}.small\n"
    )
}

fn defined(text: &str, name: &str) -> Option<usize> {
    between(text, &format!("#define {name} "), "\n")?
        .1
        .parse()
        .ok()
}

fn symbols(text: &str) -> Option<HashMap<&str, u16>> {
    let rows = between(text, "enum ts_symbol_identifiers {", "};")?.1;
    let mut symbols = HashMap::from([("ts_builtin_sym_end", 0)]);
    for row in rows.split(',').map(str::trim).filter(|row| !row.is_empty()) {
        let (name, number) = row.split_once(" = ")?;
        symbols.insert(name, number.parse().ok()?);
    }
    Some(symbols)
}

/// `12`, `ACTIONS(12)` and `STATE(12)` are 12: the macros only say what a number is of.
fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let inner = text
        .strip_prefix("ACTIONS(")
        .or_else(|| text.strip_prefix("STATE("));
    let digits = match inner {
        Some(inner) => inner.strip_suffix(')')?,
        None => text,
    };
    digits.parse().ok()
}

/// `[1] = { [symbol] = STATE(2), … }, …`: rows that are left out and symbols that are stay zero.
fn fill_large<'a>(
    text: &str,
    symbols: &HashMap<&str, u16>,
    rows: impl Iterator<Item = &'a mut [u16]>,
) -> Option<()> {
    let mut rows: Vec<_> = rows.collect();
    let mut row = 0;
    for item in text.split(',').map(str::trim) {
        let mut cell = item;
        if let Some((head, first)) = item.split_once('{') {
            row = number(head.trim().strip_prefix('[')?.strip_suffix("] =")?)?;
            cell = first.trim();
        }
        if !matches!(cell, "" | "}") {
            let (symbol, value) = cell.strip_prefix('[')?.split_once("] = ")?;
            *rows
                .get_mut(row)?
                .get_mut(usize::from(*symbols.get(symbol)?))? = number(value)?;
        }
    }
    Some(())
}

/// `[0] = 1, ACTIONS(3), 1, symbol, …`: one number after another, some with the place where they stand.
fn push_small(text: &str, symbols: &HashMap<&str, u16>, tables: &mut Vec<u16>) -> Option<()> {
    let start = tables.len();
    for item in text
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
    {
        let mut value = item;
        if let Some((place, rest)) = item
            .strip_prefix('[')
            .and_then(|item| item.split_once("] = "))
        {
            (place.parse() == Ok(tables.len() - start)).then_some(())?;
            value = rest;
        }
        tables.push(match symbols.get(value) {
            Some(symbol) => *symbol,
            None => number(value)?,
        });
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "#define LARGE_STATE_COUNT 2\n#define SYMBOL_COUNT 3\n\
        enum ts_symbol_identifiers {\n  sym_a = 1,\n  sym_b = 2,\n};\n";
    const LARGE_ROWS: &str = "static const uint16_t \
        ts_parse_table[LARGE_STATE_COUNT][SYMBOL_COUNT] = {\n  \
        [STATE(0)] = {\n    [ts_builtin_sym_end] = ACTIONS(7),\n    [sym_b] = STATE(8),\n  },\n  \
        [1] = {\n    [sym_a] = ACTIONS(9),\n  },\n};\n";
    const SMALL_ROWS: &str = "static const uint16_t ts_small_parse_table[] = {\n  \
        [0] = 1,\n    ACTIONS(3), 1,\n      sym_b,\n  [4] = 0,\n};\n";
    const TAIL: &str = "static const uint32_t ts_small_parse_table_map[] = {};\n\
        TS_PUBLIC const TSLanguage *tree_sitter_x(void) {}\n";

    #[test]
    fn tables_are_read_as_the_compiler_lays_them_out() {
        let parser = Parser::read(&[HEAD, LARGE_ROWS, SMALL_ROWS, TAIL].concat()).unwrap();
        assert_eq!(parser.name, "x");
        assert_eq!(parser.tables, [7, 0, 8, 0, 9, 0, 1, 3, 1, 2, 0]);
        assert_eq!(parser.code, [HEAD, &declaration("x", 5, 11), TAIL].concat());
    }

    #[test]
    fn a_parser_may_have_no_small_table_and_other_line_ends() {
        let text = [HEAD, LARGE_ROWS, TAIL].concat().replace('\n', "\r\n");
        let parser = Parser::read(&text).unwrap();
        assert_eq!(parser.tables, [7, 0, 8, 0, 9, 0]);
        assert!(!parser.code.contains("small["), "{}", parser.code);
    }

    #[test]
    fn what_is_not_understood_is_no_table() {
        let whole = [HEAD, LARGE_ROWS, SMALL_ROWS, TAIL].concat();
        let changes = [
            ("[sym_a]", "[sym_c]"),
            ("[4] = 0", "[5] = 0"),
            ("STATE(8)", "STATES(8)"),
            ("ACTIONS(9)", "ACTIONS(70000)"),
            ("[1] = {", "[2] = {"),
            ("ts_parse_table[LARGE", "ts_table[LARGE"),
        ];
        for (from, to) in changes {
            assert!(whole.contains(from), "{from}");
            assert!(Parser::read(&whole.replacen(from, to, 1)).is_none(), "{to}");
        }
    }
}

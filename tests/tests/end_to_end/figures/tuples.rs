//! Parameters that are tuples of unlike things: several arguments that a lint counts as one.

use crate::circles::tokens::{after_group, is_word, tokens};

/// Parameters of functions whose type is a tuple, or a reference to one, that holds different types.
pub(super) fn tuple_parameters(text: &str) -> usize {
    let tokens = tokens(text);
    let names = (1..tokens.len()).filter(|idx| tokens[idx - 1] == "fn" && is_word(tokens[*idx]));
    let parameters = names.flat_map(|name| parts(parameters(&tokens, name + 1)));
    parameters.filter(|part| is_unlike_tuple(part)).count()
}

/// The tokens between the brackets of a function's parameters; `idx` is behind its name.
fn parameters<'a>(tokens: &'a [&'a str], idx: usize) -> &'a [&'a str] {
    let generics = match tokens.get(idx) {
        Some(&"<") => ended(&tokens[idx..]),
        _ => 0,
    };
    within(&tokens[idx + generics..])
}

/// The number of tokens up to the end of what a `<` opens.
fn ended(tokens: &[&str]) -> usize {
    let (mut idx, mut depth) = (0, 0_usize);
    while idx < tokens.len() {
        (idx, depth) = step(tokens, idx, depth);
        if depth == 0 {
            break;
        }
    }
    idx
}

/// The index after a token or group, and how many `<` are open there.
fn step(tokens: &[&str], idx: usize, depth: usize) -> (usize, usize) {
    let is_arrow = idx > 0 && tokens[idx - 1] == "-";
    let depth = match tokens[idx] {
        "<" => depth + 1,
        ">" if !is_arrow => depth.saturating_sub(1),
        _ => depth,
    };
    match tokens[idx] {
        "(" | "[" | "{" => (after_group(tokens, idx), depth),
        _ => (idx + 1, depth),
    }
}

/// The tokens inside a group that these begin with.
fn within<'a>(tokens: &'a [&'a str]) -> &'a [&'a str] {
    match tokens.first() {
        Some(&"(") => &tokens[1..after_group(tokens, 0) - 1],
        _ => &[],
    }
}

/// The parts between commas outside of brackets, without empty ones.
fn parts<'a>(tokens: &'a [&'a str]) -> Vec<&'a [&'a str]> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut idx, mut depth) = (0, 0);
    while idx < tokens.len() {
        if tokens[idx] == "," && depth == 0 {
            parts.push(&tokens[start..idx]);
            start = idx + 1;
        }
        (idx, depth) = step(tokens, idx, depth);
    }
    parts.push(&tokens[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

fn is_unlike_tuple(parameter: &[&str]) -> bool {
    let (mut idx, mut typed) = (0, None);
    while idx < parameter.len() && typed.is_none() {
        typed = (parameter[idx] == ":").then_some(&parameter[idx + 1..]);
        idx = step(parameter, idx, 0).0;
    }
    let typed = typed.unwrap_or_default();
    let is_mark = |token: &&&str| matches!(**token, "&" | "mut");
    let n_marks = typed.iter().take_while(is_mark).count();
    let held = parts(within(&typed[n_marks..]));
    held.iter().any(|part| *part != held[0])
}

#[test]
fn tuples_of_unlike_things_count_where_they_are_parameters() {
    let check =
        |text: &str, expected: usize| assert_eq!(tuple_parameters(text), expected, "{text}");
    check(
        "fn f((name, size): (&str, usize), of: &(u8, [u8; 2])) {}",
        2,
    );
    check(
        "fn f(range: (u32, u32), whole: &'a mut (u8, u16,)) -> (u8, u16);",
        1,
    );
    check(
        "fn f<T: Fn(u8, u16) -> (u8, T)>(of: T, pairs: &[(u8, T)]) {}",
        0,
    );
    check(
        "fn f(Place { at: (line, column), .. }: Place, each: impl Fn((u8, u16))) {}",
        0,
    );
    check(
        "fn f(map: HashMap<(u8, u16), u8>) { g(|(one, two): (u8, u16)| one); }",
        0,
    );
    check("type F = fn((u8, u16)); struct S((u8, u16));", 0);
    check(
        "#[cfg(test)]\nmod tests {\n    fn f(pair: (u8, u16)) {}\n}\n",
        0,
    );
}

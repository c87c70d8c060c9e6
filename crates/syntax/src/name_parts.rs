//! Parts of names that code puts together from strings, or from tokens.
//!
//! By look alone. What is opened so is not ruled out; a part that is too many only makes an answer more careful.

use crate::language::Language;

/// A part of names that code puts together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamePart<'t> {
    /// The part.
    pub text: &'t str,
    /// It begins the names; else it ends them.
    pub is_prefix: bool,
}

/// So many bytes behind a string the end of its list is looked for.
const MAX_LIST: usize = 80;
/// Shorter parts are in too many names.
const MIN_PART_LETTERS: usize = 3;

/// Parts that code puts names together with: `a##_name` in C, `f"visit_{kind}"`, `"do_" + name` where
/// names are looked up by string.
///
/// O(text); never fails.
pub fn name_parts(text: &str, language: Language) -> Vec<NamePart<'_>> {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let before = |offset: usize| {
        let head = &text[..offset];
        &head[head.trim_end_matches(is_part).len()..]
    };
    let after = |offset: usize| {
        let tail = &text[offset..];
        &tail[..tail.len() - tail.trim_start_matches(is_part).len()]
    };
    let mut pieces = Vec::new();
    let mut add = |text, is_prefix| pieces.push(NamePart { text, is_prefix });
    match language.name() {
        "c" | "cpp" | "objc" => {
            for (offset, mark) in text.match_indices("##") {
                add(before(text[..offset].trim_end().len()), true);
                let next = text[offset + mark.len()..].trim_start_matches(' ');
                add(after(text.len() - next.len()), false);
            }
            // `RX_CAT(RX_FOR_, n)`: who pastes may be another macro.
            for (offset, _) in text.match_indices("_,") {
                let part = before(offset + 1);
                let is_macro = |char: char| !char.is_lowercase();
                if part.chars().all(is_macro) {
                    add(part, true);
                }
            }
        }
        "python" | "ruby" | "php" | "javascript" | "typescript" | "tsx" | "jsx" | "vue" => {
            joined_strings(text, language.name(), &mut add);
            for (offset, _) in text.match_indices('_') {
                let (head, rest) = (&text[..offset], &text[offset + 1..]);
                if rest.starts_with(PART_MARKS) && PART_ENDS.iter().any(|end| rest.starts_with(end))
                {
                    add(before(offset + 1), true);
                }
                let may_start = head.ends_with(['}', 's', 'd', '"', '\'']);
                if may_start && PART_STARTS.iter().any(|start| head.ends_with(start)) {
                    add(after(offset), false);
                }
            }
        }
        _ => {}
    }
    let is_telling = |part: &NamePart<'_>| {
        let n_letters = part
            .text
            .chars()
            .filter(|char| char.is_alphabetic())
            .count();
        let least = match part.is_prefix {
            _ if matches!(language.name(), "c" | "cpp" | "objc") => MIN_PART_LETTERS,
            // Names that go on behind a sign or with a capital letter are few.
            true if part.text.ends_with('_') => 1,
            true => 2,
            false => MIN_PART_LETTERS,
        };
        n_letters >= least
    };
    pieces.retain(is_telling);
    pieces.sort_unstable_by_key(|part| (part.text, part.is_prefix));
    pieces.dedup();
    pieces
}

/// Adds the ends of strings at which something is joined to them, whatever joins it: `'on' . $name`,
/// `"visit#{kind}"`, `name + 'Action'`, `[name, "suffix"].join("_")`. What stands in a sentence is no part of a name.
fn joined_strings<'t>(text: &'t str, language: &str, add: &mut impl FnMut(&'t str, bool)) {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let may_border = |char: Option<char>| char.is_none_or(|char| "\"'`:\\.>@/[(".contains(char));
    let mut begin = |end: usize| {
        let head = text[..end].trim_end_matches(is_part);
        if may_border(head.chars().next_back()) {
            add(&text[head.len()..end], true);
        }
    };
    let mut ends: Vec<&'t str> = Vec::new();
    let mut end = |start: usize| {
        let tail = text[start..].trim_start_matches(is_part);
        if may_border(tail.chars().next()) {
            ends.push(&text[start..text.len() - tail.len()]);
        }
    };
    let bytes = text.as_bytes();
    for (offset, byte) in text.bytes().enumerate() {
        let is_behind_word =
            offset > 0 && (bytes[offset - 1].is_ascii_alphanumeric() || bytes[offset - 1] == b'_');
        let rest = &text.as_bytes()[offset + 1..];
        match byte {
            b'"' | b'\'' | b'`' => {
                if is_behind_word && joins_behind(&text[offset + 1..], language) {
                    begin(offset);
                }
                if rest.first().is_some_and(|next| is_word_byte(*next))
                    && joins_before(text, offset, language)
                {
                    end(offset + 1);
                }
            }
            b'{' | b'#' | b'$' | b'%' if is_behind_word && is_hole(byte, rest, language) => {
                begin(offset)
            }
            b'}' if rest.first().is_some_and(|next| is_word_byte(*next)) => end(offset + 1),
            b'%' if matches!(rest, [b's' | b'd', next, ..] if is_word_byte(*next)) => {
                end(offset + 2)
            }
            _ => {}
        }
    }
    ends.into_iter().for_each(|part| add(part, false));
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Says whether a sign in a string is where something is put in.
fn is_hole(sign: u8, rest: &[u8], language: &str) -> bool {
    let next = rest.first().copied().unwrap_or(b' ');
    match (sign, language) {
        (b'#', "ruby") => next == b'{',
        (b'{', "php") => next == b'$',
        (b'$', "php") => next == b'{' || next == b'_' || next.is_ascii_alphabetic(),
        (b'{', "python") => next != b'{',
        (b'$', "javascript" | "typescript" | "tsx" | "jsx" | "vue") => next == b'{',
        (b'%', _) => matches!(next, b's' | b'd' | b'{' | b'<' | b'('),
        _ => false,
    }
}

/// Says whether something is joined to the string that ends before a text.
fn joins_behind(rest: &str, language: &str) -> bool {
    let near = rest.trim_start();
    match language {
        "php" => near.starts_with('.') && !near.starts_with(".."),
        _ => {
            let is_added = near.starts_with('+') && !near.starts_with("++");
            is_added
                || near.starts_with("<<")
                || near.starts_with(".concat(")
                || near.starts_with(',') && is_list_joined(near)
        }
    }
}

/// Says whether the string that begins at a place is joined to something.
fn joins_before(text: &str, offset: usize, language: &str) -> bool {
    let near = text[..offset].trim_end();
    match language {
        "php" => near.ends_with(".=") || near.ends_with('.') && !near.ends_with(".."),
        _ => {
            near.ends_with('+')
                || near.ends_with("+=")
                || near.ends_with("<<")
                || near.ends_with(',') && is_list_joined(&text[offset..])
        }
    }
}

/// Says whether the list whose rest a text begins with ends soon, and its parts are joined.
fn is_list_joined(rest: &str) -> bool {
    let near = &rest.as_bytes()[..rest.len().min(MAX_LIST)];
    let line = near.split(|byte| *byte == b'\n').next().unwrap_or(near);
    let end = line.windows(6).position(|window| window == b"].join");
    end.is_some_and(|end| !line[..end].contains(&b'['))
}

/// The first signs of [`PART_ENDS`].
const PART_MARKS: [char; 6] = ['{', '$', '#', '%', '"', '\''];
/// Signs that follow the beginning of a name in a string.
const PART_ENDS: [&str; 12] = [
    "{", "${", "#{", "%s", "%d", "\" +", "' +", "\"+", "'+", "\" .", "' .", "'.",
];
/// Signs before the end of a name in a string.
const PART_STARTS: [&str; 7] = ["}", "%s", "+ \"", "+ '", ". \"", ". '", ".'"];

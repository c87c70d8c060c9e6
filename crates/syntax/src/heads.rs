//! What the head of a definition says, however it is written: for two states of a file, whether a signature
//! is another or the same in other lines.
//!
//! By look, not by a grammar: it works wherever [`analyze`](crate::analyze) finds definitions.

use crate::language::Language;
use crate::lexical::{self, Syntax, Token, TokenKind};
use crate::line_patterns;
use crate::types::Symbol;

/// A signature of so many bytes of text may be cut.
const MAY_BE_CUT: usize = 560;
/// A line that is read by patterns is cut at so many characters.
const LINE_CHARS: usize = 200;
/// Bytes of a head that are read; longer ones are lists of data.
const MAX_HEAD: usize = 64 << 10;

/// Returns the words and marks of a definition's head, joined by blanks: comments, line breaks and a comma
/// after the last item do not count.
///
/// `source` is the text that the definition was read from. O(head) for each place at which it may begin.
pub fn head_words(source: &str, symbol: &Symbol, language: Language) -> String {
    let syntax = line_patterns::of(language).map_or(Syntax::C, |patterns| patterns.syntax);
    let span = symbol.span;
    let text = source.get(span.start_byte as usize..);
    let text = text.unwrap_or_default();
    let found = place(text, &symbol.signature, syntax);
    let Some((start, end)) = found else {
        return words(&symbol.signature, syntax);
    };
    let text = &text[start..];
    let limit = text.floor_char_boundary(MAX_HEAD);
    let end = whole(&text[..limit], end - start, &symbol.signature, syntax);
    words(&text[..end], syntax)
}

/// Where a signature stands in a text, whose white space it may have otherwise, and whose comments it lacks.
fn place(text: &str, signature: &str, syntax: Syntax) -> Option<(usize, usize)> {
    let first = signature.split_whitespace().next()?;
    let starts = text.match_indices(first).map(|(at, _)| at);
    starts
        .take(64)
        .find_map(|at| Some((at, at + matched(&text[at..], signature, syntax)?)))
}

/// The bytes of a text that a signature takes, where the text begins with it.
fn matched(text: &str, signature: &str, syntax: Syntax) -> Option<usize> {
    let mut end = 0;
    for expected in signature.chars().filter(|one| !one.is_whitespace()) {
        loop {
            let found = text[end..].chars().next()?;
            if found == expected {
                end += found.len_utf8();
                break;
            }
            let is_space = found.is_whitespace();
            let next = lexical::token_from(text, end, syntax);
            if !is_space && next.kind != Some(TokenKind::Comment) {
                return None;
            }
            end = match is_space {
                true => end + found.len_utf8(),
                false => next.end,
            };
        }
    }
    Some(end)
}

/// The end of a head of which so many bytes are known: on to where its brackets close, and from there, or of
/// one that may be cut, to the end of the line.
fn whole(text: &str, known: usize, signature: &str, syntax: Syntax) -> usize {
    // A line that is read by patterns may break off within its brackets.
    let mut goes_on_line = known >= MAY_BE_CUT || signature.chars().count() >= LINE_CHARS;
    let tokens = lexical::tokens(text, syntax);
    let mut depth = 0_i32;
    let mut end = known;
    let mut last: Option<Token> = None;
    for token in tokens {
        let mark = &text[token.start..token.end];
        if token.start >= known {
            let is_open = depth > 0 || last.is_some_and(|last| is_joined(text, last, token));
            let on_line = !text[end..token.start].contains('\n');
            let is_end = depth <= 0 && (mark == "{" || mark == ";");
            if !is_open && (!goes_on_line || !on_line || is_end) {
                break;
            }
            goes_on_line = true;
            end = token.end;
        }
        if token.kind == TokenKind::Mark {
            match mark {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
        }
        if token.kind != TokenKind::Comment {
            last = Some(token);
        }
    }
    end
}

/// Says whether a head whose brackets are closed goes on behind a token: a comma or an arrow joins lines.
fn is_joined(text: &str, last: Token, next: Token) -> bool {
    let is_next_line = text[last.end..next.start].contains('\n');
    let begins = |sign: &str| text[next.start..].starts_with(sign);
    let ends = |sign: &str| text[..last.end].ends_with(sign);
    is_next_line && (ends(",") || ends("->") || ends("\\") || begins("->") || begins("=>"))
}

fn words(head: &str, syntax: Syntax) -> String {
    let tokens = lexical::tokens(head, syntax);
    let told = tokens.iter().filter(|token| {
        let is_joint = head[token.start..].starts_with("\\\n");
        token.kind != TokenKind::Comment && !is_joint
    });
    let told: Vec<&str> = told.map(|token| &head[token.start..token.end]).collect();
    let mut open: Vec<bool> = Vec::new();
    let mut words = String::with_capacity(head.len());
    for (at, word) in told.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| told[before]);
        match *word {
            // What stands in brackets behind a name is a list; a tuple of one needs its comma.
            "(" => open.push(before.is_some_and(|before| before.ends_with(is_list_head))),
            "[" | "{" => open.push(true),
            ")" | "]" | "}" => drop(open.pop()),
            _ => {}
        }
        let next = told.get(at + 1).copied();
        let closes = matches!(next, Some(")" | "]" | "}" | ">"));
        let is_last = next.is_none() && matches!(*word, "," | ";");
        let is_list = *next.unwrap_or_default() == *">" || open.last().copied().unwrap_or(true);
        if is_last || (*word == "," && closes && is_list) {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

fn is_list_head(last: char) -> bool {
    last.is_alphanumeric() || matches!(last, '_' | '$' | '>' | ']' | ')' | '?' | '!')
}

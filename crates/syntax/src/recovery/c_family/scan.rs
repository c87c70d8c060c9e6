//! The surroundings of a token in a C or C++ text: what it begins, follows and stands before.

use std::ops::Range;

use super::tokens::{KEYWORDS, Kind, Token};

/// Bytes around an error that belong to its declaration at most.
pub(super) const MAX_HEAD: usize = 600;
/// Tokens of a macro's arguments, and of template parameters before one.
pub(super) const MAX_ARGUMENTS: usize = 200;
/// Words in a row that are looked at.
const MAX_WORDS: usize = 8;
/// Words that a declaration goes on with behind a macro.
pub(super) const OF_DECLARATIONS: [&str; 34] = [
    "auto",
    "bool",
    "char",
    "class",
    "const",
    "constexpr",
    "double",
    "enum",
    "explicit",
    "extern",
    "final",
    "float",
    "friend",
    "inline",
    "int",
    "long",
    "namespace",
    "noexcept",
    "override",
    "private",
    "protected",
    "public",
    "short",
    "signed",
    "static",
    "struct",
    "template",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
];
/// Words of types: a name before one of them is none itself.
pub(super) const OF_TYPES: [&str; 15] = [
    "bool", "char", "const", "double", "enum", "float", "int", "long", "short", "signed", "static",
    "struct", "union", "unsigned", "void",
];

/// Round brackets: what closes each, and the innermost around each token.
pub(super) struct Brackets {
    pub(super) closes: Vec<Option<usize>>,
    pub(super) around: Vec<Option<usize>>,
}

impl Brackets {
    pub(super) fn of(tokens: &[Token]) -> Self {
        let mut closes = vec![None; tokens.len()];
        let mut around = Vec::with_capacity(tokens.len());
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            around.push(open.last().copied());
            match token.kind {
                Kind::Sign(b'(') => open.push(at),
                Kind::Sign(b')') => {
                    if let Some(start) = open.pop() {
                        closes[start] = Some(at);
                    }
                }
                // No arguments reach so far: a bracket was never closed.
                Kind::Sign(b';') if open.len() > 8 => open.clear(),
                _ => {}
            }
        }
        Self { closes, around }
    }
}

/// The tokens of a text, with their brackets.
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) brackets: Brackets,
}

impl Scan<'_> {
    /// The tokens of the declarations that an error covers: from the one that it begins in to the end of its
    /// last.
    pub(super) fn declaration(&self, error: &Range<usize>) -> Range<usize> {
        let first = self
            .tokens
            .partition_point(|token| token.bytes.end <= error.start);
        let last = self
            .tokens
            .partition_point(|token| token.bytes.start < error.end);
        let least = error.start.saturating_sub(MAX_HEAD);
        let most = error.end + MAX_HEAD;
        let before = self.tokens[..first].iter().rev();
        // Over one brace: what a macro opens, `LIB_TRY {`, shows within the braces.
        let mut n_ends = 0;
        let n_before = before
            .take_while(|token| {
                n_ends += match token.kind {
                    Kind::Sign(b'{') => 1,
                    _ if self.ends(token) => 2,
                    _ => 0,
                };
                token.bytes.start >= least && n_ends < 2
            })
            .count();
        let behind = self.tokens[last..].iter();
        let n_behind = behind
            .take_while(|token| token.bytes.end <= most && !self.ends(token))
            .count();
        let end = (last + n_behind + 1).min(self.tokens.len());
        first - n_before..end
    }

    pub(super) fn ends(&self, token: &Token) -> bool {
        matches!(token.kind, Kind::Sign(b';' | b'{' | b'}') | Kind::Directive)
    }

    pub(super) fn bytes(&self, tokens: &Range<usize>) -> Range<usize> {
        match (
            self.tokens.get(tokens.start),
            self.tokens.get(tokens.end.saturating_sub(1)),
        ) {
            (Some(first), Some(last)) => first.bytes.start..last.bytes.end,
            _ => 0..0,
        }
    }

    /// The end of the line behind the one that a place is in.
    pub(super) fn line_after(&self, place: usize) -> usize {
        let mut ends = self.text[place..].match_indices('\n');
        ends.nth(1).map_or(self.text.len(), |(at, _)| place + at)
    }

    pub(super) fn word(&self, at: usize) -> Option<&str> {
        let token = self.tokens.get(at)?;
        (token.kind == Kind::Word).then(|| &self.text[token.bytes.clone()])
    }

    pub(super) fn sign(&self, at: usize) -> Option<u8> {
        match self.tokens.get(at)?.kind {
            Kind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    /// A name, and no keyword.
    pub(super) fn name(&self, at: usize) -> Option<&str> {
        let is_name = |word: &&str| {
            !KEYWORDS.contains(word) && !word.starts_with(|first: char| first.is_ascii_digit())
        };
        self.word(at).filter(is_name)
    }

    /// `static noinline Type name(`: a word behind `static` before a type and a name.
    pub(super) fn is_behind_storage(&self, at: usize) -> bool {
        let storage = at.checked_sub(1).and_then(|before| self.word(before));
        let is_stored = matches!(storage, Some("static" | "extern" | "inline"));
        let is_name = |place: usize| self.name(place).is_some_and(|word| !is_macro(word));
        let name = (at + 2..).find(|place| self.sign(*place) != Some(b'*'));
        is_stored && is_name(at + 1) && name.is_some_and(is_name)
    }

    /// `int notrace name(`: a word between a type and a function's name.
    pub(super) fn is_behind_type(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let is_type = self.word(before).is_some_and(|word| {
            !KEYWORDS.contains(&word) && !is_macro(word) && !self.is_behind_storage(before)
                || matches!(word, "void" | "int" | "long" | "char" | "bool" | "unsigned")
        });
        is_type && self.name(at + 1).is_some() && self.sign(at + 2) == Some(b'(')
    }

    /// Says whether the word before a bracket is called, not declared.
    pub(super) fn is_call(&self, callee: usize) -> bool {
        if self.name(callee).is_none() {
            return false;
        }
        // `Type space::name(` is declared as `Type name(` is.
        let mut first = callee;
        while first > 2 && self.sign(first - 1) == Some(b':') && self.sign(first - 2) == Some(b':')
        {
            if self.name(first - 3).is_none() {
                return false;
            }
            first -= 3;
        }
        let Some(before) = first.checked_sub(1) else {
            return true;
        };
        let is_statement = |word| matches!(word, "return" | "else" | "case" | "do");
        match (self.word(before), self.sign(before)) {
            (Some(word), _) => is_statement(word),
            (_, Some(b'*' | b'&')) => {
                let further = before.checked_sub(1);
                further.is_none_or(|further| self.word(further).is_none_or(is_statement))
            }
            (_, sign) => sign != Some(b'>'),
        }
    }

    /// `int n[] MACRO`, `static int n MACRO`: behind a type and a name.
    pub(super) fn is_behind_declarator(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        if matches!(self.sign(before), Some(b']' | b'}')) {
            return true;
        }
        let is_name = self.name(before).is_some_and(|word| !is_macro(word));
        let Some(type_end) = before.checked_sub(1).filter(|_| is_name) else {
            return false;
        };
        let is_type = self.word(type_end).is_some_and(|word| {
            !is_macro(word)
                && !matches!(
                    word,
                    "static" | "inline" | "extern" | "constexpr" | "virtual"
                )
        });
        is_type || matches!(self.sign(type_end), Some(b'*' | b'&' | b'>' | b'}'))
    }

    /// `Type MACRO name(`: between a type and the name of a function or variable.
    pub(super) fn is_between(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let is_type = self.word(before).is_some()
            || matches!(self.sign(before), Some(b'*' | b'&' | b'>' | b'}'));
        let behind = self.sign(at + 2);
        let is_declared = matches!(behind, Some(b'(' | b':' | b'=' | b';' | b'[' | b','));
        is_type && is_declared && self.name(at + 1).is_some()
    }

    /// `Type name`, `const …`, `Type::Type(`: what can follow a specifier.
    pub(super) fn is_before_declaration(&self, at: usize) -> bool {
        let Some(word) = self.word(at) else {
            return self.is_last(at);
        };
        if OF_DECLARATIONS.contains(&word) || is_macro(word) {
            return true;
        }
        match self.sign(at + 1) {
            None => self.word(at + 1).is_some(),
            Some(b'*' | b'&' | b'<') => true,
            Some(b':') => self.sign(at + 2) == Some(b':'),
            // `MACRO Type(int n) : n_(n) {`: what is called like its class has no type.
            Some(b'(') => self.opens_constructor(at + 1),
            Some(_) => false,
        }
    }

    /// Says whether the text or a part of it ends before a place.
    pub(super) fn is_last(&self, at: usize) -> bool {
        let is_directive = |token: &Token| token.kind == Kind::Directive;
        self.tokens.get(at).is_none_or(is_directive)
    }

    /// Parameters behind which members are set.
    pub(super) fn opens_constructor(&self, open: usize) -> bool {
        let Some(close) = self.brackets.closes[open] else {
            return false;
        };
        let behind = (close + 1..close + MAX_WORDS).find(|at| self.name(*at).is_none());
        behind.is_some_and(|at| self.sign(at) == Some(b':') && self.sign(at + 1) != Some(b':'))
    }

    /// Says whether the word is the first of a statement.
    pub(super) fn begins_statement(&self, at: usize) -> bool {
        match at.checked_sub(1) {
            None => true,
            Some(before) => {
                let token = &self.tokens[before];
                self.ends(token) || matches!(token.kind, Kind::Sign(b')'))
            }
        }
    }

    /// Says whether the word is the first of a declaration, or follows a specifier.
    pub(super) fn begins_declaration(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        let token = &self.tokens[before];
        let is_behind = matches!(token.kind, Kind::Text | Kind::Sign(b')' | b':' | b'>'));
        let is_specifier = self
            .word(before)
            .is_some_and(|word| OF_DECLARATIONS.contains(&word) || is_macro(word));
        self.ends(token) || is_behind || is_specifier
    }

    /// Says whether the word follows the parameters of a function, or what may stand behind them.
    pub(super) fn is_behind_parameters(&self, at: usize) -> bool {
        let Some(mut before) = at.checked_sub(1) else {
            return false;
        };
        let first = at.saturating_sub(MAX_WORDS);
        let is_specifier = |word: &str| {
            matches!(word, "const" | "noexcept" | "override" | "final") || is_macro(word)
        };
        while before >= first && self.word(before).is_some_and(is_specifier) {
            let Some(further) = before.checked_sub(1) else {
                return false;
            };
            before = further;
        }
        if self.sign(before) != Some(b')') {
            return false;
        }
        let least = before.saturating_sub(MAX_ARGUMENTS);
        let opens = (least..before)
            .rev()
            .find(|open| self.brackets.closes[*open] == Some(before));
        let callee = opens.and_then(|open| open.checked_sub(1));
        callee.is_some_and(|callee| self.name(callee).is_some())
    }

    /// Says whether the place lies within the parameters of a template.
    pub(super) fn is_in_template(&self, at: usize) -> bool {
        let mut depth = 0;
        for place in (at.saturating_sub(MAX_ARGUMENTS)..at).rev() {
            match self.tokens[place].kind {
                Kind::Sign(b'>' | b')') => depth += 1,
                Kind::Sign(b'(') => depth -= 1,
                Kind::Sign(b'<') if depth == 0 => {
                    return place > 0 && self.word(place - 1) == Some("template");
                }
                Kind::Sign(b'<') => depth -= 1,
                Kind::Sign(b';' | b'{' | b'}') => return false,
                _ => {}
            }
        }
        false
    }
}

/// Names of macros: in capitals, or reserved.
pub(super) fn is_macro(word: &str) -> bool {
    let is_capital = |char: char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_';
    let in_capitals = word.len() > 2 && word.chars().all(is_capital);
    in_capitals || word.starts_with("__")
}

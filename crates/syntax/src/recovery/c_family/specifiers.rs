//! Macros that stand where a declaration has a word of the language, or instead of one: `LIB_INLINE Type f()`,
//! `f() LIB_NOEXCEPT {`, `LIB_TRY {`, `template <typename T, LIB_REQUIRES(x)>`, `noinline void f()`,
//! `TEST_CASE("adds") {`.
//!
//! Only near an error: elsewhere `DWORD count;` is a type and a name.

use std::ops::Range;

use super::correction::Correction;
use super::scan::{Brackets, MAX_ARGUMENTS, MAX_HEAD, OF_TYPES, Scan, is_macro};
use super::tokens::{Kind, tokens};

/// A label between members.
const MEMBERS: &str = "public";
/// Tokens of a label.
const MAX_LABEL: usize = 16;

/// Blanks for macros in the declarations around errors.
pub(super) fn corrections(text: &str, errors: &[Range<usize>]) -> Vec<Correction> {
    let tokens = tokens(text);
    let scan = Scan {
        text,
        brackets: Brackets::of(&tokens),
        tokens: &tokens,
    };
    let mut corrections = Vec::new();
    let mut next = 0;
    for error in errors {
        let around = scan.declaration(error);
        let from = around.start.max(next);
        let declaration = scan.bytes(&around);
        let area = declaration.start.min(error.start)..declaration.end.max(error.end);
        for at in from..around.end {
            corrections.extend(scan.change(at).map(|(blanks, puts)| {
                let start = scan.tokens[at].bytes.start;
                let is_small = area.len() <= 2 * MAX_HEAD;
                Correction {
                    area: match is_small {
                        true => area.clone(),
                        // An error over much more has its cause where it begins to go.
                        false => start.saturating_sub(1)..area.end.min(scan.line_after(start)),
                    },
                    blanks,
                    puts,
                }
            }));
        }
        next = next.max(around.end);
    }
    let mut end = 0;
    corrections.retain(|correction: &Correction| {
        let Some(blank) = correction.blanks.first() else {
            return true;
        };
        let is_apart = blank.start >= end;
        end = end.max(blank.end);
        is_apart
    });
    corrections
}

/// Bytes to blank, and signs to put.
type Changes = (Vec<Range<usize>>, Vec<(usize, u8)>);

impl Scan<'_> {
    /// The change that the token at a place asks for.
    fn change(&self, at: usize) -> Option<Changes> {
        if let Some(changes) = self.type_argument(at).or_else(|| self.declares(at)) {
            return Some(changes);
        }
        if let Some(changes) = self.label(at) {
            return Some(changes);
        }
        match self.blank(at).or_else(|| self.unread(at)) {
            Some(blank) => Some((vec![blank], Vec::new())),
            None => self.signs(at).map(|puts| (Vec::new(), puts)),
        }
    }

    /// `LIB_PRIVATE_UNLESS_TESTED:` between members.
    fn label(&self, at: usize) -> Option<Changes> {
        let word = self.name(at).filter(|word| is_macro(word))?;
        let is_label = self.sign(at + 1) == Some(b':') && self.sign(at + 2) != Some(b':');
        let is_first = self.begins_statement(at) && !self.is_behind_parameters(at);
        let fits = word.len() >= MEMBERS.len() && is_first;
        let bytes = self.tokens[at].bytes.clone();
        let puts = (bytes.start..).zip(MEMBERS.bytes()).collect();
        (is_label && fits).then_some((vec![bytes], puts))
    }

    /// Words and signs that say nothing of names and that the grammar has no place for.
    fn unread(&self, at: usize) -> Option<Range<usize>> {
        let before = at.checked_sub(1)?;
        let bytes = |last: usize| self.tokens[at].bytes.start..self.tokens[last].bytes.end;
        if self.word(at) == Some("typename") {
            // `a = typename T::type(b)`
            let is_value = self.sign(before) == Some(b'=') || self.word(before) == Some("return");
            return is_value.then(|| bytes(at));
        }
        if self.sign(at) == Some(b'=') {
            // `int* = nullptr`
            let is_type = matches!(self.sign(before), Some(b'*' | b'&' | b'>'));
            let is_last = matches!(self.sign(at + 2), Some(b',' | b')' | b'>'));
            return (is_type && is_last && self.word(at + 1).is_some()).then(|| bytes(at + 1));
        }
        self.range(at)
    }

    /// Signs in the place of those that the grammar reads otherwise.
    fn signs(&self, at: usize) -> Option<Vec<(usize, u8)>> {
        if self.word(at) == Some("operator") && self.sign(at.checked_sub(1)?) == Some(b'>') {
            // `it->operator+(n)` calls a member.
            let open = (at + 1..at + 4).find(|place| self.sign(*place) == Some(b'('))?;
            let signs = &self.tokens[at + 1..open];
            return Some(signs.iter().map(|sign| (sign.bytes.start, b'_')).collect());
        }
        self.braces(at)
    }

    /// The bytes to blank for the word at a place.
    fn blank(&self, at: usize) -> Option<Range<usize>> {
        let word = self.name(at)?;
        let close = self
            .brackets
            .closes
            .get(at + 1)
            .copied()
            .flatten()
            .filter(|close| close - at < MAX_ARGUMENTS);
        let bytes = &self.tokens[at].bytes;
        if is_macro(word) {
            return match close {
                Some(close) => self.with_arguments(at, close),
                None => self.alone(at).then(|| bytes.clone()),
            };
        }
        if let Some(close) = close {
            // `for_each_item(item, list) go(item);`
            let goes_on = self.word(close + 1).is_some_and(|word| !is_macro(word))
                || self.sign(close + 1) == Some(b'{')
                || self.is_last(close + 1);
            return (goes_on && self.begins_statement(at))
                .then(|| bytes.start..self.tokens[close].bytes.end);
        }
        let is_type = |place| {
            self.word(place)
                .is_some_and(|word| OF_TYPES.contains(&word))
        };
        let is_before_macro = self.name(at + 1).is_some_and(is_macro) && is_type(at + 2);
        let is_before_type = is_before_macro || is_type(at + 1);
        let is_attribute = is_before_type && self.begins_declaration(at);
        let is_word = self.is_behind_storage(at) || self.is_behind_type(at);
        (is_attribute || is_word).then(|| bytes.clone())
    }

    /// `... 9` of `case 1 ... 9:`.
    fn range(&self, at: usize) -> Option<Range<usize>> {
        (at..at + 3)
            .all(|dot| self.sign(dot) == Some(b'.'))
            .then_some(())?;
        let before = at.saturating_sub(MAX_LABEL)..at;
        before
            .rev()
            .find(|place| self.word(*place) == Some("case"))?;
        let colon = (at..at + MAX_LABEL).find(|place| self.sign(*place) == Some(b':'))?;
        Some(self.tokens[at].bytes.start..self.tokens[colon].bytes.start)
    }

    /// `struct item` of `container_of(node, struct item, link)`, `unsigned long` of `min_t(unsigned long, a, b)`.
    fn type_argument(&self, at: usize) -> Option<Changes> {
        let word = self.word(at).filter(|word| OF_TYPES.contains(word))?;
        let before = at.checked_sub(1).and_then(|before| self.sign(before));
        let open = self.brackets.around[at].filter(|_| matches!(before, Some(b'(' | b',')))?;
        let callee = open.checked_sub(1)?;
        let is_read = self.name(callee)?.ends_with("offsetof") || self.declares(callee).is_some();
        if is_read || !self.is_call(callee) {
            return None;
        }
        let has_tag = matches!(word, "struct" | "union" | "enum" | "const");
        let is_part = |place: &usize| {
            let is_type = self
                .word(*place)
                .is_some_and(|word| OF_TYPES.contains(&word));
            let is_tagged = has_tag && self.name(*place).is_some();
            is_type || is_tagged || self.sign(*place) == Some(b'*')
        };
        let n_parts = (at..at + MAX_LABEL).take_while(is_part).count();
        let last = at + n_parts.checked_sub(1)?;
        matches!(self.sign(last + 1), Some(b',' | b')')).then(|| {
            let start = self.tokens[at].bytes.start;
            (
                vec![start..self.tokens[last].bytes.end],
                vec![(start, b'0')],
            )
        })
    }

    /// `static DEFINE_PER_CPU(struct item, items);`: a variable by a macro with its type and name, or by one with
    /// its name and more.
    fn declares(&self, at: usize) -> Option<Changes> {
        self.name(at).filter(|word| is_macro(word))?;
        let close = self.brackets.closes.get(at + 1).copied().flatten()?;
        if close - at > MAX_ARGUMENTS {
            return None;
        }
        let is_end = matches!(self.sign(close + 1), Some(b';' | b'='));
        if !is_end || !self.begins_declaration(at) {
            return None;
        }
        let commas: Vec<usize> = (at + 2..close)
            .filter(|place| {
                self.sign(*place) == Some(b',') && self.brackets.around[*place] == Some(at + 1)
            })
            .collect();
        let comma = *commas.first()?;
        let bytes =
            |first: usize, last: usize| self.tokens[first].bytes.start..self.tokens[last].bytes.end;
        let is_pointer = self.sign(comma - 1) == Some(b'*');
        let is_typed = is_pointer
            || self
                .word(at + 2)
                .is_some_and(|word| OF_TYPES.contains(&word));
        let has_name = commas.len() == 1 && comma + 2 == close && self.name(comma + 1).is_some();
        let blanks = match is_typed && has_name {
            true => vec![bytes(at, at + 1), bytes(comma, comma), bytes(close, close)],
            false => vec![bytes(comma, close - 1)],
        };
        Some((blanks, Vec::new()))
    }

    /// A macro without arguments that stands for a specifier, for nothing, or for what opens a block.
    fn alone(&self, at: usize) -> bool {
        match self.sign(at + 1) {
            Some(b'{' | b'}') if self.begins_statement(at) => true,
            // `const void LIB_USER *text`
            Some(b'*' | b'&') => at > 0 && self.word(at - 1).is_some_and(|word| word != "return"),
            Some(b'{' | b';' | b':' | b'=' | b'-' | b',' | b')') => {
                self.is_behind_parameters(at) || self.is_behind_declarator(at)
            }
            Some(b'~') => true,
            Some(_) => false,
            None if self.is_behind_parameters(at) || self.is_between(at) => true,
            None => self.is_before_declaration(at + 1),
        }
    }

    /// A macro with arguments, which go with it.
    fn with_arguments(&self, at: usize, close: usize) -> Option<Range<usize>> {
        let call = self.tokens[at].bytes.start..self.tokens[close].bytes.end;
        let before = at.checked_sub(1).and_then(|before| self.sign(before));
        let behind = self.sign(close + 1);
        let is_parameter = matches!(before, Some(b',' | b'<'))
            && matches!(behind, Some(b',' | b'>'))
            && self.is_in_template(at);
        if is_parameter {
            // The comma before it goes, or the one behind it where it is the first.
            let start = match before {
                Some(b',') => self.tokens[at - 1].bytes.start,
                _ => call.start,
            };
            let end = match (before, behind) {
                (Some(b'<'), Some(b',')) => self.tokens[close + 1].bytes.end,
                _ => call.end,
            };
            return Some(start..end);
        }
        let goes_on = matches!(behind, Some(b'{' | b';' | b':' | b'-'));
        let is_behind =
            self.is_behind_parameters(at) && (goes_on || self.word(close + 1).is_some());
        if is_behind {
            return Some(call);
        }
        if behind == Some(b'{') && self.begins_statement(at) {
            return self.titled(at, close);
        }
        if self.is_behind_declarator(at) && matches!(behind, Some(b'{' | b';' | b'=')) {
            // `int f NO_MACRO(int n)`: the brackets are the function's own.
            let has_own = before.is_none() && !self.name(at)?.starts_with("__");
            return Some(if has_own {
                self.tokens[at].bytes.clone()
            } else {
                call
            });
        }
        let is_function = self.name(close + 1).is_some() && self.sign(close + 2) == Some(b'(');
        let is_before =
            self.begins_declaration(at) && (is_function || self.is_before_declaration(close + 1));
        let is_last = behind == Some(b'}') && self.begins_statement(at);
        (is_before || is_last).then_some(call)
    }

    /// The arguments of `TEST_CASE("adds") {`, and all but the first of `SYSCALL_DEFINE1(close, int, fd) {`:
    /// without them the block is one as the grammar knows it.
    fn titled(&self, at: usize, close: usize) -> Option<Range<usize>> {
        let is_text = self.tokens[at + 2].kind == Kind::Text;
        let comma = (at + 2..close).find(|place| self.sign(*place) == Some(b','));
        let first = match comma {
            _ if is_text => at + 2,
            Some(comma) => comma,
            None => return None,
        };
        Some(self.tokens[first].bytes.start..self.tokens[close].bytes.start)
    }

    /// Braces that the grammar reads as brackets only: of a member that a constructor sets, `: n_{n} {`, and
    /// of a parameter's default, `= {})`.
    fn braces(&self, at: usize) -> Option<Vec<(usize, u8)>> {
        let open = self
            .tokens
            .get(at + 1)
            .filter(|_| self.sign(at + 1) == Some(b'{'))?;
        let is_default = self.sign(at) == Some(b'=')
            && self.sign(at + 2) == Some(b'}')
            && matches!(self.sign(at + 3), Some(b')' | b','));
        if is_default {
            return Some(vec![
                (open.bytes.start, b'0'),
                (self.tokens[at + 2].bytes.start, b' '),
            ]);
        }
        let before = at.checked_sub(1).and_then(|before| self.sign(before))?;
        self.name(at).filter(|_| matches!(before, b':' | b','))?;
        let close = (at + 2..self.tokens.len().min(at + MAX_ARGUMENTS))
            .find(|place| matches!(self.sign(*place), Some(b'{' | b'}' | b';')))?;
        let is_next = matches!(self.sign(close + 1), Some(b',' | b'{'));
        (self.sign(close) == Some(b'}') && is_next).then(|| {
            vec![
                (open.bytes.start, b'('),
                (self.tokens[close].bytes.start, b')'),
            ]
        })
    }
}

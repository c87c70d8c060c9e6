//! Local names: which are in scope at a place, and what their declarations say about them.
//!
//! A declaration is told only when a member of it is used, so most locals cost nothing.

use crate::types::{HintKind, Local};
use std::collections::{HashMap, HashSet};

/// A hint of a declaration at the type of what it declares: the kind, and text
/// of the source or made from it.
pub(crate) type TypeHint = (HintKind, String);

/// Line from 1, byte column from 0.
pub(crate) type At = (u32, u32);

/// The local names of the function being walked.
#[derive(Default)]
pub(crate) struct Locals<'s> {
    open: Vec<Open<'s>>,
    /// Names that are declared but seen only after a level, by its depth.
    late: Vec<(usize, Open<'s>)>,
    n_open: HashMap<&'s str, u32>,
    not_local: HashSet<&'s str>,
    pub(crate) told: Vec<Local>,
}

struct Open<'s> {
    name: &'s str,
    hint: Option<TypeHint>,
    at: At,
    /// Seen until the function ends, in whatever block it stands (`var`).
    hoisted: bool,
    /// Index in `told`.
    told: Option<u32>,
}

impl<'s> Locals<'s> {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.n_open.get(name).is_some_and(|&count| count > 0)
    }

    /// What the newest declaration of a name says.
    pub(crate) fn newest(&self, name: &str) -> Option<&Option<TypeHint>> {
        let newest = self.open.iter().rev().find(|open| open.name == name);
        newest.map(|open| &open.hint)
    }

    /// The name means the outer one here (`global x`).
    pub(crate) fn set_outer(&mut self, name: &'s str) {
        self.not_local.insert(name);
    }

    pub(crate) fn is_outer(&self, name: &str) -> bool {
        self.not_local.contains(name)
    }

    pub(crate) fn mark(&self) -> usize {
        self.open.len()
    }

    pub(crate) fn declare(&mut self, name: &'s str, hint: Option<TypeHint>, at: At, hoisted: bool) {
        self.push(Open {
            name,
            hint,
            at,
            hoisted,
            told: None,
        });
    }

    /// Declares a name that is seen only when the level of that depth is left.
    pub(crate) fn declare_late(
        &mut self,
        depth: usize,
        name: &'s str,
        hint: Option<TypeHint>,
        at: At,
    ) {
        let open = Open {
            name,
            hint,
            at,
            hoisted: false,
            told: None,
        };
        self.late.push((depth, open));
    }

    /// A level of this depth is left: what waited for that is seen from now on.
    pub(crate) fn settle(&mut self, depth: usize) {
        while self.late.last().is_some_and(|(at, _)| *at >= depth) {
            if let Some((_, open)) = self.late.pop() {
                self.push(open);
            }
        }
    }

    fn push(&mut self, open: Open<'s>) {
        *self.n_open.entry(open.name).or_insert(0) += 1;
        self.open.push(open);
    }

    /// Ends a scope; the names of a block that belong to its function stay.
    pub(crate) fn close(&mut self, mark: usize, last_line: u32, is_block: bool) {
        let mut kept = Vec::new();
        for open in self.open.drain(mark..) {
            if is_block && open.hoisted {
                kept.push(open);
                continue;
            }
            if let Some(count) = self.n_open.get_mut(open.name) {
                *count -= 1;
            }
            if let Some(told) = open.told {
                self.told[told as usize].end_line = last_line;
            }
        }
        self.open.extend(kept);
    }

    /// A member of a local is used: its declarations are told, and those of what they rest on.
    pub(crate) fn tell(&mut self, expression: &str, enclosing: Option<u32>) {
        let mut next = vec![head_of(expression).to_owned()];
        while let Some(name) = next.pop() {
            // PHP: `$name` is declared as `name`.
            let name = match name.strip_prefix('$') {
                Some(plain) if !self.has(&name) => plain.to_owned(),
                _ => name,
            };
            if !self.has(&name) {
                continue;
            }
            for open in self.open.iter_mut().filter(|open| open.name == name) {
                if open.told.is_some() {
                    continue;
                }
                open.told = Some(self.told.len() as u32);
                let (kind, text) = open
                    .hint
                    .clone()
                    .unwrap_or((HintKind::Nothing, String::new()));
                if !matches!(kind, HintKind::Nothing | HintKind::Type) {
                    next.push(head_of(&text).to_owned());
                }
                self.told.push(Local {
                    name: name.clone(),
                    kind,
                    text,
                    line: open.at.0,
                    column: open.at.1,
                    end_line: u32::MAX,
                    enclosing,
                });
            }
        }
    }
}

/// The first name of an expression: `a` of `&a.b(c)`.
fn head_of(expression: &str) -> &str {
    let is_mark = |c: char| c.is_ascii_digit() || "&*(! ^:=".contains(c);
    let mut rest = expression.trim_start_matches(is_mark);
    for word in ["new ", "await ", "mut ", "try ", "yield "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    &rest[..end.unwrap_or(rest.len())]
}

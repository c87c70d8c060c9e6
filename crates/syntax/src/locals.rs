//! Local names: which are in scope at a place, and what their declarations say about them.
//!
//! A declaration is told only when a member of it is used, so most locals cost nothing.

use crate::bindings::{Bindings, NO_BINDING};
use crate::types::{HintKind, Local, RECEIVER};
use std::collections::HashMap;
use std::ops::Range;

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
    by_name: HashMap<&'s str, OpenOfName>,
    /// Declarations among `open` that a name means one outside of its function.
    n_outer: usize,
    pub(crate) told: Vec<Local>,
    /// The bindings told apart, where somebody asks which one a name means.
    pub(crate) bindings: Option<Bindings>,
    /// The newest binding among them.
    newest_binding: u32,
}

/// What is open under one name.
#[derive(Default)]
struct OpenOfName {
    /// Those in sight.
    n_seen: u32,
    /// Their places among all, in order, those out of sight too.
    places: Vec<usize>,
}

struct Open<'s> {
    name: &'s str,
    hint: Option<TypeHint>,
    at: At,
    binding: Binding,
    /// Index in `told`.
    told: Option<u32>,
    /// Its number among the bindings that are told apart.
    number: u32,
    /// The number of nodes around that do not see it.
    n_concealed: u8,
}

impl Open<'_> {
    fn is_declared(&self) -> bool {
        matches!(
            self.binding,
            Binding::Declared | Binding::Hoisted | Binding::Set(_)
        )
    }
}

/// The way in which a name belongs to the scope that holds it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Binding {
    Declared,
    /// Set to another value, where it is bound already: at this place among all.
    Set(usize),
    /// Seen until the function ends, in whatever block it stands (`var`).
    Hoisted,
    /// Of the scope, though the line that declares it is still to come.
    Ahead,
    /// Means the name outside of the function (`global x`).
    Outer,
}

impl<'s> Locals<'s> {
    pub(crate) fn has(&self, name: &str) -> bool {
        let is_seen = |open: &OpenOfName| open.n_seen > 0;
        self.by_name.get(name).is_some_and(is_seen) && !self.is_outer(name)
    }

    /// What is open under a name, in order, each with its place among all.
    fn under(&self, name: &str) -> impl DoubleEndedIterator<Item = (usize, &Open<'s>)> + Clone {
        let places = self.by_name.get(name).map(|open| &open.places[..]);
        let places = places.unwrap_or_default().iter();
        places.map(|place| (*place, &self.open[*place]))
    }

    /// What the newest declaration of a name says.
    pub(crate) fn newest(&self, name: &str) -> Option<&Option<TypeHint>> {
        let mut declared = self.under(name).rev().map(|(_, open)| open);
        let newest = declared.find(|open| open.binding != Binding::Ahead)?;
        Some(&newest.hint)
    }

    /// The place of the newest binding of a name among all, settings aside.
    pub(crate) fn bound_at(&self, name: &str) -> Option<usize> {
        let (place, newest) = self.under(name).next_back()?;
        match newest.binding {
            Binding::Set(bound) => Some(bound),
            _ => Some(place),
        }
    }

    /// Sets a name that is bound; also once the level of a depth is left, if one is given.
    pub(crate) fn set(
        &mut self,
        name: &'s str,
        hint: Option<TypeHint>,
        at: At,
        after: Option<usize>,
    ) {
        let bound = self.bound_at(name).unwrap_or(self.open.len());
        let number = self.open.get(bound).map_or(NO_BINDING, |open| open.number);
        let setting = |hint| Open {
            name,
            hint,
            at,
            binding: Binding::Set(bound),
            told: None,
            number,
            n_concealed: 0,
        };
        if let Some(depth) = after {
            let place = self.late.partition_point(|(at, _)| *at <= depth);
            self.late.insert(place, (depth, setting(hint.clone())));
        }
        self.push(setting(hint));
    }

    /// The name means the outer one until the function ends (`global x`).
    pub(crate) fn set_outer(&mut self, name: &'s str) {
        self.n_outer += 1;
        self.push(Open {
            name,
            hint: None,
            at: (0, 0),
            binding: Binding::Outer,
            told: None,
            number: NO_BINDING,
            n_concealed: 0,
        });
    }

    pub(crate) fn is_outer(&self, name: &str) -> bool {
        let is_outer = |(_, open): (usize, &Open<'_>)| open.binding == Binding::Outer;
        self.n_outer > 0 && self.under(name).next_back().is_some_and(is_outer)
    }

    /// Declares a name of the scope whose declaration is still to come.
    pub(crate) fn declare_ahead(&mut self, name: &'s str, at: At) {
        let number = self.number();
        self.push(Open {
            name,
            hint: None,
            at,
            binding: Binding::Ahead,
            told: None,
            number,
            n_concealed: 0,
        });
    }

    /// Puts the names of the newest scope, from its mark on, out of sight.
    pub(crate) fn suspend(&mut self, mark: usize) {
        for open in &self.open[mark..] {
            if let Some(of_name) = self.by_name.get_mut(open.name) {
                of_name.n_seen = of_name.n_seen.saturating_sub(1);
            }
        }
    }

    /// Brings back the names that were put out of sight.
    pub(crate) fn resume(&mut self, mark: usize) {
        for open in &self.open[mark..] {
            self.by_name.entry(open.name).or_default().n_seen += 1;
        }
    }

    pub(crate) fn mark(&self) -> usize {
        self.open.len()
    }

    pub(crate) fn declare(&mut self, name: &'s str, hint: Option<TypeHint>, at: At, hoisted: bool) {
        let number = self.number();
        self.push(Open {
            name,
            hint,
            at,
            binding: if hoisted {
                Binding::Hoisted
            } else {
                Binding::Declared
            },
            told: None,
            number,
            n_concealed: 0,
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
            binding: Binding::Declared,
            told: None,
            number: self.number(),
            n_concealed: 0,
        };
        self.late.push((depth, open));
    }

    /// A level of this depth is left: what waited for that is seen from now on.
    pub(crate) fn settle(&mut self, depth: usize) {
        let mut seen = Vec::new();
        while let Some((_, open)) = self.late.pop_if(|(at, _)| *at >= depth) {
            seen.push(open);
        }
        for open in seen.into_iter().rev() {
            self.push(open);
        }
    }

    /// A number for a new binding, where they are told apart.
    fn number(&mut self) -> u32 {
        let bindings = self.bindings.as_mut();
        self.newest_binding = bindings.map_or(NO_BINDING, Bindings::fresh);
        self.newest_binding
    }

    /// The newest binding of all.
    pub(crate) fn newest_binding(&self) -> u32 {
        self.newest_binding
    }

    /// The binding that a name means among those from one place to another; `None` for one that no scope binds
    /// and for one that means the outer.
    pub(crate) fn binding_of(&self, name: &str, among: Range<usize>) -> Option<u32> {
        let seen = self
            .under(name)
            .rev()
            .filter(|(place, _)| among.contains(place));
        let mut seen = seen.filter(|(_, open)| open.n_concealed == 0);
        let (_, meant) = seen.next()?;
        Some(meant.number).filter(|number| *number != NO_BINDING)
    }

    /// The bindings of a name from a place on, but for the newest of all.
    pub(crate) fn others_of(&self, name: &str, from: usize) -> Vec<u32> {
        let is_other = |(place, open): &(usize, &Open<'_>)| {
            *place >= from && open.n_concealed == 0 && open.number != self.newest_binding
        };
        let numbers = self
            .under(name)
            .filter(is_other)
            .map(|(_, open)| open.number);
        numbers.filter(|number| *number != NO_BINDING).collect()
    }

    /// No name means the newest binding of all: a parameter of a type that is written in a function.
    pub(crate) fn blind_newest(&mut self) {
        if self.bindings.is_none() {
            return;
        }
        let late = self.late.iter_mut().map(|(_, open)| open);
        for open in self.open.iter_mut().chain(late) {
            if open.number == self.newest_binding {
                open.n_concealed = u8::MAX;
            }
        }
    }

    /// The node at a depth does not see the bindings from a place on.
    pub(crate) fn conceal(&mut self, depth: usize, from: usize) {
        let range = from..self.open.len();
        if let Some(bindings) = &mut self.bindings {
            bindings.concealed.push((depth, range.clone()));
            for open in &mut self.open[range] {
                open.n_concealed = open.n_concealed.saturating_add(1);
            }
        }
    }

    /// A node at a depth is left: what it did not see is seen again.
    pub(crate) fn reveal(&mut self, depth: usize) {
        let Some(bindings) = &mut self.bindings else {
            return;
        };
        while let Some((_, range)) = bindings.concealed.pop_if(|(at, _)| *at >= depth) {
            for open in self.open.get_mut(range).unwrap_or_default() {
                if open.n_concealed < u8::MAX {
                    open.n_concealed = open.n_concealed.saturating_sub(1);
                }
            }
        }
    }

    fn push(&mut self, open: Open<'s>) {
        let of_name = self.by_name.entry(open.name).or_default();
        of_name.n_seen += 1;
        of_name.places.push(self.open.len());
        self.open.push(open);
    }

    /// Ends a scope; the names of a block that belong to its function stay.
    pub(crate) fn close(
        &mut self,
        mark: usize,
        last_line: u32,
        (is_block, is_alone): (bool, bool),
    ) {
        let mut kept = Vec::new();
        for open in self.open.drain(mark..) {
            let is_of_function = matches!(open.binding, Binding::Hoisted | Binding::Outer);
            let is_kept = is_block && is_of_function;
            if let Some(of_name) = self.by_name.get_mut(open.name) {
                // Those from the mark on are the last of their names.
                let n_before = of_name.places.partition_point(|place| *place < mark);
                of_name.places.truncate(n_before);
                of_name.n_seen = of_name.n_seen.saturating_sub(u32::from(!is_kept));
            }
            if is_kept {
                kept.push(open);
                continue;
            }
            self.n_outer -= usize::from(open.binding == Binding::Outer);
            if let Some(told) = open.told {
                // What follows a closing bracket is no longer inside.
                let is_before = is_alone && open.name == RECEIVER;
                self.told[told as usize].end_line = last_line - u32::from(is_before);
            }
        }
        for open in kept {
            let of_name = self.by_name.entry(open.name).or_default();
            of_name.places.push(self.open.len());
            self.open.push(open);
        }
    }

    /// A member of a local is used: its declarations are told, and those of what they rest on.
    pub(crate) fn tell(&mut self, expression: &str, enclosing: Option<u32>) {
        let mut next: Vec<String> = heads_of(expression).map(str::to_owned).collect();
        while let Some(name) = next.pop() {
            // PHP: `$name` is declared as `name`.
            let name = match name.strip_prefix('$') {
                Some(plain) if !self.has(&name) => plain.to_owned(),
                _ => name,
            };
            if !self.has(&name) {
                continue;
            }
            let any_declared = self.under(&name).any(|(_, open)| open.is_declared());
            let places: Vec<usize> = self.under(&name).map(|(place, _)| place).collect();
            for place in places {
                let open = &mut self.open[place];
                let waits = any_declared && !open.is_declared();
                if open.told.is_some() || waits {
                    continue;
                }
                open.told = Some(self.told.len() as u32);
                let (kind, text) = open
                    .hint
                    .clone()
                    .unwrap_or((HintKind::Nothing, String::new()));
                if !matches!(kind, HintKind::Nothing | HintKind::Type) {
                    next.extend(heads_of(&text).map(str::to_owned));
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

/// The first names of an expression and of what it keeps in brackets: `listOf` and `a` of `listOf(a.b)`.
fn heads_of(expression: &str) -> impl Iterator<Item = &str> {
    let opened = expression.match_indices(['(', ',', '|']);
    let inner = opened.map(|(at, _)| head_of(expression[at + 1..].trim_start()));
    let heads = std::iter::once(head_of(expression)).chain(inner);
    heads.filter(|head| !head.is_empty())
}

/// The first name of an expression: `a` of `&a.b(c)`.
fn head_of(expression: &str) -> &str {
    let is_mark = |c: char| c.is_ascii_digit() || "&*(! ^:=?|[]".contains(c);
    let mut rest = expression.trim_start_matches(is_mark);
    for word in ["new ", "await ", "mut ", "try ", "yield "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    &rest[..end.unwrap_or(rest.len())]
}

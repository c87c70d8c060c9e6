//! Takes what a reader finds, within limits, and sums equal calls.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::run::{CallNode, MAX_CALLS, MAX_FUNCTIONS, Run, RunFormat, RunFunction};
use crate::Budget;
use crate::coverage::{At, MAX_PROBLEMS, Problem};

/// Longer names and paths are damage.
pub(super) const MAX_NAME_BYTES: usize = 4096;
/// Bytes of a name that are compared or copied in a step.
const BYTES_A_STEP: usize = 32;
/// Frames kept of a stack, from its root on.
pub(super) const MAX_DEPTH: usize = 2000;

pub(super) struct Collector<'b, 'a> {
    budget: &'b mut Budget<'a>,
    functions: Vec<RunFunction>,
    by_function: HashMap<RunFunction, u32>,
    calls: Vec<CallNode>,
    by_call: HashMap<(Option<u32>, u32), u32>,
    problems: Vec<Problem>,
    n_more_problems: u32,
    is_full: bool,
    is_spent: bool,
}

/// A frame of a stack: the function, and the line in it at which it called the next one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) function: u32,
    pub(super) line: u32,
}

impl<'b, 'a> Collector<'b, 'a> {
    pub(super) fn new(budget: &'b mut Budget<'a>) -> Self {
        Self {
            budget,
            functions: Vec::new(),
            by_function: HashMap::new(),
            calls: Vec::new(),
            by_call: HashMap::new(),
            problems: Vec::new(),
            n_more_problems: 0,
            is_full: false,
            is_spent: false,
        }
    }

    /// Allows what so many bytes may take.
    pub(super) fn allow(&mut self, n_bytes: usize) {
        self.budget.allow(n_bytes as u64);
    }

    /// Takes steps; false when the rest is to be left out.
    pub(super) fn step(&mut self, n: usize, at: At) -> bool {
        let goes_on = self.budget.step(n as u64);
        if !goes_on && !std::mem::replace(&mut self.is_spent, true) {
            self.problem(
                at,
                "more work than a file of its size may make; the rest is left out",
            );
        }
        goes_on
    }

    /// Says whether anybody still waits.
    pub(super) fn is_awaited(&mut self) -> bool {
        self.budget.is_awaited()
    }

    /// Whether the rest is to be left out.
    pub(super) fn is_over(&self) -> bool {
        self.is_spent
    }

    /// Says whether one more element is kept: as many as there can be calls.
    pub(super) fn has_room(&mut self, n_kept: usize, at: At) -> bool {
        if n_kept == MAX_CALLS {
            self.full(at);
        }
        n_kept < MAX_CALLS
    }

    /// Takes the steps of a name that is read, compared or copied.
    pub(super) fn step_of_name(&mut self, n_bytes: usize, at: At) -> bool {
        self.step(1 + n_bytes / BYTES_A_STEP, at)
    }

    /// The number of a function; `None` when there is no room.
    pub(super) fn function(&mut self, function: RunFunction, at: At) -> Option<u32> {
        let n = self.functions.len();
        if !self.step_of_name(function.path.len() + function.name.len(), at) {
            return None;
        }
        if function.path.len() > MAX_NAME_BYTES || function.name.len() > MAX_NAME_BYTES {
            self.problem(at, "a function with a name that is too long");
            return None;
        }
        match self.by_function.entry(function) {
            Entry::Occupied(known) => return Some(*known.get()),
            Entry::Vacant(place) if n < MAX_FUNCTIONS => {
                self.functions.push(place.key().clone());
                return Some(*place.insert(n as u32));
            }
            Entry::Vacant(_) => {}
        }
        self.full(at);
        None
    }

    /// Adds to the call of a function from a call; `None` when there is no room.
    pub(super) fn call(&mut self, call: CallNode, at: At) -> Option<u32> {
        if !self.step(1, at) {
            return None;
        }
        let n = self.calls.len();
        match self.by_call.entry((call.parent, call.function)) {
            Entry::Occupied(known) => {
                let own = &mut self.calls[*known.get() as usize];
                own.n = own.n.saturating_add(call.n);
                return Some(*known.get());
            }
            Entry::Vacant(place) if n < MAX_CALLS => {
                place.insert(n as u32);
                self.calls.push(call);
                return Some(n as u32);
            }
            Entry::Vacant(_) => {}
        }
        self.full(at);
        None
    }

    /// Adds a stack, its root first, that was met `n` times.
    pub(super) fn stack(&mut self, frames: &[Frame], n: u64, at: At) {
        let mut parent = None;
        let mut line = 0;
        for frame in frames.iter().take(MAX_DEPTH) {
            let function = frame.function;
            let call = CallNode {
                function,
                parent,
                n,
                line,
            };
            let Some(known) = self.call(call, at) else {
                return;
            };
            (parent, line) = (Some(known), frame.line);
        }
    }

    pub(super) fn problem(&mut self, at: At, message: &str) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem {
                at,
                message: message.to_owned(),
            });
        } else {
            self.n_more_problems = self.n_more_problems.saturating_add(1);
        }
    }

    fn full(&mut self, at: At) {
        if !std::mem::replace(&mut self.is_full, true) {
            self.problem(at, "too many functions or calls; the rest is left out");
        }
    }

    pub(super) fn run(self, format: RunFormat) -> Run {
        Run {
            format,
            functions: self.functions,
            calls: self.calls,
            problems: self.problems,
            n_more_problems: self.n_more_problems,
        }
    }
}

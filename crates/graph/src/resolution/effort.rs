//! How much work one question may take. Names that lead in circles have as many ways through them as there
//! are definitions to the power of the depth: where a question takes that much, nothing is known.

use std::cell::Cell;

use crate::steps;

/// Expressions, types and bases that one question may ask for; code that people wrote takes a hundred.
const MOST: u32 = 2_000;

/// Parts of a question that may be open at once, each for the sake of the one before, which takes stack; code
/// that people wrote takes 25.
const MOST_OPEN: u32 = 60;

/// What is left for the question at work.
#[derive(Default)]
pub(crate) struct Effort {
    left: Cell<u32>,
    /// Parts of it that are being answered, each within the one before.
    n_open: Cell<u32>,
}

impl Effort {
    /// Answers a part of the question; `None` where the question takes too much, for then what was found is
    /// not all.
    pub(super) fn within<T>(&self, answer: impl FnOnce() -> T) -> Option<T> {
        let n_open = self.n_open.get();
        if n_open == 0 {
            self.left.set(MOST);
        }
        if n_open >= MOST_OPEN {
            self.left.set(0);
        }
        let left = self.left.get().checked_sub(1)?;
        steps::count(1);
        self.left.set(left);
        self.n_open.set(n_open + 1);
        let found = answer();
        self.n_open.set(n_open);
        (!self.is_spent()).then_some(found)
    }

    /// What was found may lack something: it is not kept.
    pub(super) fn is_spent(&self) -> bool {
        self.n_open.get() > 0 && self.left.get() == 0
    }
}

//! How much work may come of a file: steps in proportion to its bytes.
//!
//! A few bytes can name something large again and again. What is kept has limits of its own; this one is
//! for what is done, whatever is kept of it. It also says when whoever asked wants nothing any more.

/// Steps for each byte: reading takes less than one, finding what is meant a few.
pub const STEPS_PER_BYTE: u64 = 16;
/// Steps that a file may take however small it is.
pub const LEAST_STEPS: u64 = 1 << 20;
/// Steps that all files may take however large they are.
const MOST_STEPS: u64 = 1 << 29;
/// Steps between two looks at whether anybody still waits.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 12;

/// What is left to do, and whether somebody still wants it.
pub struct Budget<'a> {
    goes_on: &'a dyn Fn() -> bool,
    n_bytes: u64,
    n_steps: u64,
    /// Steps at which the work ends.
    end: u64,
    /// Steps at which it is next asked whether it goes on.
    next_look: u64,
    is_over: bool,
    is_cancelled: bool,
}

impl<'a> Budget<'a> {
    /// Allows nothing yet; `goes_on` is asked every few thousand steps.
    pub fn new(goes_on: &'a dyn Fn() -> bool) -> Self {
        Self {
            goes_on,
            n_bytes: 0,
            n_steps: 0,
            end: 0,
            next_look: 0,
            is_over: false,
            is_cancelled: false,
        }
    }

    /// Allows what a file of this size may take, beside what others left.
    pub fn allow(&mut self, n_bytes: u64) {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        let steps = n_bytes.saturating_mul(STEPS_PER_BYTE).max(LEAST_STEPS);
        self.end = self.n_steps.saturating_add(steps).min(MOST_STEPS);
        self.is_over = self.is_cancelled;
    }

    /// Takes steps; false when there are none left, or nobody waits any more. Then none are taken until
    /// more are allowed.
    pub fn step(&mut self, n: u64) -> bool {
        if self.is_over {
            return false;
        }
        self.n_steps = self.n_steps.saturating_add(n);
        if self.n_steps >= self.next_look {
            self.next_look = self.n_steps + STEPS_BETWEEN_LOOKS;
            self.is_awaited();
        }
        self.is_over = self.n_steps > self.end || self.is_cancelled;
        !self.is_over
    }

    /// Asks whether anybody still waits.
    pub fn is_awaited(&mut self) -> bool {
        self.is_cancelled |= !(self.goes_on)();
        self.is_over |= self.is_cancelled;
        !self.is_cancelled
    }

    /// Whether nobody waits any more.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    /// Steps taken so far.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Bytes read so far, those of compressed files as they are when they are not.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn steps_end_in_proportion_to_bytes_and_when_nobody_waits() {
        let mut budget = Budget::new(&|| true);
        budget.allow(1 << 20);
        assert!(budget.step(STEPS_PER_BYTE << 20));
        assert!(!budget.step(1));
        budget.allow(10);
        assert!(budget.step(LEAST_STEPS));
        assert!(!budget.is_cancelled());

        let waits = Cell::new(true);
        let goes_on = || waits.get();
        let mut budget = Budget::new(&goes_on);
        budget.allow(1 << 30);
        assert!(budget.step(1));
        waits.set(false);
        let n_steps = (0..1 << 20).take_while(|_| budget.step(1)).count() as u64;
        assert!(n_steps <= STEPS_BETWEEN_LOOKS && budget.is_cancelled());
    }
}

//! Whether somebody still waits for the answer at work, asked while reports are read.

use std::cell::RefCell;
use std::rc::Rc;

type Waits = Rc<dyn Fn() -> bool>;

thread_local! {
    /// Of the answer that this thread is at; without one somebody waits.
    static WAITS: RefCell<Option<Waits>> = const { RefCell::new(None) };
}

/// Answers for somebody who may leave: `waits` is asked now and then, on this thread.
pub fn answer_while<T>(waits: Rc<dyn Fn() -> bool>, answer: impl FnOnce() -> T) -> T {
    let _before = Restore(WAITS.replace(Some(waits)));
    answer()
}

/// Whether somebody waits for the answer that this thread is at.
pub(crate) fn is_awaited() -> bool {
    let waits = WAITS.with_borrow(Clone::clone);
    waits.is_none_or(|waits| waits())
}

/// Puts back whose answer was at work before, after a panic too.
struct Restore(Option<Waits>);

impl Drop for Restore {
    fn drop(&mut self) {
        let before = self.0.take();
        WAITS.set(before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_awaited_until_its_asker_leaves_and_not_beyond_its_end() {
        assert!(is_awaited());
        answer_while(Rc::new(|| false), || {
            assert!(!is_awaited());
            answer_while(Rc::new(|| true), || assert!(is_awaited()));
            assert!(!is_awaited());
        });
        assert!(is_awaited());
    }
}

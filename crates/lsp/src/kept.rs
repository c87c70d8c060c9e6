//! Answers that one request needs more than once, each asked for once.

use crate::failure::Failure;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use whyrank_engine::api::RepoId;

/// Answers about files, by repository and path.
pub(crate) struct Kept<T>(RefCell<HashMap<(RepoId, String), Rc<T>>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T> Kept<T> {
    /// The answer, asked for unless it was before.
    ///
    /// # Errors
    ///
    /// Those of asking; they are not kept.
    pub(crate) fn once(
        &self,
        repo: &RepoId,
        path: &str,
        ask: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<Rc<T>, Failure> {
        let key = (repo.clone(), path.to_owned());
        if let Some(kept) = self.0.borrow().get(&key) {
            return Ok(Rc::clone(kept));
        }
        let answer = Rc::new(ask()?);
        self.0.borrow_mut().insert(key, Rc::clone(&answer));
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_asks_once_for_a_file_and_again_after_an_error() {
        let (kept, repo) = (Kept::default(), RepoId::from("one"));
        let mut n_asked = 0;
        let mut ask = |path: &str, is_well: bool| {
            let answer = kept.once(&repo, path, || {
                n_asked += 1;
                is_well
                    .then(|| path.to_owned())
                    .ok_or_else(|| Failure::request("no".to_owned()))
            });
            answer.is_ok()
        };
        assert!(ask("a", true) && ask("a", true) && ask("b", true));
        assert!(!ask("c", false) && ask("c", true));
        assert_eq!(n_asked, 4);
    }
}

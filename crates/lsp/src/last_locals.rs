//! The local names of the file that was asked about last: questions about one text come in a row.

use parking_lot::Mutex;
use std::sync::Arc;
use whyrank_engine::Engine;
use whyrank_engine::api::LocalPlace;

/// The file that was asked about last, with its local names.
#[derive(Default)]
pub(crate) struct LastLocals(Mutex<Option<Last>>);

/// A text under a path, which says its language: `a.js` and `a.ts` may hold the same.
struct Last {
    path: String,
    text: String,
    places: Arc<[LocalPlace]>,
}

impl LastLocals {
    pub(crate) fn of(&self, engine: &Engine, path: &str, text: &str) -> Arc<[LocalPlace]> {
        let is_same = |last: &&Last| last.path == path && last.text == text;
        if let Some(last) = self.0.lock().as_ref().filter(is_same) {
            return Arc::clone(&last.places);
        }
        let places: Arc<[LocalPlace]> = engine.locals_of(path, text).into();
        *self.0.lock() = Some(Last {
            path: path.to_owned(),
            text: text.to_owned(),
            places: Arc::clone(&places),
        });
        places
    }
}

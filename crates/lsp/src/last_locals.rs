//! The local names of the text that was asked about last: questions about one text come in a row.

use parking_lot::Mutex;
use std::sync::Arc;
use whyrank_engine::Engine;
use whyrank_engine::api::LocalPlace;

/// The text that was asked about last, with its local names.
#[derive(Default)]
pub(crate) struct LastLocals(Mutex<Option<(String, Arc<[LocalPlace]>)>>);

impl LastLocals {
    pub(crate) fn of(&self, engine: &Engine, path: &str, text: &str) -> Arc<[LocalPlace]> {
        if let Some((_, places)) = self.0.lock().as_ref().filter(|(last, _)| last == text) {
            return Arc::clone(places);
        }
        let places: Arc<[LocalPlace]> = engine.locals_of(path, text).into();
        *self.0.lock() = Some((text.to_owned(), Arc::clone(&places)));
        places
    }
}

//! Sparse vectors: whether they are made, and how far they are.

use super::State;
use crate::views::{COVERAGE_AGE, LiveView, Sparse};
use std::sync::{Arc, PoisonError};
use std::time::Instant;
use whyrank_inference::load_sparse_encoder;

impl State {
    /// The sparse encoder of the settings; `None` where none is chosen. Loaded at first need.
    pub(crate) fn sparse(&self) -> Option<Sparse> {
        let name = self.settings().sparse_model?;
        let mut slot = self.live.sparse();
        if let Some((known, Ok(encoder))) = slot.as_ref()
            && *known == name
        {
            return Some(Ok(Arc::clone(encoder)));
        }
        let loaded = self.load_sparse(&name);
        *slot = Some((name, loaded.clone()));
        Some(loaded)
    }

    fn load_sparse(&self, name: &str) -> Sparse {
        let store = self.model_store();
        let entry = store.lock().get(name).map_err(|error| error.to_string())?;
        let encoder = load_sparse_encoder(&store, entry).map_err(|error| error.to_string())?;
        Ok(Arc::new(encoder))
    }

    /// The share of a view's chunks that have sparse vectors, and why not all; nothing where no sparse
    /// model is chosen.
    pub(crate) fn sparse_coverage(&self, view: &LiveView) -> (f64, Option<String>) {
        let encoder = match self.sparse() {
            None => return (0.0, None),
            Some(Err(reason)) => return (0.0, Some(reason)),
            Some(Ok(encoder)) => encoder,
        };
        let visible = &view.visible;
        let total = visible.len();
        let spec = encoder.sparse_spec();
        let mut slot = view
            .with_sparse
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let known = slot.as_ref().filter(|(at, of, n)| {
            *of == spec.fingerprint && (*n == total || at.elapsed() < COVERAGE_AGE)
        });
        let n_covered = match known {
            Some((_, _, n_covered)) => *n_covered,
            None => match view.reader.sparse_coverage(spec) {
                Err(error) => return (0.0, Some(format!("damaged: {error}"))),
                Ok(covered) => {
                    let covered = covered.unwrap_or_default();
                    let n_covered = covered.intersection_len(visible);
                    *slot = Some((Instant::now(), spec.fingerprint.clone(), n_covered));
                    n_covered
                }
            },
        };
        let note = (n_covered < total).then(|| {
            format!(
                "{n_covered} of {total} chunks have sparse vectors; run `whyrank index` to go on"
            )
        });
        (n_covered as f64 / total.max(1) as f64, note)
    }
}

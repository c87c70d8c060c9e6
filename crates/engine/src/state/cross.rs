//! The cross-encoder of the settings.

use super::State;
use crate::views::Cross;
use std::path::Path;
use std::sync::Arc;
use whyrank_inference::{CrossEncoder, ModelState, load_cross_encoder};

impl State {
    /// The cross-encoder over the chosen model; `None` where there are no weights for it, or no model.
    /// Loaded at first need.
    pub(crate) fn cross(&self) -> Cross {
        let settings = self.settings();
        let of = format!("{} {:?}", settings.model, settings.cross_encoder);
        let mut slot = self.live.cross();
        if let Some((known, model)) = slot.as_ref()
            && *known == of
        {
            return model.clone();
        }
        let path = settings.cross_encoder.as_deref().map(Path::new);
        let loaded = self.load_cross(&settings.model, path);
        *slot = Some((of, loaded.clone()));
        loaded
    }

    /// Which weights the cross-encoder has, if there is one.
    pub(crate) fn cross_name(&self) -> Option<String> {
        let model = self.cross()?.ok()?;
        Some(model.name().to_owned())
    }

    fn load_cross(&self, model: &str, weights: Option<&Path>) -> Cross {
        let store = self.model_store();
        if weights.is_none() && matches!(store.state(model), Ok(ModelState::Absent)) {
            return None;
        }
        let entry = store.lock().get(model);
        let loaded = entry.and_then(|entry| load_cross_encoder(&store, entry, weights));
        let shared = |model| Arc::new(model) as Arc<dyn CrossEncoder>;
        let loaded = loaded.map(|model| model.map(shared));
        loaded.map_err(|error| error.to_string()).transpose()
    }
}

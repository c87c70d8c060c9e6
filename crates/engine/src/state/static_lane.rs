//! Static vectors: whether they are made, and for how many chunks.

use super::State;
use crate::api::Stage;
use crate::views::LiveView;
use std::sync::Arc;
use whyrank_inference::StaticEncoder;

impl State {
    /// The static table, or why it is not used.
    pub(crate) fn static_encoder(&self) -> Result<Arc<StaticEncoder>, String> {
        if self.settings().off.contains(&Stage::StaticVectors) {
            return Err("switched off in the settings".to_owned());
        }
        StaticEncoder::builtin()
    }

    /// The share of a view's chunks that have a static vector.
    pub(crate) fn static_coverage(&self, view: &LiveView) -> f64 {
        let Ok(encoder) = self.static_encoder() else {
            return 0.0;
        };
        let covered = view.reader.static_coverage(encoder.spec());
        match view.visible.len() {
            0 => 1.0,
            total => covered.intersection_len(&view.visible) as f64 / total as f64,
        }
    }
}

//! The gate's what-if: recorded figures compared with other thresholds.

use crate::Engine;
use crate::api::{GateFeatures, GateSettings, GateVerdict};

impl Engine {
    /// Tells what the gate would have decided with other settings, by the rules that decided then.
    /// `missing` is why the stage could not have run, as recorded.
    pub fn gate_what_if(
        &self,
        settings: &GateSettings,
        features: &GateFeatures,
        missing: Option<&str>,
    ) -> GateVerdict {
        whyrank_retrieval::decide(settings, features, missing)
    }
}

//! Token vectors: whether they are made, and how far they are.

use super::State;
use crate::api::TokenVectors;
use crate::views::{COVERAGE_AGE, LiveView};
use std::sync::Arc;
use std::time::Instant;
use whyrank_index::{TokenOptions, TokenReader};
use whyrank_inference::{TokenEncoder, TokenSpec};

/// An encoder and how its vectors are kept, or why there are none.
type TokenLane = Result<(Arc<dyn TokenEncoder>, TokenOptions), String>;

impl State {
    /// Lane 3 by the settings and the model at hand.
    pub(crate) fn token_lane(&self) -> TokenLane {
        let (name, options) = self.chosen_tokens()?;
        let encoders = self.encoders(&name)?;
        let tokens = encoders.tokens.as_ref().map_err(String::clone)?;
        Ok((Arc::clone(tokens), options))
    }

    /// The model whose token vectors are made, and how they are kept.
    fn chosen_tokens(&self) -> Result<(String, TokenOptions), String> {
        let settings = self.settings();
        let options = match settings.token_vectors {
            TokenVectors::Off => return Err("switched off in the settings".to_owned()),
            TokenVectors::Rescore => TokenOptions { wide: false },
            TokenVectors::Wide => TokenOptions { wide: true },
        };
        Ok((settings.token_model.unwrap_or(settings.model), options))
    }

    /// The token vectors of a view's store with the encoder that asks them, or why there are none.
    pub(crate) fn tokens(
        &self,
        view: &LiveView,
    ) -> Result<(Arc<dyn TokenEncoder>, Arc<TokenReader>), String> {
        let (_, reader) = self.token_vectors(view)?;
        let (encoder, _) = self.token_lane()?;
        Ok((encoder, reader))
    }

    /// The token vectors of a view's store with what they depend on; no model is loaded for it.
    fn token_vectors(&self, view: &LiveView) -> Result<(TokenSpec, Arc<TokenReader>), String> {
        let (name, _) = self.chosen_tokens()?;
        let spec = self.model_specs(&name)?.tokens?;
        match view.reader.tokens(&spec) {
            Ok(Some(reader)) => Ok((spec, reader)),
            Ok(None) => Err("no chunk has token vectors yet; run `whyrank index`".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The share of a view's chunks that have token vectors, and why not all.
    pub(crate) fn token_coverage(&self, view: &LiveView) -> (f64, Option<String>) {
        let visible = &view.visible;
        let total = visible.len();
        let (spec, reader) = match self.token_vectors(view) {
            Ok(found) => found,
            Err(reason) => return (0.0, Some(reason)),
        };
        let fingerprint = &spec.fingerprint;
        let mut slot = view.with_tokens.lock();
        let known = slot.as_ref().filter(|(at, of, n)| {
            of == fingerprint && (*n == total || at.elapsed() < COVERAGE_AGE)
        });
        let n_covered = known.map(|(_, _, n_covered)| *n_covered);
        let n_covered = n_covered.unwrap_or_else(|| {
            let n_covered = reader.coverage(visible);
            *slot = Some((Instant::now(), fingerprint.clone(), n_covered));
            n_covered
        });
        let note = self.lane_note(n_covered, total, "token vectors");
        (n_covered as f64 / total.max(1) as f64, note)
    }
}

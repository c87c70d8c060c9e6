//! The encoders against independent implementations, and against known figures of the real model.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up should panic")]

mod adapter;
mod cross;
mod minilm;
mod pre_norm;
mod reference;
mod reference_pre_norm;
mod tiny;
mod tokens;
mod transformers;

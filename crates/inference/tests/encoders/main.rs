//! The encoders against independent implementations, and against known figures of the real model.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up should panic")]

mod minilm;
mod reference;
mod tiny;
mod tokens;

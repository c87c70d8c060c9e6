//! The encoders against independent implementations, and against known figures of the real model.

mod minilm;
mod reference;
mod tiny;

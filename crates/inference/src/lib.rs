//! Neural models behind traits, and the store that keeps them.
//!
//! In: texts and a folder. Out: unit-length vectors. Weights come from `models/models.lock.toml`,
//! every file pinned by sha256. Nothing here reads the environment, the home directory or the clock,
//! and only [`ModelStore::pull`] opens a connection or starts a process.

mod error;
mod lock;
mod store;

mod encoder;
mod kernels;
mod matmul;
mod trunk;
mod weights;

mod bert;
mod fake;
mod nomic_bert;
mod transformer;

#[cfg(feature = "fetch")]
mod fetch;

pub use encoder::{BiEncoder, EncoderSpec, Pooling, QueryKind};
pub use error::InferenceError;
pub use fake::FakeBiEncoder;
pub use lock::{Architecture, ModelEntry, ModelFile, ModelLock, Source};
pub use store::{FileProblem, ModelState, ModelStore, PullOptions, PullProgress, PullStage};
pub use transformer::{TokenStates, TransformerEncoder, load_bi_encoder};

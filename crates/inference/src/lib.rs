//! Neural models behind traits, and the store that keeps them.
//!
//! In: texts and a folder. Out: unit-length vectors. Weights come from `models/models.lock.toml`,
//! every file pinned by sha256 there or when it was imported. Nothing here reads the environment, the
//! home directory or the clock, and only [`ModelStore::pull`] opens a connection or starts a process.

mod adapter;
mod bundled;
mod config;
mod cross;
mod error;
mod files;
mod lock;
mod pins;
mod pull;
mod store;

mod encoder;
mod normalize;

mod attention;
mod encoder_stack;
mod kernels;
mod matmul;
mod tokens;
mod weights;

mod bert;
mod fake;
mod fake_cross;
mod modern_bert;
mod nomic_bert;
mod static_embedding;
mod token_head;
mod transformer;

#[cfg(feature = "fetch")]
mod fetch;

pub use cross::{CrossEncoder, TrainedCrossEncoder, load_cross_encoder};
pub use encoder::{BiEncoder, EncoderSpec, Pooling, QueryKind};
pub use error::InferenceError;
pub use fake::FakeBiEncoder;
pub use fake_cross::FakeCrossEncoder;
pub use lock::{
    AdapterFile, Architecture, HeadFile, ModelEntry, ModelFile, ModelLock, ModelSource,
};
pub use normalize::{Normalization, Pretokenize};
pub use pull::{PullOptions, PullProgress, PullStage};
pub use static_embedding::StaticEncoder;
pub use store::{FileProblem, ImportProgress, ModelState, ModelStore};
pub use token_head::{EncoderSpecs, Encoders, TokenHeadEncoder, load_encoders, specs_of};
pub use tokens::{DocumentStates, QueryStates, TokenEncoder, TokenSpec, TokenStates};
pub use transformer::{TransformerEncoder, load_bi_encoder};

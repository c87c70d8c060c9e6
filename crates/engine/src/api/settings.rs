//! Settings, models, folders.

use super::error::EngineErrorDto;
use super::{Channel, GateSettings, ModelPresence, ModelStage, RerankSettings, Stage};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// A channel's weight as set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct WeightSetting {
    /// The channel.
    pub channel: Channel,
    /// Its weight, 0 to 5; 0 switches the channel off.
    pub weight: f64,
}

/// A model of the lock file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ModelSummary {
    /// Name in the lock file.
    pub name: String,
    /// What it is, in a line.
    pub description: String,
    /// Roles: `bi-encoder`, `token encoder`.
    pub roles: Vec<String>,
    /// Licence.
    pub licence: String,
    /// Dimensions of its vectors.
    pub dimensions: u32,
    /// Size of its files in bytes, as far as it is known.
    pub size_bytes: f64,
    /// It cannot be downloaded: nobody has pinned all of its files.
    pub import_only: bool,
    /// Who publishes it, and which revision: `lightonai/LateOn-Code@734b659`.
    pub upstream: String,
    /// Whether its files are there.
    pub state: ModelPresence,
    /// State in words, with the next step.
    pub state_note: String,
    /// What is wrong with its files, a line for each.
    pub problems: Vec<String>,
    /// Where it lies, if present.
    pub path: Option<String>,
    /// Whether the settings choose it; searches use it once it is present.
    pub chosen: bool,
}

/// Progress of a model's download or import.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ModelProgress {
    /// The model.
    pub model: String,
    /// Source at work.
    pub source: String,
    /// Stage at work.
    pub stage: ModelStage,
    /// Bytes so far.
    pub done_bytes: f64,
    /// Bytes in all; 0 while unknown.
    pub total_bytes: f64,
    /// Why it failed.
    pub error: Option<EngineErrorDto>,
}

/// Which token vectors indexing makes, for late interaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum TokenVectors {
    /// None: saves about 5 kB a chunk.
    Off,
    /// As scoring candidates needs them.
    #[default]
    Rescore,
    /// In the order that search over everything needs as well: twice the size.
    Wide,
}

/// The user's settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Settings {
    /// Channel weights.
    pub weights: Vec<WeightSetting>,
    /// The constant of reciprocal rank fusion.
    pub rrf_k: f64,
    /// The bi-encoder's name in the lock file.
    pub model: String,
    /// The token encoder's name in the lock file, if it is another than the bi-encoder's.
    pub token_model: Option<String>,
    /// The file of a cross-encoder's weights over the bi-encoder's model; without it those that come
    /// with the model, if any do.
    pub cross_encoder: Option<String>,
    /// Address of a mirror of the Hugging Face hub, asked for models before any other source.
    pub model_hub: Option<String>,
    /// Which token vectors are made.
    pub token_vectors: TokenVectors,
    /// Threads for indexing; 0 for all but one.
    pub index_threads: u32,
    /// Chunks of a view that get a vector and token vectors, those of files in use first, then of
    /// central ones; 0 for all.
    pub max_vectors: u32,
    /// Megabytes that the process may take while the symbol graph of a large repository is made; 0 for
    /// a quarter of the machine, at most 2,048.
    pub max_memory_mb: u32,
    /// Coefficients of the evidence terms that differ from the defaults, by name.
    pub evidence: BTreeMap<String, f64>,
    /// When late interaction runs.
    pub gate: GateSettings,
    /// Stages that are switched off.
    pub off: Vec<Stage>,
    /// The reranker.
    pub rerank: RerankSettings,
}

/// An editor that files can be opened in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct EditorInfo {
    /// What a request calls it.
    pub id: String,
    /// What people call it.
    pub name: String,
}

/// What lies where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct AppInfo {
    /// Version.
    pub version: String,
    /// Data folder.
    pub data_dir: String,
    /// Configuration file.
    pub config_file: String,
}

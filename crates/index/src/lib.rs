//! Stores, build pipeline, views, manifest.
//!
//! The index holds content; a view says which content is visible. Index flow, in module order:
//! a [`Writer`] lists and parses files (`build`), writes `catalog` and `lexical`, publishes the view,
//! makes the symbol graph (`kept_graph`) and gives chunks their vectors (`embed`),
//! and token vectors (`token_vectors`), and lets go of what only swept chunks had (`prune`); a [`Reader`] loads a [`View`] and searches in it.

mod bm25;
mod build;
mod catalog;
mod control;
mod disk_usage;
mod embed;
mod error;
mod facts;
mod frames;
mod grams;
mod graph_cache;
mod graph_journal;
mod graph_overlay;
mod health;
mod kept_graphs;
mod layout;
mod lexical;
mod manifest;
mod mapped_sections;
mod migrate_vectors;
mod names;
mod pool;
mod postings;
mod prune;
mod reader;
mod scored_chunk;
mod sketch;
mod stale_models;
mod static_lane;
mod store;
mod text_table;
mod token_vectors;
mod tokens;
mod vectors;
mod view;
mod worktree_record;

pub use bm25::LexicalScores;
pub use build::{UpdateReport, is_manifest};
pub use catalog::{Links, ViewKey};
pub use control::{JobControl, Stage, Unattended};
pub use disk_usage::DiskUsage;
pub use embed::{Encoded, Lanes};
pub use error::{IndexError, Result};
pub use facts::{LazyFacts, MemoryCeiling, ViewFacts, n_lost};
pub use grams::{GramLimits, ListedFiles, ViewGrams};
pub use graph_cache::{CachedGraph, LEAST_OVERLAID, NoGraph, RELATIONS};
pub use graph_overlay::GraphOverlay;
pub use health::DamagedPart;
pub use layout::WriterRequest;
pub use manifest::Manifest;
pub use mapped_sections::MappedSections;
pub use names::{FileNames, ModuleHead, NamedSymbol, NamesLimits, Outline, ViewNames, opens_again};
pub use pool::{Pool, VectorScan, split_chunks};
pub use postings::{Posting, PostingsReader};
pub use reader::Reader;
pub use scored_chunk::ScoredChunk;
pub use store::{Store, WriteMode, Writer};
pub use token_vectors::{Rescored, TokenCells, TokenMatch, TokenOptions, TokenReader, Wide};
pub use tokens::{for_each_token, parts, stem, tokens};
pub use view::{ChunkRef, GraphRecord, OwnFile, PoolOffset, View, ViewFile, pool_offsets};
pub use worktree_record::{WorktreeDifference, WorktreeRecord};

//! Lane 3: a vector for each token of a chunk, for late interaction.
//!
//! As with vectors, what is stored belongs to texts: a text is a document of the shard, and chunks
//! point to it. In a folder of the generation, named after all that changes the vectors:
//!
//! ```text
//! tokens-<fingerprint>-t<text version>-p<pooling version>-f<format>/
//!   table.db        which text is which document, where its tokens lie, which chunk has which text;
//!                   the tail: documents that are not coded yet, as f16; which shard is live
//!   shard-<epoch>/  coded documents: whyrank-late-interaction
//! ```
//!
//! A batch is one transaction of the table, tail and all: what was acknowledged survives a kill.
//! Coding the tail writes the shard first and empties the tail then; a document that is in both is
//! the same in both. Pruning works on the table first; documents that it no longer knows leave the shard
//! then, or with the next writer. New centroids make a new shard beside the old one, and one statement switches.

mod pool;
mod reader;
mod spans;
mod table;
mod writer;

pub(crate) use reader::{CachedTokens, check_tokens, clear_older, token_folder};
pub use reader::{Rescored, TokenCells, TokenMatch, TokenReader, Wide};
pub use writer::TokenOptions;
pub(crate) use writer::{NewTokens, TokenWriter, prune_tokens};

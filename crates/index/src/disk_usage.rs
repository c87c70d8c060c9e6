//! What vectors take on disk.

use crate::error::Result;
use crate::layout::{file_size, folder_size, vector_path};
use crate::reader::Reader;
use crate::static_lane::static_folder;
use crate::token_vectors::token_folder;
use crate::vectors::sketch_folders;
use whyrank_inference::{EncoderSpec, TokenSpec};

/// What one kind of vectors takes on disk, for all views of the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskUsage {
    /// Bytes of all its files, logs of what is being written among them.
    pub n_bytes: u64,
    /// Chunks that have such vectors.
    pub n_chunks: u64,
}

impl Reader {
    /// Returns bytes on disk of a model's vectors and of the sketch that is derived from them.
    ///
    /// # Errors
    /// Unreadable files.
    pub fn vector_disk_usage(&self, spec: &EncoderSpec) -> Result<DiskUsage> {
        let path = vector_path(&self.generation, &spec.fingerprint);
        let sketches = sketch_folders(&path);
        Ok(DiskUsage {
            n_bytes: file_size(&path) + sketches.iter().map(|f| folder_size(f)).sum::<u64>(),
            n_chunks: self.vector_coverage(spec)?.len(),
        })
    }

    /// Returns bytes on disk of a static table's vectors.
    pub fn static_disk_usage(&self, spec: &EncoderSpec) -> DiskUsage {
        DiskUsage {
            n_bytes: folder_size(&static_folder(&self.generation, spec)),
            n_chunks: self.static_coverage(spec).len(),
        }
    }

    /// Returns bytes on disk of a model's token vectors.
    ///
    /// # Errors
    /// Unreadable or damaged files.
    pub fn token_disk_usage(&self, spec: &TokenSpec) -> Result<DiskUsage> {
        let tokens = self.tokens(spec)?;
        Ok(DiskUsage {
            n_bytes: folder_size(&token_folder(&self.generation, spec)),
            n_chunks: tokens.map_or(0, |reader| reader.n_chunks()),
        })
    }
}

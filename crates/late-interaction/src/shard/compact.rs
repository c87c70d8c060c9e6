//! Many segments become one.

use super::Shard;
use super::manifest::Manifest;
use crate::codec::{Codec, RESIDUAL_UNIT};
use crate::error::Result;
use crate::segment::NewDocument;
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

/// More segments than this are made one.
const MAX_SEGMENTS: usize = 8;
/// As are all when a greater part of the documents is gone.
const MAX_REMOVED: f64 = 0.2;

impl Shard {
    /// Deletes files of the folder that the shard does not name: a writer that was killed leaves them. For
    /// the one writer, when it opens the shard. What cannot be deleted is only space.
    pub fn sweep(&self) {
        let codec = self.codec.as_ref().map(|codec| codec.fingerprint());
        let codec = codec.map(|fingerprint| Manifest::codec_path(&self.folder, fingerprint));
        let named: HashSet<PathBuf> = self
            .segments
            .iter()
            .map(|part| part.segment.path().to_owned())
            .chain(codec)
            .collect();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let kind = path.extension().and_then(|kind| kind.to_str());
            let is_ours = matches!(kind, Some("segment" | "codec" | "tmp"));
            if is_ours && !named.contains(&path) {
                drop(fs::remove_file(path));
            }
        }
    }

    /// Makes all segments one, without what is gone. Codes are copied, not made again.
    ///
    /// # Errors
    /// A folder that cannot be written; the shard stays as it was.
    pub fn compact(&mut self) -> Result<()> {
        match self.codec.clone() {
            Some(codec) if !self.segments.is_empty() => self.merge(&codec),
            _ => Ok(()),
        }
    }

    pub(super) fn compact_if_due(&mut self, codec: &Codec) -> Result<()> {
        let all: usize = self
            .segments
            .iter()
            .map(|part| part.segment.n_documents())
            .sum();
        let gone: u64 = self.segments.iter().map(|part| part.removed.len()).sum();
        let is_due = self.segments.len() > MAX_SEGMENTS || gone as f64 > MAX_REMOVED * all as f64;
        if is_due { self.merge(codec) } else { Ok(()) }
    }

    fn merge(&mut self, codec: &Codec) -> Result<()> {
        let mut entries: Vec<NewDocument<'_>> = Vec::new();
        for part in &self.segments {
            let mean = part.segment.mean_residual() * RESIDUAL_UNIT;
            for (local, id) in (0u32..).zip(part.segment.ids()) {
                if !part.removed.contains(local) {
                    let document = part.segment.document(local);
                    let n_tokens = document.tokens.inverse_norms.len() as f32;
                    let residual = (mean * n_tokens) as u32;
                    entries.push(NewDocument {
                        id: *id,
                        document,
                        residual,
                    });
                }
            }
        }
        entries.sort_unstable_by_key(|entry| entry.id);
        let merged = if entries.is_empty() {
            None
        } else {
            Some(self.write_part(codec, &entries)?)
        };
        drop(entries);
        let last = merged.as_ref().map_or(0, |part| part.number);
        self.next = self.next.max(last + 1);
        let old = std::mem::replace(&mut self.segments, merged.into_iter().collect());
        self.write_manifest()?;
        for part in old {
            // A reader that still maps it keeps it; what cannot be deleted is only space.
            drop(fs::remove_file(part.segment.path()));
        }
        Ok(())
    }
}

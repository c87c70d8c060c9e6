//! Writing segments: the grams of contents that a view shows and no segment has.

use super::segment::{GramContent, Segment, SegmentWriter};
use super::{GramLimits, file_name, is_grams_file, number_of, open_all};
use crate::catalog::{Catalog, ViewKey};
use crate::error::Result;
use crate::layout::DERIVED;
use crate::names::blob_start;
use crate::store::Writer;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use whyrank_grams::{Gram, GramReader};
use whyrank_source::{BlobId, blob_id};

/// Contents that are unpacked at once.
const BATCH: usize = 256;

impl Writer {
    /// Writes the grams of a view that no segment has, where they are many; small segments are joined with them.
    /// Segments of other formats go. Does little where there is nothing to do: O(files).
    ///
    /// # Errors
    /// A catalog that cannot be read, a folder that cannot be written.
    pub fn keep_grams(&mut self, key: &ViewKey, limits: GramLimits) -> Result<()> {
        let folder = self.generation.join(DERIVED);
        let Some(view) = self.catalog.view(key)? else {
            return Ok(());
        };
        let files = self.catalog.listed_files(view.view_id)?;
        let n_all: u64 = files.iter().map(|file| file.size_bytes).sum();
        if n_all < limits.least_in_view {
            return Ok(());
        }
        remove_other_formats(&folder);
        let mut segments = open_all(&folder);
        let has = |segment: &Segment| {
            segment
                .contents()
                .iter()
                .map(|content| content.content_id)
                .collect()
        };
        let in_segments: Vec<HashSet<i64>> =
            segments.iter().map(|(_, segment)| has(segment)).collect();
        let mut wanted: BTreeMap<i64, BlobId> = BTreeMap::new();
        let mut n_new = 0;
        for file in files {
            let is_new = !in_segments.iter().any(|ids| ids.contains(&file.content_id));
            if is_new && wanted.insert(file.content_id, file.blob).is_none() {
                n_new += file.size_bytes;
            }
        }
        if wanted.is_empty() || n_new < limits.least_new.min(n_all) {
            return Ok(());
        }
        let next = segments.first().map_or(1, |(number, _)| number + 1);
        let joined = to_join(&mut segments, n_new, limits.most_in_segment);
        for segment in &joined {
            let ids = segment.contents().iter().map(|content| content.content_id);
            wanted.extend(self.catalog.blobs_of(ids)?);
        }
        let wanted: Vec<(i64, BlobId)> = wanted.into_iter().collect();
        self.write_grams(&wanted, next, limits.most_in_segment)?;
        for segment in joined {
            let _ = std::fs::remove_file(segment.path());
        }
        Ok(())
    }

    fn write_grams(&self, wanted: &[(i64, BlobId)], first: u32, most_bytes: u64) -> Result<()> {
        let folder = self.generation.join(DERIVED);
        let mut segment = SegmentWriter::default();
        let mut next = first;
        for batch in wanted.chunks(BATCH) {
            if segment.n_bytes >= most_bytes {
                std::mem::take(&mut segment).finish(&folder.join(file_name(next)))?;
                next += 1;
            }
            add_batch(&self.catalog, batch, &mut segment)?;
        }
        segment.finish(&folder.join(file_name(next)))
    }

    /// Lets go of segments most of whose contents are gone.
    pub(crate) fn prune_grams(&self) -> Result<()> {
        for (_, segment) in open_all(&self.generation.join(DERIVED)) {
            let contents = segment.contents();
            let ids = contents.iter().map(|content| content.content_id);
            if 2 * self.catalog.blobs_of(ids)?.len() < contents.len() {
                let _ = std::fs::remove_file(segment.path());
            }
        }
        Ok(())
    }
}

fn add_batch(catalog: &Catalog, batch: &[(i64, BlobId)], writer: &mut SegmentWriter) -> Result<()> {
    let packed = batch.iter().map(|(content_id, blob)| {
        let text = catalog.text_bytes(*content_id)?;
        Ok(PackedContent {
            content_id: *content_id,
            blob: *blob,
            text,
        })
    });
    let packed = packed.collect::<Result<Vec<_>>>()?;
    let contents = packed.par_iter();
    let read = contents.map_init(GramReader::default, |reader, content| content.grams(reader));
    for (content, grams) in read.collect::<Result<Vec<_>>>()? {
        writer.add(content, &grams);
    }
    Ok(())
}

/// A content as the catalog has it.
struct PackedContent {
    content_id: i64,
    blob: BlobId,
    text: Vec<u8>,
}

impl PackedContent {
    /// The grams of a content whose text is the file. Of others (secrets were struck out, another encoding, the
    /// cells of a notebook) nothing is known.
    fn grams(&self, reader: &mut GramReader) -> Result<(GramContent, Vec<Gram>)> {
        let text = Catalog::unpack_text(&self.text)?;
        let is_file = blob_id(text.as_bytes()) == self.blob;
        let grams = is_file.then(|| reader.grams(text.as_bytes())).flatten();
        let content = GramContent {
            content_id: self.content_id,
            blob: blob_start(self.blob),
            n_bytes: text.len() as u32,
            is_known: grams.is_some(),
        };
        Ok((content, grams.unwrap_or_default().to_vec()))
    }
}

/// Takes out the segments that are joined with as much new text: those that are no larger than what there is to
/// join already, so that each text is read again only as often as sizes double.
fn to_join(segments: &mut Vec<(u32, Segment)>, n_new: u64, most: u64) -> Vec<Segment> {
    segments.sort_by_key(|(_, segment)| segment.n_bytes());
    let mut n = n_new;
    let mut n_joined = 0;
    for (_, segment) in segments.iter() {
        let size = segment.n_bytes();
        if size > n || n + size > most {
            break;
        }
        n += size;
        n_joined += 1;
    }
    let joined = segments.drain(..n_joined);
    joined.map(|(_, segment)| segment).collect()
}

fn remove_other_formats(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let is_other = |path: &PathBuf| is_grams_file(path) && number_of(path).is_none();
    for path in paths.filter(is_other) {
        let _ = std::fs::remove_file(path);
    }
}

//! Writing segments: the names of contents that a view shows and no segment has.

use super::segment::{NewNames, Segment, SegmentWriter};
use super::{
    NamesLimits, blob_start, file_name, is_names_file, number_of, remove_damaged, segment_files,
};
use crate::catalog::{Catalog, ViewKey};
use crate::error::Result;
use crate::layout::DERIVED;
use crate::store::Writer;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use whyrank_source::BlobId;

/// Contents that are unpacked at once.
const BATCH: usize = 256;

impl Writer {
    /// Writes the names of a view that no segment has, where they are many; small segments are joined with
    /// them. Segments of other formats go. Does little where there is nothing to do: O(files).
    ///
    /// # Errors
    /// A catalog that cannot be read, a folder that cannot be written.
    pub fn keep_names(&mut self, key: &ViewKey, limits: NamesLimits) -> Result<()> {
        let folder = self.generation.join(DERIVED);
        let Some(view) = self.catalog.view(key)? else {
            return Ok(());
        };
        let rows = self.catalog.view_contents(view.view_id)?;
        let n_all: u64 = rows.iter().map(|(_, _, n)| u64::from(*n)).sum();
        if n_all < limits.least_in_view {
            return Ok(());
        }
        remove_other_formats(&folder);
        let mut segments = open_all(&folder);
        let known: HashSet<i64> = segments
            .iter()
            .flat_map(|(_, segment)| segment.contents().iter().map(|content| content.content_id))
            .collect();
        let mut wanted: BTreeMap<i64, BlobId> = BTreeMap::new();
        let mut n_new = 0;
        for (content_id, blob, n_symbols) in rows {
            let is_new = !known.contains(&content_id);
            if is_new && wanted.insert(content_id, blob).is_none() {
                n_new += u64::from(n_symbols);
            }
        }
        if n_new < limits.least_new.min(n_all) || wanted.is_empty() {
            return Ok(());
        }
        let mut next = segments.first().map_or(1, |(number, _)| number + 1);
        let joined = to_join(&mut segments, n_new as usize, limits.most_in_segment);
        for segment in &joined {
            let ids = segment.contents().iter().map(|content| content.content_id);
            wanted.extend(self.catalog.blobs_of(ids)?);
        }
        let wanted: Vec<(i64, BlobId)> = wanted.into_iter().collect();
        let mut rest = wanted.as_slice();
        while !rest.is_empty() {
            let mut segment = SegmentWriter::create(&folder.join(file_name(next)))?;
            while !rest.is_empty() && segment.n_symbols < limits.most_in_segment {
                let (batch, after) = rest.split_at(rest.len().min(BATCH));
                add_batch(&self.catalog, batch, &mut segment)?;
                rest = after;
            }
            segment.finish()?;
            next += 1;
        }
        for segment in joined {
            let _ = std::fs::remove_file(segment.path());
        }
        Ok(())
    }

    /// Lets go of segments most of whose contents are gone.
    pub(crate) fn prune_names(&self) -> Result<()> {
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
    let packed = batch.iter().map(|(id, _)| catalog.outline_bytes(*id));
    let packed = packed.collect::<Result<Vec<_>>>()?;
    let outlines = packed.par_iter();
    let outlines = outlines.map(|bytes| Catalog::unpack_outline(bytes));
    let outlines = outlines.collect::<Result<Vec<_>>>()?;
    for ((content_id, blob), outline) in batch.iter().zip(&outlines) {
        writer.add(&NewNames {
            content_id: *content_id,
            blob: blob_start(*blob),
            outline,
        })?;
    }
    Ok(())
}

/// Takes out the segments that are joined with as many new definitions: those that are no larger than what
/// there is to join already, so that each definition is written again only as often as sizes double.
fn to_join(segments: &mut Vec<(u32, Segment)>, n_new: usize, most: usize) -> Vec<Segment> {
    segments.sort_by_key(|(_, segment)| segment.n_symbols());
    let mut n = n_new;
    let mut n_joined = 0;
    for (_, segment) in segments.iter() {
        let size = segment.n_symbols();
        if size > n || n + size > most {
            break;
        }
        n += size;
        n_joined += 1;
    }
    segments
        .drain(..n_joined)
        .map(|(_, segment)| segment)
        .collect()
}

/// The newest first. What is damaged is taken away.
fn open_all(folder: &Path) -> Vec<(u32, Segment)> {
    let files = segment_files(folder).into_iter();
    let open = files.filter_map(|(number, path)| match Segment::open(&path) {
        Ok(segment) => Some((number, segment)),
        Err(error) => {
            remove_damaged(&path, &error);
            None
        }
    });
    open.collect()
}

fn remove_other_formats(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let is_other = |path: &PathBuf| is_names_file(path) && number_of(path).is_none();
    for path in paths.filter(is_other) {
        let _ = std::fs::remove_file(path);
    }
}

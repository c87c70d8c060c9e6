//! Which files make up a shard.
//!
//! `shard`, little-endian: `WRLISHD1`; fingerprint of the codec (8, 0 for none); number of segments
//! (4); for each its number (8), the length of its tombstones (4) and these, a serialised roaring
//! bitmap of documents' indices; CRC-32 of all before (4). A segment is in `<number>.segment`, the
//! codec in `<fingerprint>.codec`. The file is replaced by rename: a reader sees the old shard or the
//! new one.

use crate::error::{Error, Result};
use roaring::RoaringBitmap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"WRLISHD1";

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Manifest {
    /// Fingerprint; 0 for none.
    pub(super) codec: u64,
    /// Number and tombstones, in order of writing.
    pub(super) segments: Vec<(u64, RoaringBitmap)>,
}

impl Manifest {
    pub(super) fn path(folder: &Path) -> PathBuf {
        folder.join("shard")
    }

    pub(super) fn codec_path(folder: &Path, fingerprint: u64) -> PathBuf {
        folder.join(format!("{fingerprint:016x}.codec"))
    }

    pub(super) fn segment_path(folder: &Path, number: u64) -> PathBuf {
        folder.join(format!("{number}.segment"))
    }

    pub(super) fn read(folder: &Path) -> Result<Self> {
        let path = Self::path(folder);
        let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
        Self::parse(&bytes)
            .ok_or_else(|| Error::damaged(&path, "not a shard of format 1, or cut short"))
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (body, crc) = bytes.split_at_checked(bytes.len().checked_sub(4)?)?;
        let rest = body.strip_prefix(MAGIC)?;
        if crc32fast::hash(body).to_le_bytes() != crc {
            return None;
        }
        let (codec, rest) = rest.split_first_chunk::<8>()?;
        let (n, mut rest) = rest.split_first_chunk::<4>()?;
        let mut segments = Vec::new();
        for _ in 0..u32::from_le_bytes(*n) {
            let (number, after) = rest.split_first_chunk::<8>()?;
            let (len, after) = after.split_first_chunk::<4>()?;
            let (removed, after) = after.split_at_checked(u32::from_le_bytes(*len) as usize)?;
            let removed = RoaringBitmap::deserialize_from(removed).ok()?;
            segments.push((u64::from_le_bytes(*number), removed));
            rest = after;
        }
        Some(Self {
            codec: u64::from_le_bytes(*codec),
            segments,
        })
    }

    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let path = Self::path(folder);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.codec.to_le_bytes());
        bytes.extend((self.segments.len() as u32).to_le_bytes());
        for (number, removed) in &self.segments {
            bytes.extend(number.to_le_bytes());
            bytes.extend((removed.serialized_size() as u32).to_le_bytes());
            removed
                .serialize_into(&mut bytes)
                .map_err(Error::io("write", &path))?;
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        replace(&path, &bytes)
    }
}

/// Writes a file under another name, flushes it, and renames it.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = path.with_extension("tmp");
    let mut file = File::create(&temporary).map_err(Error::io("create", &temporary))?;
    file.write_all(bytes)
        .map_err(Error::io("write", &temporary))?;
    file.sync_all().map_err(Error::io("flush", &temporary))?;
    fs::rename(&temporary, path).map_err(Error::io("rename", &temporary))
}

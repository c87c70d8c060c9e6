//! Sections of numbers in a mapped file: read where they lie, each block checked when it is first touched.

use crate::error::{IndexError, Result};
use crate::frames::{Frame, FramesReader, FramesWriter};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use whyrank_graph::{SectionSink, Sections};

const MARK: &[u8; 8] = b"WRSECTS\x01";
/// Bytes that have a checksum together.
const BLOCK_BYTES: usize = 16 << 10;
/// Sections begin where any number may.
const ALIGNMENT: u64 = 64;

#[derive(Debug, Serialize, Deserialize)]
struct Directory {
    /// What it was made from.
    stamp: String,
    /// The blocks of each section, one after the other.
    sections: Vec<Vec<Frame>>,
}

/// A file of sections in the making. What fails is told at the end.
pub(crate) struct SectionsWriter {
    frames: FramesWriter,
    directory: Directory,
    /// The block at work.
    block: Vec<u8>,
    outcome: Result<()>,
}

impl SectionsWriter {
    pub(crate) fn create(path: &Path, stamp: &str) -> Result<Self> {
        Ok(Self {
            frames: FramesWriter::create(path)?,
            directory: Directory {
                stamp: stamp.to_owned(),
                sections: Vec::new(),
            },
            block: Vec::with_capacity(BLOCK_BYTES),
            outcome: Ok(()),
        })
    }

    /// Puts the file in its place.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.end_block();
        self.outcome?;
        let directory = postcard::to_stdvec(&self.directory)?;
        self.frames.finish(MARK, &directory)
    }

    /// The sections so far, to be read while others are made of them. To be closed before
    /// [`SectionsWriter::finish`].
    pub(crate) fn so_far(&mut self) -> Result<MappedSections> {
        self.end_block();
        std::mem::replace(&mut self.outcome, Ok(()))?;
        let frames = self.frames.so_far()?;
        Ok(MappedSections::of(frames, self.directory.sections.clone()))
    }

    fn end_block(&mut self) {
        if self.outcome.is_err() || self.block.is_empty() {
            return;
        }
        match self.frames.add(&self.block) {
            Ok(frame) => self
                .directory
                .sections
                .last_mut()
                .into_iter()
                .for_each(|section| section.push(frame)),
            Err(error) => self.outcome = Err(error),
        }
        self.block.clear();
    }
}

impl SectionSink for SectionsWriter {
    fn begin(&mut self) {
        self.end_block();
        if self.outcome.is_ok() {
            self.outcome = self.frames.align(ALIGNMENT);
        }
        self.directory.sections.push(Vec::new());
    }

    fn extend(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(BLOCK_BYTES - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = rest;
            if self.block.len() == BLOCK_BYTES {
                self.end_block();
            }
        }
    }
}

/// A file of sections that is open.
#[derive(Debug)]
pub struct MappedSections {
    frames: FramesReader,
    sections: Vec<Section>,
    met_damage: AtomicBool,
}

#[derive(Debug)]
struct Section {
    start: u64,
    len: usize,
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Block {
    frame: Frame,
    is_sound: AtomicBool,
}

impl MappedSections {
    /// Writes a file, whole or not at all.
    pub(crate) fn write(path: &Path, stamp: &str, sections: &[&[u8]]) -> Result<()> {
        let mut writer = SectionsWriter::create(path, stamp)?;
        for section in sections {
            writer.begin();
            writer.extend(section);
        }
        writer.finish()
    }

    /// Opens a file that was made from the same; a damaged one is taken away.
    pub(crate) fn open(path: &Path, stamp: &str) -> Option<Self> {
        Self::open_by(path, &|made_from| made_from == stamp)
    }

    /// The same, of whatever stamp is accepted.
    pub(crate) fn open_by(path: &Path, is_accepted: &dyn Fn(&str) -> bool) -> Option<Self> {
        match Self::read(path) {
            Ok((file, made_from)) => is_accepted(&made_from).then_some(file),
            Err(IndexError::Io { .. }) => None,
            Err(_) => {
                // It is made anew at the next opportunity.
                let _ = std::fs::remove_file(path);
                None
            }
        }
    }

    /// The file, and what it was made from.
    pub(crate) fn read(path: &Path) -> Result<(Self, String)> {
        let (frames, directory) = FramesReader::open(path, MARK)?;
        let directory: Directory = postcard::from_bytes(&directory)?;
        Ok((Self::of(frames, directory.sections), directory.stamp))
    }

    fn of(frames: FramesReader, sections: Vec<Vec<Frame>>) -> Self {
        let sections = sections.into_iter().map(|blocks| Section {
            start: blocks.first().map_or(0, |frame| frame.offset),
            len: blocks.iter().map(|frame| frame.len as usize).sum(),
            blocks: blocks
                .into_iter()
                .map(|frame| Block {
                    frame,
                    is_sound: AtomicBool::new(false),
                })
                .collect(),
        });
        Self {
            sections: sections.collect(),
            frames,
            met_damage: AtomicBool::new(false),
        }
    }

    /// Whether all blocks are what was written.
    pub(crate) fn is_whole(path: &Path) -> bool {
        let Ok((file, _)) = Self::read(path) else {
            return false;
        };
        let mut blocks = file.sections.iter().flat_map(|section| &section.blocks);
        blocks.all(|block| file.frames.read(block.frame).is_ok())
    }

    fn is_sound(&self, block: &Block) -> bool {
        if block.is_sound.load(Ordering::Relaxed) {
            return true;
        }
        let is_sound = self.frames.read(block.frame).is_ok();
        block.is_sound.store(is_sound, Ordering::Relaxed);
        is_sound
    }

    fn checked(&self, section: usize, range: Range<usize>) -> Option<&[u8]> {
        let section = self.sections.get(section)?;
        if range.start > range.end || range.end > section.len {
            return None;
        }
        let blocks = range.start / BLOCK_BYTES..range.end.div_ceil(BLOCK_BYTES);
        let mut blocks = section.blocks.get(blocks).unwrap_or(&[]).iter();
        if !blocks.all(|block| self.is_sound(block)) {
            return None;
        }
        let (start, end) = (range.start as u64, range.end as u64);
        self.frames
            .range(section.start + start..section.start + end)
    }
}

impl Sections for MappedSections {
    fn len_of(&self, section: usize) -> usize {
        self.sections.get(section).map_or(0, |section| section.len)
    }

    fn bytes(&self, section: usize, range: Range<usize>) -> Option<&[u8]> {
        let found = self.checked(section, range);
        if found.is_none() && !self.met_damage.swap(true, Ordering::Relaxed) {
            // Who asks next makes it anew.
            let _ = std::fs::remove_file(self.frames.path());
        }
        found
    }

    fn met_damage(&self) -> bool {
        self.met_damage.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_read_where_they_lie_and_damage_is_met_where_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("graph.1.bin");
        let numbers: Vec<u8> = (0..3 * BLOCK_BYTES + 40).map(|at| at as u8).collect();
        let sections: [&[u8]; 3] = [&numbers, &[], &numbers[..9]];
        MappedSections::write(&path, "made from", &sections).expect("written");
        let open = || MappedSections::open(&path, "made from").expect("open");
        let file = open();
        for (at, section) in sections.iter().enumerate() {
            assert_eq!(file.len_of(at), section.len());
            assert_eq!(file.bytes(at, 0..section.len()), Some(*section));
        }
        assert_eq!(
            file.bytes(0, BLOCK_BYTES - 2..BLOCK_BYTES + 2),
            Some(&numbers[BLOCK_BYTES - 2..BLOCK_BYTES + 2])
        );
        assert!(!file.met_damage());
        assert_eq!(file.bytes(0, 0..numbers.len() + 1), None);
        assert!(file.met_damage());

        MappedSections::write(&path, "made from", &sections).expect("written");
        assert!(MappedSections::is_whole(&path));
        assert!(MappedSections::open(&path, "of another state").is_none() && path.exists());
        let mut bytes = std::fs::read(&path).expect("read");
        bytes[2 * BLOCK_BYTES + 3] ^= 1;
        std::fs::write(&path, &bytes).expect("written");
        assert!(!MappedSections::is_whole(&path));
        let file = open();
        assert!(file.bytes(0, 0..BLOCK_BYTES).is_some() && !file.met_damage());
        assert_eq!(file.bytes(0, BLOCK_BYTES..3 * BLOCK_BYTES), None);
        assert!(file.met_damage() && !path.exists());
    }

    #[test]
    fn what_was_read_back_is_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("uses.1.bin");
        let numbers: Vec<u8> = (0..2 * BLOCK_BYTES + 9).map(|at| (at / 3) as u8).collect();
        let mut writer = SectionsWriter::create(&path, "made from").expect("created");
        writer.begin();
        numbers.chunks(1_000).for_each(|part| writer.extend(part));
        let so_far = writer.so_far().expect("read back");
        let first = so_far.bytes(0, 0..so_far.len_of(0)).expect("sound");
        let sum: Vec<u8> = vec![first.iter().fold(0, |sum, byte| sum ^ byte)];
        drop(so_far);
        writer.begin();
        writer.extend(&sum);
        writer.finish().expect("written");

        let file = MappedSections::open(&path, "made from").expect("open");
        let section = |at: usize| file.bytes(at, 0..file.len_of(at)).expect("sound");
        assert!(section(0) == numbers && MappedSections::is_whole(&path));
        assert_eq!(section(1), sum.as_slice());
        let names = std::fs::read_dir(folder.path()).expect("read");
        assert_eq!(names.count(), 1, "nothing else stays");
    }
}

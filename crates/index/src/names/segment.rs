//! A segment: the names of some contents, in one file that never changes.
//!
//! ```text
//! names-<format>-<number>.bin      frames (`frames.rs`), little endian
//!     definitions, a frame a content, lz4: number; end of each name (u32); kind and visibility (u8);
//!                                  chunk (u32, 0 for none, from 1); names
//!     places, a frame for a long list
//!     entries, sorted, in frames of about 8 kB: shared bytes, bytes, rest of the key, number of places,
//!                                  bytes of places, the places or where they are
//!     directory                    the contents by id, and the first key of each frame of entries
//! ```
//!
//! A key is a token of a name behind 0, or a whole name, lower-cased, behind 1. Places are (content,
//! definition), sorted, as differences.

use super::file_names::{FileNames, pack_definitions};
use super::outline::{ModuleHead, Outline, module_heads};
use crate::error::Result;
use crate::frames::{Frame, FramesReader, FramesWriter, put, take, take_bytes};
use crate::tokens::for_each_token;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;

/// Part of the files' names: another format is another file.
pub(super) const FORMAT: u32 = 1;
const MARK: &[u8; 8] = b"WRNAMES\x01";
/// Bytes of entries that are checked and looked through together.
const ENTRIES_BYTES: usize = 8 << 10;
/// Longer lists of places have a frame of their own.
const MAX_INLINE: usize = 512;

/// What a key begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyKind {
    Token = 0,
    Name = 1,
}

fn key_into(key: &mut Vec<u8>, kind: KeyKind, text: &str) {
    key.clear();
    key.push(kind as u8);
    key.extend(text.as_bytes());
}

#[derive(Debug, Serialize, Deserialize)]
struct Directory {
    contents: Vec<ContentEntry>,
    /// First key and place of each frame of entries.
    entries: Vec<(Vec<u8>, Frame)>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ContentEntry {
    pub(super) content_id: i64,
    /// Beginning of its git id, to be sure that it is this content.
    pub(super) blob: u64,
    pub(super) n_symbols: u32,
    definitions: Frame,
    pub(super) heads: Vec<ModuleHead>,
}

/// A content on its way into a segment.
pub(super) struct NewNames<'a> {
    pub(super) content_id: i64,
    pub(super) blob: u64,
    pub(super) outline: &'a Outline,
}

/// A definition's place in a segment: content, definition.
type Place = (u32, u32);

/// A segment in the making.
pub(super) struct SegmentWriter {
    frames: FramesWriter,
    contents: Vec<ContentEntry>,
    places: HashMap<Box<[u8]>, Vec<Place>>,
    pub(super) n_symbols: usize,
}

impl SegmentWriter {
    /// Begins a segment that will lie at `path`.
    pub(super) fn create(path: &Path) -> Result<Self> {
        Ok(Self {
            frames: FramesWriter::create(path)?,
            contents: Vec::new(),
            places: HashMap::new(),
            n_symbols: 0,
        })
    }

    /// Adds a content. By rising id.
    pub(super) fn add(&mut self, new: &NewNames<'_>) -> Result<()> {
        let content = self.contents.len() as u32;
        let symbols = &new.outline.symbols;
        let mut key = Vec::new();
        for (at, symbol) in (0u32..).zip(symbols) {
            let mut push = |kind, text: &str| {
                key_into(&mut key, kind, text);
                match self.places.get_mut(key.as_slice()) {
                    // A token that a name has twice counts once.
                    Some(places) if places.last() == Some(&(content, at)) => {}
                    Some(places) => places.push((content, at)),
                    None => {
                        let key = key.as_slice().into();
                        self.places.insert(key, vec![(content, at)]);
                    }
                }
            };
            for_each_token(&symbol.name, |token| push(KeyKind::Token, token));
            push(KeyKind::Name, &symbol.name.to_lowercase());
        }
        self.n_symbols += symbols.len();
        let definitions = lz4_flex::compress_prepend_size(&pack_definitions(new.outline));
        self.contents.push(ContentEntry {
            content_id: new.content_id,
            blob: new.blob,
            n_symbols: symbols.len() as u32,
            definitions: self.frames.add(&definitions)?,
            heads: module_heads(new.outline),
        });
        Ok(())
    }

    /// Writes the file, whole or not at all.
    pub(super) fn finish(mut self) -> Result<()> {
        let mut entries: Vec<(Vec<u8>, Frame)> = Vec::new();
        let (mut first, mut last): (Vec<u8>, Vec<u8>) = Default::default();
        let mut open: Vec<u8> = Vec::with_capacity(2 * ENTRIES_BYTES);
        let mut sorted: Vec<(Box<[u8]>, Vec<Place>)> = self.places.into_iter().collect();
        sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        for (key, places) in &sorted {
            if open.is_empty() {
                first = key.to_vec();
                last.clear();
            }
            let n_shared = key.iter().zip(&last).take_while(|(a, b)| a == b).count();
            put(&mut open, n_shared as u64);
            put(&mut open, (key.len() - n_shared) as u64);
            open.extend(&key[n_shared..]);
            put(&mut open, places.len() as u64);
            let packed = pack_places(places);
            put(&mut open, packed.len() as u64);
            if packed.len() <= MAX_INLINE {
                open.extend(&packed);
            } else {
                let frame = self.frames.add(&packed)?;
                put(&mut open, frame.offset);
                put(&mut open, u64::from(frame.crc));
            }
            last.clear();
            last.extend_from_slice(key);
            if open.len() >= ENTRIES_BYTES {
                entries.push((first.clone(), self.frames.add(&open)?));
                open.clear();
            }
        }
        if !open.is_empty() {
            entries.push((first, self.frames.add(&open)?));
        }
        let directory = Directory {
            contents: self.contents,
            entries,
        };
        let directory = postcard::to_stdvec(&directory)?;
        self.frames.finish(MARK, &directory)
    }
}

fn pack_places(places: &[Place]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(2 * places.len());
    let mut last = (0u32, 0u32);
    for place in places {
        put(&mut packed, u64::from(place.0 - last.0));
        let since = if place.0 == last.0 { last.1 } else { 0 };
        put(&mut packed, u64::from(place.1 - since));
        last = *place;
    }
    packed
}

fn each_place(n: u64, mut packed: &[u8], each: &mut impl FnMut(Place)) -> Option<()> {
    let mut last = (0u32, 0u32);
    for _ in 0..n {
        let content = u32::try_from(take(&mut packed)?)
            .ok()?
            .checked_add(last.0)?;
        let since = if content == last.0 { last.1 } else { 0 };
        let symbol = u32::try_from(take(&mut packed)?).ok()?.checked_add(since)?;
        last = (content, symbol);
        each(last);
    }
    Some(())
}

/// A segment that is open.
#[derive(Debug)]
pub(super) struct Segment {
    frames: FramesReader,
    directory: Directory,
}

impl Segment {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let (frames, directory) = FramesReader::open(path, MARK)?;
        let directory = postcard::from_bytes(&directory)?;
        Ok(Self { frames, directory })
    }

    pub(super) fn path(&self) -> &Path {
        self.frames.path()
    }

    /// By rising id.
    pub(super) fn contents(&self) -> &[ContentEntry] {
        &self.directory.contents
    }

    pub(super) fn n_symbols(&self) -> usize {
        let contents = self.directory.contents.iter();
        contents.map(|content| content.n_symbols as usize).sum()
    }

    /// The names of a content's definitions.
    pub(super) fn definitions(&self, content: u32) -> Result<FileNames> {
        let entry = self.directory.contents.get(content as usize);
        let entry = entry.ok_or_else(|| self.frames.damaged())?;
        let names = FileNames::unpack(self.frames.read(entry.definitions)?);
        names
            .filter(|names| names.len() == entry.n_symbols as usize)
            .ok_or_else(|| self.frames.damaged())
    }

    /// Calls `each` with every place of a token or a name, sorted.
    pub(super) fn places(
        &self,
        kind: KeyKind,
        text: &str,
        mut each: impl FnMut(Place),
    ) -> Result<()> {
        let mut key = Vec::new();
        key_into(&mut key, kind, text);
        let entries = &self.directory.entries;
        let after = entries.partition_point(|(first, _)| *first <= key);
        let Some(at) = after.checked_sub(1) else {
            return Ok(());
        };
        let found = find(self.frames.read(entries[at].1)?, &key);
        let found = found.ok_or_else(|| self.frames.damaged())?;
        match found {
            None => Ok(()),
            Some((n, places)) => self.read_places(n, places, &mut each),
        }
    }

    /// Calls `each` with every place of the wanted names among those that begin with `start`, of which `most`
    /// are looked at.
    pub(super) fn beginning(
        &self,
        start: &str,
        most: usize,
        is_wanted: &dyn Fn(&str) -> bool,
        mut each: impl FnMut(Place),
    ) -> Result<()> {
        let mut first = Vec::new();
        key_into(&mut first, KeyKind::Name, start);
        let entries = &self.directory.entries;
        let after = entries.partition_point(|(key, _)| *key <= first);
        let mut n_seen = 0;
        for (_, frame) in &entries[after.saturating_sub(1)..] {
            let (mut rest, mut key) = (self.frames.read(*frame)?, Vec::new());
            while !rest.is_empty() {
                let entry = Entry::take(&mut rest).and_then(|entry| entry.complete(&mut key));
                let entry = entry.ok_or_else(|| self.frames.damaged())?;
                if key < first {
                    continue;
                }
                n_seen += 1;
                if !key.starts_with(&first) || n_seen > most {
                    return Ok(());
                }
                if std::str::from_utf8(&key[1..]).is_ok_and(is_wanted) {
                    self.read_places(entry.n_places, entry.places, &mut each)?;
                }
            }
        }
        Ok(())
    }

    fn read_places(&self, n: u64, places: Places<'_>, each: &mut impl FnMut(Place)) -> Result<()> {
        let packed = match places {
            Places::Here(packed) => packed,
            Places::At(frame) => self.frames.read(frame)?,
        };
        each_place(n, packed, each).ok_or_else(|| self.frames.damaged())
    }

    /// Reads every frame.
    pub(super) fn check(&self) -> Result<()> {
        for content in &self.directory.contents {
            self.frames.read(content.definitions)?;
        }
        for (_, frame) in &self.directory.entries {
            let mut rest = self.frames.read(*frame)?;
            while !rest.is_empty() {
                let entry = Entry::take(&mut rest).ok_or_else(|| self.frames.damaged())?;
                if let Places::At(frame) = entry.places {
                    self.frames.read(frame)?;
                }
            }
        }
        Ok(())
    }
}

enum Places<'a> {
    Here(&'a [u8]),
    At(Frame),
}

struct Entry<'a> {
    n_shared: usize,
    rest: &'a [u8],
    n_places: u64,
    places: Places<'a>,
}

impl<'a> Entry<'a> {
    fn take(from: &mut &'a [u8]) -> Option<Self> {
        let n_shared = take(from)? as usize;
        let n_rest = take(from)?;
        let rest = take_bytes(from, n_rest)?;
        let n_places = take(from)?;
        let n_bytes = take(from)?;
        let places = if n_bytes <= MAX_INLINE as u64 {
            Places::Here(take_bytes(from, n_bytes)?)
        } else {
            Places::At(Frame {
                offset: take(from)?,
                len: u32::try_from(n_bytes).ok()?,
                crc: u32::try_from(take(from)?).ok()?,
            })
        };
        Some(Self {
            n_shared,
            rest,
            n_places,
            places,
        })
    }

    /// Makes its key of the one before it; `None` where the two do not belong together.
    fn complete(self, key: &mut Vec<u8>) -> Option<Self> {
        if self.n_shared > key.len() {
            return None;
        }
        key.truncate(self.n_shared);
        key.extend(self.rest);
        Some(self)
    }
}

/// The places of a key in a frame of entries; `None` where it cannot be read.
fn find<'a>(mut entries: &'a [u8], key: &[u8]) -> Option<Option<(u64, Places<'a>)>> {
    let mut current: Vec<u8> = Vec::new();
    while !entries.is_empty() {
        let entry = Entry::take(&mut entries)?.complete(&mut current)?;
        match current.as_slice().cmp(key) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => return Some(Some((entry.n_places, entry.places))),
            std::cmp::Ordering::Greater => return Some(None),
        }
    }
    Some(None)
}

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

use crate::error::Result;
use crate::frames::{Frame, FramesReader, FramesWriter, put, take, take_bytes};
use crate::{Outline, tokens::for_each_token};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;
use whyrank_syntax::{Symbol, SymbolKind};

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

/// The head of a module that may be opened again elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleHead {
    /// Its chunk in the content.
    pub chunk: u32,
    /// The module's qualified name.
    pub qualified: String,
    /// Bytes of the chunk.
    pub n_bytes: u32,
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

/// Heads of modules and namespaces in a content, by chunk.
pub(crate) fn module_heads(outline: &Outline) -> Vec<ModuleHead> {
    let head = |(at, chunk): (u32, &whyrank_syntax::Chunk)| {
        let symbol = outline.symbols.get(chunk.symbol? as usize)?;
        let is_head = chunk.span.end_line - chunk.span.start_line < HEAD_LINES;
        (is_head && opens_again(symbol.kind)).then(|| ModuleHead {
            chunk: at,
            qualified: symbol.qualified.clone(),
            n_bytes: chunk.span.end_byte - chunk.span.start_byte,
        })
    };
    (0u32..).zip(&outline.chunks).filter_map(head).collect()
}

/// Lines that a module's head has at most when it holds nothing else.
const HEAD_LINES: u32 = 3;

/// Says whether a definition of this kind may be opened again elsewhere.
pub fn opens_again(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Module | SymbolKind::Namespace)
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

/// In the order of their codes.
const KINDS: [SymbolKind; 19] = [
    SymbolKind::Function,
    SymbolKind::Method,
    SymbolKind::Constructor,
    SymbolKind::Class,
    SymbolKind::Struct,
    SymbolKind::Enum,
    SymbolKind::Interface,
    SymbolKind::Trait,
    SymbolKind::Impl,
    SymbolKind::TypeAlias,
    SymbolKind::Module,
    SymbolKind::Namespace,
    SymbolKind::Macro,
    SymbolKind::Constant,
    SymbolKind::Variable,
    SymbolKind::Field,
    SymbolKind::EnumMember,
    SymbolKind::Property,
    SymbolKind::Section,
];
const EXPORTED: u8 = 0x80;

fn code(symbol: &Symbol) -> u8 {
    let at = KINDS.iter().position(|kind| *kind == symbol.kind);
    at.unwrap_or_default() as u8 | if symbol.exported { EXPORTED } else { 0 }
}

fn pack_definitions(outline: &Outline) -> Vec<u8> {
    let symbols = &outline.symbols;
    let chunks = outline.landing_chunks();
    let mut packed = (symbols.len() as u32).to_le_bytes().to_vec();
    let mut end = 0u32;
    for symbol in symbols {
        end += symbol.name.len() as u32;
        packed.extend(end.to_le_bytes());
    }
    packed.extend(symbols.iter().map(code));
    for chunk in chunks {
        packed.extend(chunk.map_or(0, |chunk| chunk + 1).to_le_bytes());
    }
    packed.extend(symbols.iter().flat_map(|symbol| symbol.name.as_bytes()));
    packed
}

/// What a search reads of a definition before it looks at the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedSymbol<'a> {
    /// The bare name.
    pub name: &'a str,
    /// What it is.
    pub kind: SymbolKind,
    /// Others can see it.
    pub exported: bool,
    /// The chunk in which a reader of it should land; none for a definition outside of all.
    pub chunk: Option<u32>,
}

/// The names of a content's definitions.
#[derive(Clone, Debug)]
pub struct FileNames {
    bytes: Vec<u8>,
    n: usize,
}

impl FileNames {
    /// From what the file says, where no segment has it.
    pub fn of(outline: &Outline) -> Self {
        Self {
            n: outline.symbols.len(),
            bytes: pack_definitions(outline),
        }
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        let bytes = lz4_flex::decompress_size_prepended(bytes).ok()?;
        let n = u32::from_le_bytes(*bytes.first_chunk()?) as usize;
        let names = Self { bytes, n };
        let is_whole = names.bytes.len() == names.text_start() + names.end_of(n)?;
        is_whole.then_some(names)
    }

    /// Number of definitions.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// A definition, by its number in the file's outline.
    pub fn get(&self, symbol: u32) -> Option<NamedSymbol<'_>> {
        let at = symbol as usize;
        let (start, end) = (self.end_of(at)?, self.end_of(at + 1)?);
        let text = self.text_start();
        let name = self.bytes.get(text + start..text + end)?;
        let code = *self.bytes.get(4 + 4 * self.n + at)?;
        Some(NamedSymbol {
            name: std::str::from_utf8(name).ok()?,
            kind: *KINDS.get(usize::from(code & !EXPORTED))?,
            exported: code & EXPORTED != 0,
            chunk: self.number(4 + 5 * self.n + 4 * at)?.checked_sub(1),
        })
    }

    fn number(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?))
    }

    fn text_start(&self) -> usize {
        4 + 9 * self.n
    }

    /// Where the first `n` names end.
    fn end_of(&self, n: usize) -> Option<usize> {
        match n {
            0 => Some(0),
            n if n <= self.n => self.number(4 * n).map(|end| end as usize),
            _ => None,
        }
    }
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
            .filter(|names| names.n == entry.n_symbols as usize)
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
        let read = match found {
            None => Some(()),
            Some((n, Places::Here(packed))) => each_place(n, packed, &mut each),
            Some((n, Places::At(frame))) => each_place(n, self.frames.read(frame)?, &mut each),
        };
        read.ok_or_else(|| self.frames.damaged())
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
}

/// The places of a key in a frame of entries; `None` where it cannot be read.
fn find<'a>(mut entries: &'a [u8], key: &[u8]) -> Option<Option<(u64, Places<'a>)>> {
    let mut current: Vec<u8> = Vec::new();
    while !entries.is_empty() {
        let entry = Entry::take(&mut entries)?;
        if entry.n_shared > current.len() {
            return None;
        }
        current.truncate(entry.n_shared);
        current.extend(entry.rest);
        match current.as_slice().cmp(key) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => return Some(Some((entry.n_places, entry.places))),
            std::cmp::Ordering::Greater => return Some(None),
        }
    }
    Some(None)
}

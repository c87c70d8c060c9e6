//! The uses of a view outside of memory: sections that are written once, and read file by file and
//! list by list as questions come to them.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::{
    input::files::SymbolId,
    pagerank::numbers::{Numbers, Sections},
    references::reference_index::{FileUses, Lists, Use, UseAt},
    resolution::export_fingerprint::FileFingerprint,
};

/// Takes sections, one after the other.
pub trait SectionSink {
    /// Ends the section at work and begins the next.
    fn begin(&mut self);

    /// Adds bytes to it.
    fn extend(&mut self, bytes: &[u8]);
}

/// Sections of the uses; further ones are the caller's.
pub const USES_SECTIONS: usize = 12;

/// What a question reads of a file: its uses and what they mean.
const USES: usize = 0;
const USES_STARTS: usize = 1;
/// What an update reads besides.
const BASIS: usize = 2;
const BASIS_STARTS: usize = 3;
/// Where each file's definitions begin among all.
const BASES: usize = 4;
/// Uses of each definition.
const RESOLVED: usize = 5;
const RESOLVED_STARTS: usize = 6;
/// Names that uses are open to, sorted, and these uses.
const NAMES: usize = 7;
const NAMES_STARTS: usize = 8;
const OPEN: usize = 9;
const OPEN_STARTS: usize = 10;
const ALIASES: usize = 11;

#[derive(Serialize, Deserialize)]
struct Uses {
    path: String,
    uses: Vec<Use>,
    targets: Vec<(u32, SymbolId)>,
    open: Vec<(u32, u32)>,
    names: Vec<String>,
    outer_bases: Vec<(u32, String)>,
}

#[derive(Serialize, Deserialize)]
struct Basis {
    content: u64,
    edges: u64,
    lookups: Vec<u32>,
    fingerprint: FileFingerprint,
}

/// Writes the sections of some uses.
pub(crate) fn write(
    files: &[FileUses],
    lists: &Lists,
    aliases: &[(String, String)],
    out: &mut dyn SectionSink,
) {
    let uses = files.iter().map(|file| {
        // Borrowed as the same fields in the same order are read.
        pack(&(
            &file.path,
            &file.uses,
            &file.targets,
            &file.open,
            &file.names,
            &file.outer_bases,
        ))
    });
    write_all(out, uses);
    let basis = files
        .iter()
        .map(|file| pack(&(file.content, file.edges, &file.lookups, &file.fingerprint)));
    write_all(out, basis);
    out.begin();
    out.extend(bytemuck::cast_slice(&lists.bases));
    let resolved = lists.starts.windows(2);
    let resolved = resolved.map(|bounds| &lists.resolved[bounds[0] as usize..bounds[1] as usize]);
    write_all(out, resolved.map(pack_list));
    let mut open: Vec<(&String, &Vec<UseAt>)> = lists.open.iter().collect();
    open.sort_unstable_by_key(|(name, _)| *name);
    write_all(out, open.iter().map(|(name, _)| name.as_bytes().to_vec()));
    write_all(out, open.iter().map(|(_, uses)| pack_list(uses)));
    out.begin();
    out.extend(&pack(aliases));
}

/// Writes records, and where each begins.
fn write_all(out: &mut dyn SectionSink, records: impl Iterator<Item = Vec<u8>>) {
    let mut starts = vec![0u64];
    out.begin();
    for record in records {
        out.extend(&record);
        starts.push(starts[starts.len() - 1] + record.len() as u64);
    }
    out.begin();
    out.extend(bytemuck::cast_slice(&starts));
}

fn pack<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let bytes = postcard::to_stdvec(value).expect("plain data serialises");
    lz4_flex::compress_prepend_size(&bytes)
}

fn unpack<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Option<T> {
    let bytes = lz4_flex::decompress_size_prepended(bytes).ok()?;
    postcard::from_bytes(&bytes).ok()
}

/// Uses by position, as differences.
fn pack_list(uses: &[UseAt]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(3 * uses.len());
    let mut last = UseAt { file: 0, at: 0 };
    for place in uses {
        put(&mut packed, place.file - last.file);
        let since = if place.file == last.file { last.at } else { 0 };
        put(&mut packed, place.at - since);
        last = *place;
    }
    packed
}

fn unpack_list(mut packed: &[u8]) -> Option<Vec<UseAt>> {
    let mut uses = Vec::new();
    let mut last = UseAt { file: 0, at: 0 };
    while !packed.is_empty() {
        let file = last.file.checked_add(take(&mut packed)?)?;
        let since = if file == last.file { last.at } else { 0 };
        let at = since.checked_add(take(&mut packed)?)?;
        last = UseAt { file, at };
        uses.push(last);
    }
    Some(uses)
}

fn put(into: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

fn take(from: &mut &[u8]) -> Option<u32> {
    let mut number = 0u32;
    for shift in (0..35).step_by(7) {
        let (byte, rest) = from.split_first()?;
        *from = rest;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Uses in a file. What cannot be read is empty, and the file says so ([`Sections::met_damage`]).
#[derive(Clone, Debug)]
pub(crate) struct StoredUses {
    file: Arc<dyn Sections>,
    read: Vec<OnceLock<Box<FileUses>>>,
    bases: Numbers<u32>,
}

impl StoredUses {
    /// `None` where it is not of so many files with so many definitions each.
    pub(crate) fn open(
        file: Arc<dyn Sections>,
        n_symbols: impl Iterator<Item = usize>,
    ) -> Option<Self> {
        let bases: Numbers<u32> = Numbers::Mapped(Arc::clone(&file), BASES);
        let mut expected = vec![0u32];
        for n in n_symbols {
            expected.push(expected[expected.len() - 1] + n as u32);
        }
        let n_files = expected.len() - 1;
        (bases.all() == expected).then(|| Self {
            read: (0..n_files).map(|_| OnceLock::new()).collect(),
            file,
            bases,
        })
    }

    pub(crate) fn open_whole(file: Arc<dyn Sections>) -> Option<Self> {
        let bases: Numbers<u32> = Numbers::Mapped(Arc::clone(&file), BASES);
        let n_files = bases.len().checked_sub(1)?;
        Some(Self {
            read: (0..n_files).map(|_| OnceLock::new()).collect(),
            file,
            bases,
        })
    }

    pub(crate) fn aliases(&self) -> Option<Vec<(String, String)>> {
        unpack(self.file.bytes(ALIASES, 0..self.file.len_of(ALIASES))?)
    }

    pub(crate) fn met_damage(&self) -> bool {
        self.file.met_damage()
    }

    pub(crate) fn n_files(&self) -> usize {
        self.read.len()
    }

    /// What the uses of a file mean; not from which look-ups.
    pub(crate) fn file_uses(&self, file: u32) -> Option<&FileUses> {
        let read = self.read.get(file as usize)?;
        let uses = read.get_or_init(|| {
            let record = self.record(USES, file as usize);
            let uses = record.and_then(|bytes| self.sound(unpack::<Uses>(bytes)));
            Box::new(uses.map(FileUses::from).unwrap_or_default())
        });
        Some(uses)
    }

    /// All files with what their uses rest on.
    pub(crate) fn all(&self) -> Option<Vec<FileUses>> {
        let file = |at: usize| {
            let uses: Uses = self.sound(unpack(self.record(USES, at)?))?;
            let basis: Basis = self.sound(unpack(self.record(BASIS, at)?))?;
            Some(FileUses {
                content: basis.content,
                edges: basis.edges,
                lookups: basis.lookups,
                fingerprint: basis.fingerprint,
                ..FileUses::from(uses)
            })
        };
        (0..self.n_files()).map(file).collect()
    }

    pub(crate) fn resolved(&self, id: SymbolId) -> Vec<UseAt> {
        let bounds = (self.bases.at(id.file as usize)).zip(self.bases.at(id.file as usize + 1));
        let node = bounds
            .map(|(base, end)| base..end)
            .filter(|nodes| id.symbol < nodes.len() as u32)
            .map(|nodes| (nodes.start + id.symbol) as usize);
        node.map(|node| self.list(RESOLVED, node))
            .unwrap_or_default()
    }

    pub(crate) fn open_uses(&self, name: &str) -> Vec<UseAt> {
        match self.find(name.as_bytes()) {
            Some(at) => self.list(OPEN, at),
            None => Vec::new(),
        }
    }

    fn find(&self, name: &[u8]) -> Option<usize> {
        let (mut from, mut to) = (0, self.n_records(NAMES));
        while from < to {
            let middle = from.midpoint(to);
            match self.record(NAMES, middle)?.cmp(name) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        None
    }

    fn list(&self, section: usize, at: usize) -> Vec<UseAt> {
        let record = self.record(section, at);
        let list = record.and_then(|bytes| self.sound(unpack_list(bytes)));
        list.unwrap_or_default()
    }

    fn n_records(&self, section: usize) -> usize {
        let starts: Numbers<u64> = Numbers::Mapped(Arc::clone(&self.file), section + 1);
        starts.len().saturating_sub(1)
    }

    /// A record of a section; the section after it says where each begins.
    fn record(&self, section: usize, at: usize) -> Option<&[u8]> {
        let bytes = self.file.bytes(section + 1, 8 * at..8 * (at + 2))?;
        let (start, end) = bytes.split_at(8);
        let number = |bytes: &[u8]| Some(u64::from_le_bytes(bytes.try_into().ok()?) as usize);
        self.file.bytes(section, number(start)?..number(end)?)
    }

    /// A record that does not say what it should counts as bytes that are not there.
    fn sound<T>(&self, read: Option<T>) -> Option<T> {
        if read.is_none() {
            let beyond = self.file.len_of(USES) + 1;
            let _ = self.file.bytes(USES, 0..beyond);
        }
        read
    }
}

impl From<Uses> for FileUses {
    fn from(stored: Uses) -> Self {
        Self {
            path: stored.path,
            uses: stored.uses,
            targets: stored.targets,
            open: stored.open,
            names: stored.names,
            outer_bases: stored.outer_bases,
            ..Self::default()
        }
    }
}

const _: () = {
    assert!(USES_STARTS == USES + 1 && BASIS_STARTS == BASIS + 1);
    assert!(RESOLVED_STARTS == RESOLVED + 1 && NAMES_STARTS == NAMES + 1);
    assert!(OPEN_STARTS == OPEN + 1 && ALIASES + 1 == USES_SECTIONS);
};

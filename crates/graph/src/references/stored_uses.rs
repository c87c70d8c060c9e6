//! The uses of a view outside of memory: sections that are written once, and read file by file and
//! list by list as questions come to them.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::{
    input::files::SymbolId,
    pagerank::numbers::{Numbers, Sections},
    references::{
        lists::Lists,
        uses::{Basis, FileHead, FileUses, Use, UseAt},
        uses_journal::{PackedFile, UsesJournal},
    },
    resolution::dependency_tracking::text_key,
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

/// Files of a view of ordinary size: what passes read of their uses stays in memory.
pub(crate) const MOST_KEPT: usize = 10_000;

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

impl PackedFile<'_> {
    pub(crate) fn unpacked(&self) -> Option<FileUses> {
        unpack(self.uses)
    }
}

/// Adds a file to a journal, as it is stored already or packed here.
pub(crate) fn note_file(
    journal: &mut dyn UsesJournal,
    file: &FileUses,
    packed: Option<PackedFile<'_>>,
) {
    match packed {
        Some(packed) => journal.add(packed),
        None => journal.add(PackedFile {
            uses: &pack(file),
            basis: &pack_basis(file),
        }),
    }
}

/// Writes the sections of the uses of a view: its files from a journal, then their lists.
pub(crate) fn write_uses(
    journal: &mut dyn UsesJournal,
    lists: &Lists,
    aliases: &[(String, String)],
    out: &mut dyn SectionSink,
) {
    write_part(journal, |file| file.uses, out);
    write_part(journal, |file| file.basis, out);
    out.begin();
    out.extend(bytemuck::cast_slice(&lists.bases));
    write_all(out, lists.resolved.all().map(pack_list));
    let names = lists.names.sorted();
    let name = |at: &u32| lists.names.get(*at).as_bytes().to_vec();
    write_all(out, names.iter().map(name));
    let uses = |at: &u32| pack_list(lists.open.row(*at as usize));
    write_all(out, names.iter().map(uses));
    out.begin();
    out.extend(&pack(aliases));
}

/// Writes one part of each file, and where each begins.
fn write_part(
    journal: &mut dyn UsesJournal,
    part: fn(PackedFile<'_>) -> &[u8],
    out: &mut dyn SectionSink,
) {
    let mut starts = vec![0u64];
    out.begin();
    journal.each(&mut |file| {
        let bytes = part(file);
        out.extend(bytes);
        starts.push(starts[starts.len() - 1] + bytes.len() as u64);
        true
    });
    out.begin();
    out.extend(bytemuck::cast_slice(&starts));
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

/// What the uses of a file rest on, as it is stored: first what is asked of every file, where it can be read
/// without unpacking.
struct BasisRecord<'a> {
    head: FileHead,
    lookups: &'a [u8],
    rest: &'a [u8],
}

fn pack_basis(file: &FileUses) -> Vec<u8> {
    let basis = &file.basis;
    let mut record = Vec::new();
    for number in [text_key(&file.path), basis.content, basis.edges] {
        record.extend(number.to_le_bytes());
    }
    record.extend((basis.lookups.len() as u32).to_le_bytes());
    record.extend(basis.lookups.iter().flat_map(|key| key.to_le_bytes()));
    record.extend(pack(&(&basis.fingerprint, &basis.aliases)));
    record
}

impl<'a> BasisRecord<'a> {
    fn of(record: &'a [u8]) -> Option<Self> {
        let (mark, record) = record.split_first_chunk()?;
        let (content, record) = record.split_first_chunk()?;
        let (edges, record) = record.split_first_chunk()?;
        let (n_lookups, record) = record.split_first_chunk()?;
        let n_bytes = (u32::from_le_bytes(*n_lookups) as usize).checked_mul(4)?;
        let (lookups, rest) = record.split_at_checked(n_bytes)?;
        Some(Self {
            head: FileHead {
                mark: u64::from_le_bytes(*mark),
                content: u64::from_le_bytes(*content),
                edges: u64::from_le_bytes(*edges),
            },
            lookups,
            rest,
        })
    }

    fn lookups(&self) -> impl Iterator<Item = u32> + use<'a> {
        let keys = self.lookups.as_chunks().0.iter();
        keys.map(|key| u32::from_le_bytes(*key))
    }

    fn unpacked(&self) -> Option<Basis> {
        let (fingerprint, aliases) = unpack(self.rest)?;
        Some(Basis {
            content: self.head.content,
            edges: self.head.edges,
            lookups: self.lookups().collect(),
            fingerprint,
            aliases,
        })
    }
}

fn pack<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let bytes = postcard::to_stdvec(value).expect("plain data serialises");
    lz4_flex::compress_prepend_size(&bytes)
}

fn unpack<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Option<T> {
    let bytes = lz4_flex::decompress_size_prepended(bytes).ok()?;
    postcard::from_bytes(&bytes).ok()
}

/// The uses in the record of a file, which stand behind its path.
fn unpack_uses(record: &[u8]) -> Option<Vec<Use>> {
    let bytes = lz4_flex::decompress_size_prepended(record).ok()?;
    let read = postcard::take_from_bytes::<(&str, Vec<Use>)>(&bytes);
    read.ok().map(|((_, uses), _)| uses)
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

/// Where each file's definitions begin among all, and their number at the end.
pub(crate) fn first_symbols(file: &Arc<dyn Sections>) -> Vec<u32> {
    let bases: Numbers<u32> = Numbers::Mapped(Arc::clone(file), BASES);
    let bases = bases.all();
    if bases.is_sorted() {
        bases.to_vec()
    } else {
        Vec::new()
    }
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
        let uses = read.get_or_init(|| Box::new(self.uses(file).unwrap_or_default()));
        Some(uses)
    }

    /// The same for a moment; those of a view of ordinary size stay, since the next pass asks for them
    /// again.
    pub(crate) fn glance(&self, file: u32) -> Option<Cow<'_, FileUses>> {
        let read = self.read.get(file as usize)?;
        if read.get().is_some() || self.n_files() <= MOST_KEPT {
            return self.file_uses(file).map(Cow::Borrowed);
        }
        Some(Cow::Owned(self.uses(file).unwrap_or_default()))
    }

    /// The uses of a file alone; those of a view of ordinary size stay with what they mean.
    pub(crate) fn uses_of(&self, file: u32) -> Cow<'_, [Use]> {
        let known = self.read.get(file as usize).and_then(OnceLock::get);
        if known.is_some() || self.n_files() <= MOST_KEPT {
            let known = self.file_uses(file);
            return known.map_or_else(Cow::default, |known| Cow::Borrowed(known.uses.as_slice()));
        }
        let record = self.record(USES, file as usize);
        let uses = record.and_then(|record| self.sound(unpack_uses(record)));
        Cow::Owned(uses.unwrap_or_default())
    }

    /// What the uses of a file mean, read again.
    pub(crate) fn uses(&self, file: u32) -> Option<FileUses> {
        self.sound(unpack(self.record(USES, file as usize)?))
    }

    pub(super) fn head(&self, file: u32) -> Option<FileHead> {
        let record = self.record(BASIS, file as usize)?;
        self.sound(BasisRecord::of(record).map(|basis| basis.head))
    }

    /// Says whether one of a file's look-ups is wanted; of one that cannot be read, all are.
    pub(super) fn looked_up(&self, file: u32, is_wanted: &dyn Fn(u32) -> bool) -> bool {
        let record = self.record(BASIS, file as usize);
        let basis = record.and_then(|record| self.sound(BasisRecord::of(record)));
        basis.is_none_or(|basis| basis.lookups().any(is_wanted))
    }

    pub(crate) fn basis(&self, file: u32) -> Option<Basis> {
        let record = self.record(BASIS, file as usize)?;
        self.sound(BasisRecord::of(record).and_then(|basis| basis.unpacked()))
    }

    pub(super) fn n_symbols(&self, file: u32) -> u32 {
        let file = file as usize;
        let bounds = self.bases.at(file).zip(self.bases.at(file + 1));
        bounds.map_or(0, |(start, end)| end.saturating_sub(start))
    }

    /// A file with what its uses rest on.
    pub(crate) fn whole(&self, file: u32) -> Option<FileUses> {
        Some(FileUses {
            basis: self.basis(file)?,
            ..self.uses(file)?
        })
    }

    pub(crate) fn packed(&self, file: u32) -> Option<PackedFile<'_>> {
        Some(PackedFile {
            uses: self.record(USES, file as usize)?,
            basis: self.record(BASIS, file as usize)?,
        })
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

const _: () = {
    assert!(USES_STARTS == USES + 1 && BASIS_STARTS == BASIS + 1);
    assert!(RESOLVED_STARTS == RESOLVED + 1 && NAMES_STARTS == NAMES + 1);
    assert!(OPEN_STARTS == OPEN + 1 && ALIASES + 1 == USES_SECTIONS);
};

#[cfg(test)]
mod tests {
    use super::{pack, unpack_uses};
    use crate::references::uses::{FileUses, Use};
    use whyrank_syntax::ReferenceKind;

    #[test]
    fn the_uses_of_a_file_are_read_without_what_they_mean() {
        let one = |line| Use {
            line,
            kind: ReferenceKind::Call,
            enclosing: Some(7),
            bare: true,
        };
        let file = FileUses {
            path: "src/a.c".to_owned(),
            uses: vec![one(3), one(900)],
            names: vec!["load".to_owned()],
            open: vec![(1, 0)],
            ..FileUses::default()
        };
        assert_eq!(unpack_uses(&pack(&file)), Some(file.uses));
        assert_eq!(unpack_uses(b"no record"), None);
    }
}

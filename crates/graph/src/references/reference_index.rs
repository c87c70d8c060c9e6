//! What every use in a view means, worked out once, so that many definitions can be asked about.
//!
//! [`ReferenceIndex`] owns what it knows, file by file: it can be kept, stored, and brought up to date
//! ([`ReferenceIndex::update`]). [`crate::ReferenceQuery`] reads it together with the view that it was made from, and
//! gives for any definition what [`crate::references::find_references`] gives.

use std::borrow::Cow;
use std::sync::Arc;

use crate::{
    input::files::SymbolId,
    pagerank::numbers::Sections,
    references::{
        lists::{GatheredLists, Lists},
        overlay::{OverlaidUses, UsesOverlay},
        stored_uses::{SectionSink, StoredUses, note_file, write_uses},
        uses::{Basis, FileHead, FileUses, Use, UseAt, UseEdge},
        uses_journal::{MemoryJournal, PackedFile},
    },
    resolution::dependency_tracking::text_key,
};

/// Names the rules that this version resolves by; a graph made by others has to be rebuilt.
pub const RULES: &str = env!("WHYRANK_GRAPH_RULES");

/// The uses of a view and what they mean.
#[derive(Clone, Debug)]
pub struct ReferenceIndex {
    known: Known,
    /// Names and the names that imports anywhere give to them, in order.
    aliases: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
enum Known {
    /// In memory, in the order of the view's files.
    Here(Vec<FileUses>, Lists),
    /// In a file, read where it is asked for.
    There(StoredUses),
    /// In a file, but for what a few edits changed.
    Overlaid(OverlaidUses),
}

impl Default for ReferenceIndex {
    fn default() -> Self {
        let none = GatheredLists::new(std::iter::empty());
        Self::of(Vec::new(), none.finish(), Vec::new())
    }
}

impl ReferenceIndex {
    pub(crate) fn of(files: Vec<FileUses>, lists: Lists, aliases: Vec<(String, String)>) -> Self {
        Self {
            known: Known::Here(files, lists),
            aliases,
        }
    }

    /// Opens uses in a file that [`ReferenceIndex::write`] made; `None` where it cannot be read, or is
    /// not of files with so many definitions each. O(files).
    pub fn stored(file: Arc<dyn Sections>, n_symbols: impl Iterator<Item = usize>) -> Option<Self> {
        let stored = StoredUses::open(file, n_symbols)?;
        Some(Self {
            aliases: stored.aliases()?,
            known: Known::There(stored),
        })
    }

    /// Opens the same, of whatever files: to bring it up to date.
    pub fn stored_whole(file: Arc<dyn Sections>) -> Option<Self> {
        let stored = StoredUses::open_whole(file)?;
        Some(Self {
            aliases: stored.aliases()?,
            known: Known::There(stored),
        })
    }

    /// Opens uses in a file with what is other since, in a view of files with so many definitions each;
    /// `None` where the two do not belong together. O(files).
    pub fn overlaid(
        file: Arc<dyn Sections>,
        overlay: Arc<UsesOverlay>,
        n_symbols: impl Iterator<Item = usize>,
    ) -> Option<Self> {
        let aliases = overlay.aliases.clone();
        let stored = StoredUses::open_whole(file)?;
        let counts: Vec<u32> = n_symbols.map(|n| n as u32).collect();
        Some(Self {
            known: Known::Overlaid(OverlaidUses::open(stored, overlay, &counts)?),
            aliases,
        })
    }

    pub(super) fn is_stored(&self) -> bool {
        matches!(self.known, Known::There(_))
    }

    /// Returns how many definitions a file has; of uses in a file.
    pub(super) fn n_symbols_stored(&self, file: u32) -> u32 {
        match &self.known {
            Known::There(stored) => stored.n_symbols(file),
            Known::Here(..) | Known::Overlaid(_) => 0,
        }
    }

    /// Writes the [`USES_SECTIONS`](crate::USES_SECTIONS) sections of a file of it; nothing of uses
    /// that lie in a file already.
    pub fn write(&self, out: &mut dyn SectionSink) {
        if let Known::Here(files, lists) = &self.known {
            let mut journal = MemoryJournal::default();
            for file in files {
                note_file(&mut journal, file, None);
            }
            write_uses(&mut journal, lists, &self.aliases, out);
        }
    }

    /// Says whether a part of it could not be read: what was made of it since must not be used.
    pub fn met_damage(&self) -> bool {
        match &self.known {
            Known::Here(..) => false,
            Known::There(stored) => stored.met_damage(),
            Known::Overlaid(uses) => uses.met_damage(),
        }
    }

    /// A file's uses with what they rest on.
    pub(crate) fn whole(&self, file: u32) -> Option<FileUses> {
        match &self.known {
            Known::Here(files, _) => files.get(file as usize).cloned(),
            Known::There(stored) => stored.whole(file),
            Known::Overlaid(_) => None,
        }
    }

    pub(super) fn head(&self, file: u32) -> Option<FileHead> {
        match &self.known {
            Known::Here(files, _) => {
                let file = files.get(file as usize)?;
                Some(FileHead {
                    mark: text_key(&file.path),
                    content: file.basis.content,
                    edges: file.basis.edges,
                })
            }
            Known::There(stored) => stored.head(file),
            Known::Overlaid(_) => None,
        }
    }

    /// Says whether one of a file's look-ups is wanted; of one that cannot be read, all are.
    pub(super) fn looked_up(&self, file: u32, is_wanted: &dyn Fn(u32) -> bool) -> bool {
        match &self.known {
            Known::Here(files, _) => {
                let lookups = files.get(file as usize).map(|file| &file.basis.lookups);
                lookups.is_none_or(|lookups| lookups.iter().any(|key| is_wanted(*key)))
            }
            Known::There(stored) => stored.looked_up(file, is_wanted),
            Known::Overlaid(_) => true,
        }
    }

    pub(crate) fn basis(&self, file: u32) -> Option<Cow<'_, Basis>> {
        match &self.known {
            Known::Here(files, _) => Some(Cow::Borrowed(&files.get(file as usize)?.basis)),
            Known::There(stored) => stored.basis(file).map(Cow::Owned),
            Known::Overlaid(_) => None,
        }
    }

    /// A file as it is stored.
    pub(crate) fn packed(&self, file: u32) -> Option<PackedFile<'_>> {
        match &self.known {
            Known::Here(..) | Known::Overlaid(_) => None,
            Known::There(stored) => stored.packed(file),
        }
    }

    fn file(&self, file: u32) -> Option<&FileUses> {
        match &self.known {
            Known::Here(files, _) => files.get(file as usize),
            Known::There(stored) => stored.file_uses(file),
            Known::Overlaid(uses) => uses.file_uses(file),
        }
    }

    /// Returns the number of files that it was made from.
    pub fn n_files(&self) -> usize {
        match &self.known {
            Known::Here(files, _) => files.len(),
            Known::There(stored) => stored.n_files(),
            Known::Overlaid(uses) => uses.n_files(),
        }
    }

    /// What the uses of a file mean, for a moment: a pass over all files of a large view leaves nothing
    /// in memory.
    pub(crate) fn glance(&self, file: u32) -> Cow<'_, FileUses> {
        match &self.known {
            Known::Here(files, _) => files.get(file as usize).map(Cow::Borrowed),
            Known::There(stored) => stored.glance(file),
            Known::Overlaid(uses) => uses.glance(file),
        }
        .unwrap_or_default()
    }

    /// Hands over all uses with where they lead, file by file; one that may mean several definitions
    /// comes once for each.
    pub fn each_edge(&self, each: &mut dyn FnMut(UseEdge<'_>)) {
        for file in 0..self.n_files() as u32 {
            self.glance(file).edges(file).for_each(&mut *each);
        }
    }

    /// The uses of one file, which stay in memory.
    pub(crate) fn edges_of(&self, file: u32) -> impl Iterator<Item = UseEdge<'_>> {
        let known = self.file(file).into_iter();
        known.flat_map(move |known| known.edges(file))
    }

    /// Uses that scope, imports or types lead to a definition, by position.
    pub(crate) fn resolved(&self, id: SymbolId) -> Cow<'_, [UseAt]> {
        match &self.known {
            Known::Here(_, lists) => Cow::Borrowed(lists.resolved(id)),
            Known::There(stored) => Cow::Owned(stored.resolved(id)),
            Known::Overlaid(uses) => Cow::Owned(uses.resolved(id)),
        }
    }

    /// Uses of a name that only the name speaks for, by position.
    pub(crate) fn open(&self, name: &str) -> Cow<'_, [UseAt]> {
        match &self.known {
            Known::Here(_, lists) => Cow::Borrowed(lists.open(name)),
            Known::There(stored) => Cow::Owned(stored.open_uses(name)),
            Known::Overlaid(uses) => Cow::Owned(uses.open_uses(name)),
        }
    }

    /// The uses of a file without what they mean; of a file of a large view nothing stays in memory.
    fn uses_of(&self, file: u32) -> Cow<'_, [Use]> {
        match &self.known {
            Known::Here(files, _) => {
                let file = files.get(file as usize);
                file.map_or_else(Cow::default, |file| Cow::Borrowed(file.uses.as_slice()))
            }
            Known::There(stored) => stored.uses_of(file),
            Known::Overlaid(uses) => uses.uses_of(file),
        }
    }

    pub(crate) fn aliases(&self) -> &[(String, String)] {
        &self.aliases
    }
}

/// Reads uses by position, a file's at once: who asks in the order of the files reads each of them once.
pub(crate) struct UsesReader<'a> {
    known: &'a ReferenceIndex,
    last: Option<(u32, Cow<'a, [Use]>)>,
}

impl<'a> UsesReader<'a> {
    pub(crate) fn new(known: &'a ReferenceIndex) -> Self {
        Self { known, last: None }
    }

    pub(crate) fn at(&mut self, at: UseAt) -> Option<Use> {
        let known = self.known;
        let last = self.last.take().filter(|(file, _)| *file == at.file);
        let last = last.unwrap_or_else(|| (at.file, known.uses_of(at.file)));
        let (_, uses) = self.last.insert(last);
        uses.get(at.at as usize).copied()
    }
}

/// The same uses with the same meanings; from which content and after which look-ups is left out.
impl PartialEq for ReferenceIndex {
    fn eq(&self, other: &Self) -> bool {
        let says = |file: &FileUses, other: &FileUses| {
            file.path == other.path
                && file.uses == other.uses
                && file.targets == other.targets
                && file.open == other.open
                && file.names == other.names
                && file.outer_bases == other.outer_bases
        };
        let mut files = 0..self.n_files() as u32;
        self.aliases == other.aliases
            && self.n_files() == other.n_files()
            && files.all(|file| says(&self.glance(file), &other.glance(file)))
    }
}

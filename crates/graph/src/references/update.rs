//! Brings the uses of a view up to date: resolves again what could mean something else by now.
//!
//! While a file is resolved, every look-up outside it is noted ([`crate::resolution::dependency_tracking`]). A file is resolved
//! again when its content changed, when its imports lead elsewhere, or when one of its look-ups has
//! another answer by now ([`FileFingerprint::changes`]). The rest is carried over, definitions followed from
//! their old index to the new one.

use std::ops::ControlFlow;

use crate::{
    imports::import_graph::ImportGraph,
    input::files::FileInput,
    references::{
        file_resolution::Update,
        lists::{GatheredLists, Lists},
        new_names::NewNames,
        previous_graph::PreviousGraph,
        reference_index::ReferenceIndex,
        stored_uses::{SectionSink, note_file, write_uses},
        uses::FileUses,
        uses_journal::{PackedFile, UsesJournal},
        view_parts::ViewParts,
    },
    resolution::{export_fingerprint::FileFingerprint, symbol_table::SymbolTable},
};

/// How far an update is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Updated {
    /// Files that were resolved so far.
    pub n_done: usize,
    /// Files that have to be.
    pub n_files: usize,
}

impl ReferenceIndex {
    /// Works out all uses. O(references of the view).
    pub fn new(files: &[FileInput<'_>], graph: &ImportGraph, table: &SymbolTable) -> Self {
        let parts = ViewParts {
            files: &files.to_vec(),
            imports: graph,
            table,
            contents: &[],
        };
        Self::default().update(&parts)
    }

    /// Returns the uses of a view, from those of an earlier one: equal to what
    /// [`ReferenceIndex::new`] gives.
    ///
    /// Costs what changed and what looks at it, and a pass over what is carried.
    pub fn update(self, parts: &ViewParts<'_>) -> Self {
        self.update_watched(parts, &mut |_| ControlFlow::Continue(()))
            .unwrap_or_default()
    }

    /// Returns the same, with a look after each file; `None` when that ends it, or when the earlier uses
    /// turn out to be damaged. Holds the files at work and what they look at, as long as there is room.
    pub fn update_watched(
        self,
        parts: &ViewParts<'_>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
    ) -> Option<Self> {
        let mut files = Vec::new();
        let take = &mut |file: FileUses, _: Option<PackedFile<'_>>| files.push(file);
        let done = Done::new(parts, take);
        let (lists, aliases) = self.brought_up(parts, watch, done)?;
        Some(Self::of(files, lists, aliases))
    }

    /// Writes what [`ReferenceIndex::update_watched`] and [`ReferenceIndex::write`] together would: each
    /// file leaves memory as soon as its uses are known. The files that `journal` has already, of the same
    /// view, are taken as they are; where the work is ended, it has those that are known by then.
    pub fn update_into(
        self,
        parts: &ViewParts<'_>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
        journal: &mut dyn UsesJournal,
        out: &mut dyn SectionSink,
    ) -> Option<()> {
        let begun = begun(parts, journal);
        let take = &mut |file: FileUses, packed: Option<PackedFile<'_>>| {
            note_file(journal, &file, packed);
        };
        let done = Done {
            take,
            n_files: begun.1,
            lists: begun.0,
        };
        let (lists, aliases) = self.brought_up(parts, watch, done)?;
        write_uses(journal, &lists, &aliases, out);
        Some(())
    }

    /// Hands over all files in order that are not done yet, with their stored form where that is still right;
    /// gives the lists of all and the aliases.
    fn brought_up(
        self,
        parts: &ViewParts<'_>,
        watch: &mut dyn FnMut(Updated) -> ControlFlow<()>,
        mut done: Done<'_>,
    ) -> Option<(Lists, Vec<(String, String)>)> {
        let mut update = Update::new(parts);
        update.read_aliases();
        let mut known = PreviousGraph::new(self, &update);
        known.note_changes(&update);
        known.note_aliases(&update.aliases);
        let n_files = update.marks.len() as u32;
        let stale: Vec<u32> = (done.n_files..n_files)
            .filter(|file| !known.note_carried(*file))
            .collect();
        let mut progress = Updated {
            n_done: 0,
            n_files: stale.len(),
        };
        let new_names = NewNames::of_pairs(&update.aliases);
        let outcome = update.each(&stale, &mut |resolver, file| {
            if done.carry_until(file, &known).is_none() {
                return ControlFlow::Break(());
            }
            let fingerprint = known.fingerprint[file as usize].take();
            let fingerprint =
                fingerprint.unwrap_or_else(|| FileFingerprint::new(resolver, &update.marks, file));
            done.add(
                update.resolve(resolver, &new_names, file, fingerprint),
                None,
            );
            progress.n_done += 1;
            watch(progress)
        });
        if outcome.is_break() {
            return None;
        }
        done.carry_until(n_files, &known)?;
        drop(known);
        Some((done.lists.finish(), update.aliases))
    }
}

/// The lists of the files that a journal has, and how many there are. One that says what it should not has
/// none.
fn begun(parts: &ViewParts<'_>, journal: &mut dyn UsesJournal) -> (GatheredLists, u32) {
    let mut lists = GatheredLists::new(parts.table.n_symbols());
    let (mut n_files, mut is_sound) = (0, true);
    journal.each(&mut |packed| {
        let file = packed.unpacked();
        is_sound = file.is_some();
        if let Some(file) = file {
            lists.add(&file);
            n_files += 1;
        }
        is_sound
    });
    if is_sound {
        return (lists, n_files);
    }
    journal.clear();
    (GatheredLists::new(parts.table.n_symbols()), 0)
}

/// Gets each file's uses, with their stored form where that is still right.
type Take<'t> = &'t mut dyn FnMut(FileUses, Option<PackedFile<'_>>);

/// The files whose uses are known.
struct Done<'t> {
    lists: GatheredLists,
    n_files: u32,
    take: Take<'t>,
}

impl<'t> Done<'t> {
    fn new(parts: &ViewParts<'_>, take: Take<'t>) -> Self {
        Self {
            lists: GatheredLists::new(parts.table.n_symbols()),
            n_files: 0,
            take,
        }
    }

    fn add(&mut self, file: FileUses, packed: Option<PackedFile<'_>>) {
        self.lists.add(&file);
        (self.take)(file, packed);
        self.n_files += 1;
    }

    /// Adds the files before this one as they were; `None` where one cannot be read any more.
    fn carry_until(&mut self, file: u32, known: &PreviousGraph) -> Option<()> {
        while self.n_files < file {
            let (uses, is_as_stored) = known.carried(self.n_files)?;
            let packed = known.packed(self.n_files).filter(|_| is_as_stored);
            self.add(uses, packed);
        }
        Some(())
    }
}

//! The names of a view: places in segments, as the view numbers its files.

use super::outline::ModuleHead;
use super::segment::{KeyKind, Segment};
use super::{FileNames, NamesLimits, OpenSegments, blob_start, remove_damaged};
use crate::error::Result;
use crate::view::ViewFile;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use whyrank_graph::SymbolId;

/// No file of the view has this content, or another segment has it.
const NONE: u32 = u32::MAX;

/// The names of a view's definitions, as far as segments have them.
#[derive(Debug)]
pub struct ViewNames {
    parts: Vec<Part>,
    /// Segment and content of each file; [`NONE`] for what no segment has.
    places: Vec<(u32, u32)>,
}

#[derive(Debug)]
struct Part {
    segment: Arc<Segment>,
    /// The first file of each content.
    first: Vec<u32>,
    /// All files of a content that stands at several paths, in order.
    several: HashMap<u32, Vec<u32>>,
}

impl ViewNames {
    /// Opens the names of a view's files; `None` where it has too few to be worth it, or no segment has
    /// most of them.
    pub(crate) fn open(
        folder: &Path,
        open: &OpenSegments,
        files: &[ViewFile],
        limits: NamesLimits,
    ) -> Option<Self> {
        let n_symbols = |files: &mut dyn Iterator<Item = &ViewFile>| -> u64 {
            files.map(|file| u64::from(file.n_symbols)).sum()
        };
        let n_all = n_symbols(&mut files.iter());
        if n_all < limits.least_in_view {
            return None;
        }
        let names = Self::of(open.of(folder), files);
        let mut covered = (0u32..).zip(files);
        let n_covered = n_symbols(
            &mut covered
                .by_ref()
                .filter(|(at, _)| names.covers(*at))
                .map(|(_, file)| file),
        );
        (2 * n_covered >= n_all).then_some(names)
    }

    fn of(segments: Vec<Arc<Segment>>, files: &[ViewFile]) -> Self {
        let mut by_content: Vec<(i64, u32)> = (0u32..)
            .zip(files)
            .map(|(at, file)| (file.content_id, at))
            .collect();
        by_content.sort_unstable();
        let mut places = vec![(NONE, NONE); files.len()];
        let parts = (0u32..).zip(segments).map(|(at, segment)| {
            let mut part = Part {
                first: vec![NONE; segment.contents().len()],
                several: HashMap::new(),
                segment,
            };
            let mut next = by_content.iter().peekable();
            for (content, entry) in (0u32..).zip(part.segment.contents()) {
                while next.next_if(|(id, _)| *id < entry.content_id).is_some() {}
                while let Some((_, file)) = next.next_if(|(id, _)| *id == entry.content_id) {
                    let known = &files[*file as usize];
                    let is_it =
                        entry.blob == blob_start(known.blob) && entry.n_symbols == known.n_symbols;
                    // What two segments have is read from the newer.
                    if is_it && places[*file as usize].0 == NONE {
                        places[*file as usize] = (at, content);
                        add_file(&mut part.first, &mut part.several, content, *file);
                    }
                }
            }
            part
        });
        let parts = parts.collect();
        Self { parts, places }
    }

    /// Whether segments have the names of a file. The others are the caller's to read.
    pub fn covers(&self, file: u32) -> bool {
        let place = self.places.get(file as usize);
        place.is_some_and(|(part, _)| *part != NONE)
    }

    /// The definitions with a token in their name, by file and position.
    ///
    /// # Errors
    /// [`crate::IndexError::Damaged`]; the file is taken away.
    pub fn with_token(&self, token: &str) -> Result<Vec<SymbolId>> {
        self.find(KeyKind::Token, token)
    }

    /// How many these are, without sorting them.
    ///
    /// # Errors
    /// As [`ViewNames::with_token`].
    pub fn n_with_token(&self, token: &str) -> Result<usize> {
        let mut n = 0;
        self.each(KeyKind::Token, token, |_| n += 1)?;
        Ok(n)
    }

    /// The definitions of a lower-cased name, by file and position.
    ///
    /// # Errors
    /// As [`ViewNames::with_token`].
    pub fn with_name(&self, lower: &str) -> Result<Vec<SymbolId>> {
        self.find(KeyKind::Name, lower)
    }

    /// The names of a covered file's definitions.
    ///
    /// # Errors
    /// As [`ViewNames::with_token`].
    pub fn definitions(&self, file: u32) -> Result<FileNames> {
        let (part, content) = self.places[file as usize];
        let segment = &self.parts[part as usize].segment;
        noted(segment, segment.definitions(content))
    }

    /// The heads of modules in a covered file.
    pub fn module_heads(&self, file: u32) -> &[ModuleHead] {
        let (part, content) = self.places[file as usize];
        &self.parts[part as usize].segment.contents()[content as usize].heads
    }

    /// The definitions with a wanted name among those that begin with `start`, lower-cased; `most` names of a
    /// segment are looked at.
    ///
    /// # Errors
    /// As [`ViewNames::with_token`].
    pub fn beginning(
        &self,
        start: &str,
        most: usize,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<SymbolId>> {
        let mut found = Vec::new();
        for part in &self.parts {
            let each = |place| part.files_of(place, &mut |id| found.push(id));
            let read = part.segment.beginning(start, most, is_wanted, each);
            noted(&part.segment, read)?;
        }
        found.sort_unstable();
        Ok(found)
    }

    fn find(&self, kind: KeyKind, text: &str) -> Result<Vec<SymbolId>> {
        let mut found = Vec::new();
        self.each(kind, text, |id| found.push(id))?;
        found.sort_unstable();
        Ok(found)
    }

    fn each(&self, kind: KeyKind, text: &str, mut each: impl FnMut(SymbolId)) -> Result<()> {
        for part in &self.parts {
            let each = |place| part.files_of(place, &mut each);
            noted(&part.segment, part.segment.places(kind, text, each))?;
        }
        Ok(())
    }
}

impl Part {
    /// Where a definition of the segment stands in the view.
    fn files_of(&self, (content, symbol): (u32, u32), each: &mut impl FnMut(SymbolId)) {
        let Some(first) = self.first.get(content as usize).filter(|at| **at != NONE) else {
            return;
        };
        let several = self.several.get(&content);
        let files = several.map_or(std::slice::from_ref(first), Vec::as_slice);
        files.iter().for_each(|file| {
            each(SymbolId {
                file: *file,
                symbol,
            });
        });
    }
}

fn add_file(first: &mut [u32], several: &mut HashMap<u32, Vec<u32>>, content: u32, file: u32) {
    let known = &mut first[content as usize];
    if *known == NONE {
        *known = file;
    } else {
        several
            .entry(content)
            .or_insert_with(|| vec![*known])
            .push(file);
    }
}

fn noted<T>(segment: &Segment, outcome: Result<T>) -> Result<T> {
    outcome.inspect_err(|error| remove_damaged(segment.path(), error))
}

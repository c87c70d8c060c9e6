//! The search index of several repositories: one view over all, and look-ups that ask each.
//!
//! Nothing is inverted again: the parts stay what they are, and are shared with questions about one.

use super::names::Names;
use super::{PathPosting, PoolPart, SearchIndex};
use roaring::RoaringBitmap;
use std::sync::{Arc, OnceLock};
use whyrank_graph::ImportGraph;
use whyrank_index::{OwnFile, PoolOffset, View, pool_offsets};

/// Definitions of other repositories that may have a word in their name which still is one
/// repository's.
const MAX_ELSEWHERE: usize = 20;

impl SearchIndex {
    /// Joins the indexes of repositories under their names, as [`View::pooled`] does. Paths, names and
    /// roles are those within each repository. O(files).
    ///
    /// `parts` sorted by `name/`, each name once.
    /// `imports` are those of all, where they are known across repositories.
    pub fn pooled(parts: Vec<(String, Arc<Self>)>, imports: Option<ImportGraph>) -> Self {
        let views: Vec<(&str, &View)> = parts
            .iter()
            .map(|(name, index)| (name.as_str(), index.view.as_ref()))
            .collect();
        let offsets = pool_offsets(&views.iter().map(|(_, view)| *view).collect::<Vec<_>>());
        let view = Arc::new(View::pooled(&views, imports));
        let parts = parts.into_iter().zip(offsets);
        let parts: Vec<PoolPart> = parts
            .map(|((name, index), offset)| PoolPart {
                name,
                offset,
                index,
            })
            .collect();
        let indexes = || parts.iter().map(|part| part.index.as_ref());
        Self {
            roles: indexes().flat_map(|index| index.roles.clone()).collect(),
            code: Arc::new(shifted(&parts, |index| index.code.as_ref())),
            prose: Arc::new(shifted(&parts, |index| index.prose.as_ref())),
            reopened: shifted(&parts, |index| &index.reopened),
            subjects: OnceLock::from(Vec::new()),
            names: Names::none(),
            paths: OnceLock::new(),
            n_symbols: indexes().map(|index| index.n_symbols).sum(),
            parts,
            view,
        }
    }

    /// The repositories of a pool; empty for an index of one.
    pub(crate) fn parts(&self) -> &[PoolPart] {
        &self.parts
    }

    /// The repository of a pool in which a file lies.
    pub(crate) fn part_of(&self, file: u32) -> Option<&PoolPart> {
        self.parts.get(self.part_at(file))
    }

    /// Returns which of the repositories that are asked a file lies in, and its number there.
    pub fn locate_file(&self, file: u32) -> (usize, OwnFile) {
        let at = self.part_at(file);
        let part = self.parts.get(at);
        let offset = part.map_or_else(PoolOffset::default, |part| part.offset);
        (at, offset.own_file(file))
    }

    fn part_at(&self, file: u32) -> usize {
        let parts = &self.parts;
        let after = parts.partition_point(|part| part.offset.first_file() <= file);
        after.saturating_sub(1)
    }

    /// Returns where the chunks of each repository begin: 0 for a single one.
    pub fn chunk_starts(&self) -> Vec<u32> {
        match self.parts.as_slice() {
            [] => vec![0],
            parts => parts.iter().map(|part| part.offset.chunk).collect(),
        }
    }

    /// The repositories of a pool that a text names: by a word that is no ordinary one of the others, as
    /// `requests` is.
    pub(crate) fn repositories_named(&self, text: &str) -> Vec<String> {
        let words =
            text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.' | '@'));
        let words: Vec<&str> = words
            .map(|word| word.trim_matches(['-', '_', '.']))
            .collect();
        let is_said = |part: &&PoolPart| {
            let mut words = words.iter();
            words.any(|word| word.eq_ignore_ascii_case(&part.name))
        };
        let is_ordinary = |part: &PoolPart| {
            let others = self.parts.iter().filter(|other| other.name != part.name);
            let uses = others.map(|other| {
                let tokens = super::distinct_tokens(&part.name);
                let whole = tokens.first().map_or("", String::as_str);
                other.index.n_with_token(whole)
            });
            uses.sum::<usize>() > MAX_ELSEWHERE
        };
        let named = self.parts.iter().filter(is_said);
        let named = named.filter(|part| !is_ordinary(part));
        named.map(|part| part.name.clone()).collect()
    }

    /// Returns a file's path within its repository.
    pub fn path_within(&self, file: u32) -> &str {
        let (index, OwnFile(file)) = self.of_file(file);
        &index.view.files[file as usize].path
    }

    /// The index that knows a file, and the file's number there.
    pub(super) fn of_file(&self, file: u32) -> (&Self, OwnFile) {
        match self.part_of(file) {
            Some(part) => (&part.index, part.offset.own_file(file)),
            None => (self, OwnFile(file)),
        }
    }

    /// Calls `each` with the postings of a path's token and of those that begin with `prefix`, each
    /// with its token.
    pub(crate) fn path_postings(
        &self,
        word: &str,
        prefix: &str,
        mut each: impl FnMut(&str, PathPosting),
    ) {
        if self.parts.is_empty() {
            return self.paths().each(word, prefix, &mut each);
        }
        for part in &self.parts {
            let mut on = |token: &str, posting: PathPosting| {
                let file = part.offset.pooled_file(OwnFile(posting.file));
                each(token, PathPosting { file, ..posting });
            };
            part.index.paths().each(word, prefix, &mut on);
        }
    }
}

fn shifted<'a>(
    parts: &'a [PoolPart],
    chunks: impl Fn(&'a SearchIndex) -> &'a RoaringBitmap,
) -> RoaringBitmap {
    let parts = parts.iter();
    let ids = parts.flat_map(|part| {
        let own = chunks(&part.index).iter();
        own.map(|chunk| part.offset.chunk + chunk)
    });
    ids.collect()
}

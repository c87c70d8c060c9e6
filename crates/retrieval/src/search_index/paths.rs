//! Tokens of paths, inverted. What a folder says is worked out once, for all files below it.

use super::areas::plain;
use super::distinct_tokens;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use whyrank_index::View;

/// Weight of a token in a file's name, in the folder that it lies in, and in one above.
const OF_NAME: f32 = 1.0;
const OF_FOLDER: f32 = 0.6;
const OF_FOLDER_ABOVE: f32 = 0.3;

/// A token of a path and how much it says about the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathPosting {
    pub(crate) file: u32,
    pub(crate) weight: f32,
}

/// The paths of a view by what they are made of.
#[derive(Debug, Default)]
pub(super) struct PathIndex {
    /// Names of folders and of files without their endings, without marks.
    areas: HashSet<String>,
    /// Token → files with it; ordered, for look-ups by prefix.
    postings: BTreeMap<String, Vec<PathPosting>>,
}

impl PathIndex {
    /// O(length of all paths).
    pub(super) fn of(view: &View) -> Self {
        let mut tokens = Tokens::default();
        let mut areas = HashSet::new();
        let mut by_folder: HashMap<&str, Vec<(u32, f32)>> = HashMap::new();
        for (file, entry) in (0u32..).zip(&view.files) {
            let (folder, name) = entry.path.rsplit_once('/').unwrap_or(("", &entry.path));
            let of_folder = match by_folder.entry(folder) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let parts = folder.split('/').filter(|part| !part.is_empty());
                    areas.extend(parts.map(|part| plain(&part.to_lowercase())));
                    new.insert(tokens.of_folder(folder))
                }
            };
            let stem = stem(name);
            areas.insert(plain(&stem.to_lowercase()));
            tokens.add(file, stem, of_folder);
        }
        Self {
            areas,
            postings: tokens.into_postings(),
        }
    }

    /// Whether a folder or a file without its ending has a name, lower-case and without marks.
    pub(super) fn has_area(&self, plain: &str) -> bool {
        self.areas.contains(plain)
    }

    /// Files with a token in their name, without its ending.
    pub(super) fn named(&self, token: &str) -> impl Iterator<Item = u32> {
        let postings = self.postings.get(token).into_iter().flatten();
        let in_name = postings.filter(|posting| posting.weight == OF_NAME);
        in_name.map(|posting| posting.file)
    }

    /// Calls `each` with the postings of a token and of those that begin with `prefix`, each with its
    /// token.
    pub(super) fn each(&self, word: &str, prefix: &str, each: &mut impl FnMut(&str, PathPosting)) {
        let exact = self.postings.get_key_value(word);
        let alike = self
            .postings
            .range(prefix.to_owned()..)
            .take_while(|(token, _)| !prefix.is_empty() && token.starts_with(prefix))
            .filter(|(token, _)| token.as_str() != word);
        for (token, postings) in exact.into_iter().chain(alike) {
            for posting in postings {
                each(token, *posting);
            }
        }
    }
}

/// A file's name without its endings; all of one that begins with a dot.
pub(super) fn stem(name: &str) -> &str {
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    if stem.is_empty() { name } else { stem }
}

/// Postings in the making.
#[derive(Default)]
struct Tokens {
    ids: HashMap<String, u32>,
    postings: Vec<Vec<PathPosting>>,
}

impl Tokens {
    fn id(&mut self, token: &str) -> u32 {
        if let Some(id) = self.ids.get(token) {
            return *id;
        }
        let id = self.postings.len() as u32;
        self.ids.insert(token.to_owned(), id);
        self.postings.push(Vec::new());
        id
    }

    /// The tokens of a folder and of those above, with the weight that each has by the nearest.
    fn of_folder(&mut self, folder: &str) -> Vec<(u32, f32)> {
        let mut weights: Vec<(u32, f32)> = Vec::new();
        for (depth, part) in folder.rsplit('/').enumerate() {
            let weight = if depth == 0 {
                OF_FOLDER
            } else {
                OF_FOLDER_ABOVE
            };
            for token in distinct_tokens(part) {
                let id = self.id(&token);
                if !weights.iter().any(|(known, _)| *known == id) {
                    weights.push((id, weight));
                }
            }
        }
        weights
    }

    fn add(&mut self, file: u32, stem: &str, of_folder: &[(u32, f32)]) {
        let in_name: Vec<u32> = distinct_tokens(stem)
            .iter()
            .map(|token| self.id(token))
            .collect();
        for id in &in_name {
            let weight = OF_NAME;
            self.postings[*id as usize].push(PathPosting { file, weight });
        }
        for (id, weight) in of_folder {
            if !in_name.contains(id) {
                let weight = *weight;
                self.postings[*id as usize].push(PathPosting { file, weight });
            }
        }
    }

    fn into_postings(mut self) -> BTreeMap<String, Vec<PathPosting>> {
        let mut taken = |id: u32| std::mem::take(&mut self.postings[id as usize]);
        let ids = self.ids.into_iter();
        ids.map(|(token, id)| (token, taken(id))).collect()
    }
}

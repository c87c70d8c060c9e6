//! Names, each kept once and known by a number: millions of them lie in three pieces of memory.

use std::hash::BuildHasher as _;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Names by number, and numbers by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameTable {
    text: String,
    /// Where each name ends in the text.
    ends: Vec<u32>,
    by_name: HashTable<u32>,
}

impl NameTable {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of a name; it gets one where it has none.
    pub(crate) fn add(&mut self, name: &str) -> u32 {
        let hash = FxBuildHasher.hash_one(name);
        if let Some(known) = self.find_hashed(hash, name) {
            return known;
        }
        let new = self.ends.len() as u32;
        self.text.push_str(name);
        let end = u32::try_from(self.text.len()).expect("the names of a view take less than 4 GB");
        self.ends.push(end);
        let (text, ends) = (&self.text, &self.ends);
        let hash_of = |at: &u32| FxBuildHasher.hash_one(name_at(text, ends, *at));
        self.by_name.insert_unique(hash, new, hash_of);
        new
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.find_hashed(FxBuildHasher.hash_one(name), name)
    }

    fn find_hashed(&self, hash: u64, name: &str) -> Option<u32> {
        let is_it = |at: &u32| self.get(*at) == name;
        self.by_name.find(hash, is_it).copied()
    }

    /// The name of a number that [`NameTable::add`] gave.
    pub(crate) fn get(&self, at: u32) -> &str {
        name_at(&self.text, &self.ends, at)
    }

    /// Numbers and names, in the order in which they were added.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        (0..self.len() as u32).map(|at| (at, self.get(at)))
    }

    /// The numbers by the order of the names.
    pub(crate) fn sorted(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|at| self.get(*at));
        order
    }
}

fn name_at<'t>(text: &'t str, ends: &[u32], at: u32) -> &'t str {
    let start = match at {
        0 => 0,
        at => ends[at as usize - 1],
    };
    &text[start as usize..ends[at as usize] as usize]
}

#[cfg(test)]
mod tests {
    use super::NameTable;

    #[test]
    fn a_name_has_one_number_however_many_there_are() {
        let mut names = NameTable::default();
        let name = |at: u32| format!("name_{}", at % 3_000);
        let numbers: Vec<u32> = (0..9_000).map(|at| names.add(&name(at))).collect();
        assert_eq!(names.len(), 3_000);
        for (at, number) in (0..9_000).zip(numbers) {
            assert_eq!((number, names.get(number)), (at % 3_000, name(at).as_str()));
            assert_eq!(names.find(&name(at)), Some(number));
        }
        assert_eq!((names.find("other"), names.find("")), (None, None));
        assert_eq!(names.add(""), 3_000);
        assert_eq!((names.find(""), names.get(3_000)), (Some(3_000), ""));
        let sorted = names.sorted();
        assert!(sorted.is_sorted_by_key(|at| names.get(*at)) && sorted.len() == 3_001);
    }
}

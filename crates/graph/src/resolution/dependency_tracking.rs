//! What resolution looks up outside the file at work, so that a later change can be told apart
//! from one that cannot matter.
//!
//! Each look-up has a key; what a change of a file moves has the same keys ([`crate::resolution::export_fingerprint`]). Two
//! look-ups with one key cost a file resolved in vain, never a wrong answer. Names are folded as the
//! loosest comparison folds them (case, `-`, `_`, `.`, `$`).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::steps;

/// The key, among the names that are looked up, of namespaces that every file opens.
pub(crate) const SHARED_SPACES: &str = "global using";

/// The keys of one file's look-ups.
#[derive(Default)]
pub(crate) struct RecordedLookups {
    /// A mark for each file; empty when nothing is kept.
    files: Vec<u64>,
    /// The file at work: its own content is no look-up.
    at_work: Cell<u32>,
    keys: RefCell<FxHashSet<u32>>,
    /// The kept look-ups among them, by address; held, so that no other gets it.
    kept: RefCell<FxHashMap<*const u32, Rc<[u32]>>>,
}

impl RecordedLookups {
    /// `files`: a mark of each file that the view of another day gives it as well.
    pub(crate) fn of(files: Vec<u64>) -> Self {
        Self {
            files,
            ..Self::default()
        }
    }

    pub(crate) fn begin(&self, file: u32) {
        self.at_work.set(file);
        self.keys.borrow_mut().clear();
        self.kept.borrow_mut().clear();
    }

    /// The keys since [`RecordedLookups::begin`], in order.
    pub(crate) fn end(&self) -> Vec<u32> {
        let mut keys: Vec<u32> = self.keys.borrow().iter().copied().collect();
        keys.sort_unstable();
        keys
    }

    /// The definitions and imports of a name in a file.
    pub(crate) fn in_file(&self, file: u32, name: &str) {
        self.foreign(file, |mark| key(LookupKind::InFile, mark, name_key(name)));
    }

    /// The modules that a file opens.
    pub(crate) fn opened(&self, file: u32) {
        self.foreign(file, |mark| key(LookupKind::Opened, mark, 0));
    }

    /// The modules that a file opens, directly or through others.
    pub(crate) fn reached_from(&self, file: u32) {
        if let Some(mark) = self.files.get(file as usize) {
            self.keys.borrow_mut().insert(reached_key(*mark));
        }
    }

    /// What a file exports, when that is one thing.
    pub(crate) fn exports_of(&self, file: u32) {
        self.foreign(file, |mark| key(LookupKind::Exports, mark, 0));
    }

    /// The definitions of a name in the view.
    pub(crate) fn anywhere(&self, name: &str) {
        self.add(|| key(LookupKind::Anywhere, 0, name_key(name)));
    }

    /// The members of a name of the types of a name.
    pub(crate) fn member(&self, owner: &str, name: &str) {
        self.add(|| key(LookupKind::Member, name_key(owner).into(), name_key(name)));
    }

    /// The definitions of a name in a package.
    pub(crate) fn in_package(&self, package: u64, name: &str) {
        self.add(|| key(LookupKind::Package, package, name_key(name)));
    }

    /// The file that is a module of this name below a folder.
    pub(crate) fn below(&self, folder: &str, name: &str) {
        self.add(|| key(LookupKind::Below, text_key(folder), name_key(name)));
    }

    /// The names that imports give.
    pub(crate) fn alias(&self, name: &str) {
        self.add(|| key(LookupKind::Alias, 0, name_key(name)));
    }

    /// Runs a look-up whose answer is kept for other files; gives its keys as well.
    pub(crate) fn gathered<T>(&self, look_up: impl FnOnce() -> T) -> (T, Rc<[u32]>) {
        if self.files.is_empty() {
            return (look_up(), Rc::from([]));
        }
        let outer = std::mem::take(&mut *self.keys.borrow_mut());
        let outer_kept = std::mem::take(&mut *self.kept.borrow_mut());
        let at_work = self.at_work.replace(u32::MAX);
        let found = look_up();
        self.at_work.set(at_work);
        let keys = std::mem::replace(&mut *self.keys.borrow_mut(), outer);
        *self.kept.borrow_mut() = outer_kept;
        let keys: Rc<[u32]> = keys.into_iter().collect();
        self.again(&keys);
        (found, keys)
    }

    /// The look-ups of an answer that was kept; a file that asks again and again notes them once.
    pub(crate) fn again(&self, keys: &Rc<[u32]>) {
        let known = || {
            self.kept
                .borrow_mut()
                .insert(keys.as_ptr(), Rc::clone(keys))
        };
        if keys.is_empty() || known().is_some() {
            return;
        }
        steps::count(keys.len());
        self.keys.borrow_mut().extend(keys.iter());
    }

    fn foreign(&self, file: u32, key: impl FnOnce(u64) -> u32) {
        if let Some(mark) = self.files.get(file as usize)
            && file != self.at_work.get()
        {
            self.keys.borrow_mut().insert(key(*mark));
        }
    }

    fn add(&self, key: impl FnOnce() -> u32) {
        if !self.files.is_empty() {
            self.keys.borrow_mut().insert(key());
        }
    }
}

/// What a look-up asks for.
#[derive(Clone, Copy)]
pub(crate) enum LookupKind {
    InFile = 1,
    Opened,
    Exports,
    Anywhere,
    Member,
    Package,
    Below,
    Alias,
    Reached,
}

/// The key of all that a file opens, directly or through others.
pub(crate) fn reached_key(mark: u64) -> u32 {
    key(LookupKind::Reached, mark, 0)
}

/// The key of a look-up in a place.
pub(crate) fn key(kind: LookupKind, place: u64, name: u32) -> u32 {
    let mut mixed = place ^ (kind as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = mixed.wrapping_mul(PRIME) ^ u64::from(name);
    fold(mixed.wrapping_mul(PRIME))
}

/// A name, folded.
pub(crate) fn name_key(name: &str) -> u32 {
    let mut hash = OFFSET;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    if name.is_ascii() {
        for byte in name.bytes() {
            if !matches!(byte, b'-' | b'_' | b'.' | b'$') {
                add(byte.to_ascii_lowercase());
            }
        }
    } else {
        let plain = name.replace(['-', '_', '.', '$'], "").to_lowercase();
        plain.bytes().for_each(add);
    }
    fold(hash)
}

/// FNV-1a, the same on every machine and in every version: it is stored.
pub(crate) fn text_key(text: &str) -> u64 {
    text.bytes().fold(OFFSET, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

fn fold(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::name_key;

    #[test]
    fn names_fold_as_the_loosest_comparison_does() {
        assert_eq!(name_key("default-of"), name_key("DefaultOf"));
        assert_eq!(name_key("$über_alles"), name_key("ÜberAlles"));
        assert_ne!(name_key("ab"), name_key("ba"));
    }
}

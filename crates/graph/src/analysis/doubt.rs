//! What a proof rests on, and what casts doubt on it.

use crate::analysis::file_lines::FileLines;
use crate::analysis::mentions::{Mention, MentionFile, Mentions};
use crate::analysis::roots::Roots;
use crate::input::files::SymbolId;
use crate::references::find_references::ReferenceHit;
use crate::references::reference_query::ReferenceQuery;
use crate::resolution::resolver::{Resolution, RestsOn};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use whyrank_syntax::{Reference, ReferenceKind};

/// A place that may mean a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubt {
    /// File and line; none where the place is not in the view, or is none at all.
    pub(crate) at: Option<(u32, u32)>,
    /// The definitions around it, innermost first.
    pub(crate) within: Vec<SymbolId>,
    /// Why it may mean it, in words, with the place.
    pub(crate) why: String,
}

/// Meaning of a reference, and what it rests on.
pub(super) type Meaning = (Rc<Resolution>, RestsOn);

/// References of a file by line and column.
pub(super) type ByPlace<'a> = FxHashMap<(u32, u32), Vec<&'a Reference>>;

/// The words of a checkout, compared with definitions.
pub(crate) struct Proof<'u, 'a> {
    pub(crate) uses: &'u ReferenceQuery<'a>,
    pub(super) mentions: Mentions,
    pub(crate) roots: Roots<'a>,
    /// References of a file by line, column and name; made at first need.
    pub(super) facts: RefCell<FxHashMap<u32, ByPlace<'a>>>,
    /// Whether a file makes code by macros, by file; asked for each place of a name.
    pub(super) writers: RefCell<FxHashMap<u32, bool>>,
    pub(super) lines: RefCell<FxHashMap<u32, Rc<FileLines>>>,
    /// What references mean, by address: many definitions bear a name, and each asks.
    pub(super) meanings: RefCell<FxHashMap<*const Reference, Meaning>>,
    /// Pairs of types, and whether the first has all members of the second that anyone may use.
    pub(super) stand_ins: RefCell<FxHashMap<(SymbolId, SymbolId), bool>>,
    /// Types that other types are registered with, by name; made at first need.
    pub(super) registrars: OnceCell<FxHashSet<&'a str>>,
    /// The paths of the view's files without their endings, by their last names; made at first need.
    pub(super) stems: OnceCell<FxHashMap<&'a str, Vec<&'a str>>>,
    /// Calls and types written as no definition is, by their names in lower case, where case does not
    /// count; made at first need.
    pub(super) respelled: OnceCell<FxHashMap<String, Vec<(u32, &'a Reference)>>>,
    /// Whether types of the view inherit what a block adds to.
    pub(super) opened: RefCell<FxHashMap<SymbolId, bool>>,
    /// The bases of types and of their heirs.
    pub(super) bases_of_heirs: RefCell<FxHashMap<SymbolId, Rc<FxHashSet<SymbolId>>>>,
}

impl Proof<'_, '_> {
    /// Says whether a block adds to a type from outside that types of the view inherit from: it may have what
    /// that asks of them.
    pub(super) fn opens_base(&self, owner: SymbolId) -> bool {
        if !self.uses.resolver.opens_foreign(owner) {
            return false;
        }
        let is_head = |hit: &ReferenceHit| hit.kind == ReferenceKind::Inherit;
        let look = || self.uses.all(&[owner]).iter().any(is_head);
        *self.opened.borrow_mut().entry(owner).or_insert_with(look)
    }
}

pub(crate) fn hidden(why: String) -> Doubt {
    Doubt {
        at: None,
        within: Vec::new(),
        why,
    }
}

pub(crate) fn file_of(mention: &Mention) -> Option<u32> {
    match &mention.file {
        MentionFile::Indexed(file) => Some(*file),
        MentionFile::LeftOut(_) => None,
    }
}

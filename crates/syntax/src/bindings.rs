//! The local binding that each name of a text means, noted while the text is walked.
//!
//! A place is noted where the scopes of the walk lead from it to one binding. What the walk cannot prove is
//! left out: [`Bindings::doubt`] takes a binding back with all of its places.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A binding that no place can mean.
pub(crate) const NO_BINDING: u32 = u32::MAX;

/// A place where a name means a binding of the function around it: a parameter, a local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalName {
    /// First byte.
    pub start: u32,
    /// Byte behind the last.
    pub end: u32,
    /// Its binding: the same number at all places that mean it, and at no other.
    pub binding: u32,
    /// It declares the binding, or is the assignment that does.
    pub declares: bool,
    /// It gives it a value.
    pub sets: bool,
}

/// A declaration: the function around it, by its first byte, and where the name stands.
struct Declared {
    function: usize,
    name: String,
    binding: u32,
    start: u32,
}

/// The bindings of a text, as far as it is walked.
#[derive(Default)]
pub(crate) struct Bindings {
    places: Vec<LocalName>,
    declared: Vec<Declared>,
    /// By binding: another one that is the same, or itself.
    same: Vec<u32>,
    /// By binding: the first byte of its first declaration.
    starts: HashMap<u32, u32>,
    doubted: HashSet<u32>,
    /// Words in code that could not be read, by the function around it.
    unread: HashSet<(usize, String)>,
    /// Ranges of bindings that the node at a depth does not see.
    pub(crate) concealed: Vec<(usize, Range<usize>)>,
}

impl Bindings {
    pub(crate) fn fresh(&mut self) -> u32 {
        let binding = self.same.len() as u32;
        self.same.push(binding);
        binding
    }

    /// Two are one: a name that is assigned twice in a function that declares by assigning.
    pub(crate) fn unite(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        let (Some(first), true) = (self.same.get(one.max(other) as usize), one != other) else {
            return;
        };
        debug_assert_eq!(*first, one.max(other));
        self.same[one.max(other) as usize] = one.min(other);
    }

    /// Nothing is said of a binding: what else bears its name cannot be told from it.
    pub(crate) fn doubt(&mut self, binding: u32) {
        self.doubted.insert(binding);
    }

    /// Words that may bind something, in code that could not be read.
    pub(crate) fn leave_unread(&mut self, function: usize, text: &str) {
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        let words = words.filter(|word| !word.is_empty());
        self.unread
            .extend(words.map(|word| (function, word.to_owned())));
    }

    pub(crate) fn declare(&mut self, function: usize, name: &str, place: LocalName) {
        self.starts.entry(place.binding).or_insert(place.start);
        self.declared.push(Declared {
            function,
            name: name.to_owned(),
            binding: place.binding,
            start: place.start,
        });
        self.note(place);
    }

    pub(crate) fn note(&mut self, place: LocalName) {
        if place.binding != NO_BINDING {
            self.places.push(place);
        }
    }

    /// The first byte of a binding's first declaration.
    pub(crate) fn start_of(&self, binding: u32) -> Option<u32> {
        self.starts.get(&binding).copied()
    }

    /// The newest declaration of a name from a byte on.
    pub(crate) fn declared_from(&self, name: &str, start: u32) -> Option<u32> {
        let mut declared = self.declared.iter().rev();
        let found = declared.find(|declared| declared.start >= start && declared.name == name)?;
        Some(found.binding)
    }

    fn root(&self, binding: u32) -> u32 {
        let mut at = binding;
        while let Some(&next) = self.same.get(at as usize).filter(|next| **next != at) {
            at = next;
        }
        at
    }

    /// The places, sorted, of bindings that are declared somewhere and never doubted. `is_strict`: a name that
    /// several declarations of a function bear is doubted.
    pub(crate) fn proven(mut self, is_strict: bool) -> Vec<LocalName> {
        let mut doubted: HashSet<u32> = self
            .doubted
            .iter()
            .map(|doubted| self.root(*doubted))
            .collect();
        let mut by_name: HashMap<(usize, &str), u32> = HashMap::new();
        for declared in &self.declared {
            let binding = self.root(declared.binding);
            let key = (declared.function, declared.name.as_str());
            let first = *by_name.entry(key).or_insert(binding);
            if is_strict && first != binding {
                doubted.extend([first, binding]);
            }
            if self
                .unread
                .contains(&(declared.function, declared.name.clone()))
            {
                doubted.insert(binding);
            }
        }
        let roots: Vec<u32> = (0..self.same.len() as u32)
            .map(|binding| self.root(binding))
            .collect();
        let mut declared = HashSet::new();
        for place in &mut self.places {
            place.binding = roots[place.binding as usize];
            if place.declares {
                declared.insert(place.binding);
            }
        }
        let is_proven = |place: &LocalName| {
            declared.contains(&place.binding) && !doubted.contains(&place.binding)
        };
        settled(self.places, is_proven)
    }
}

/// One answer a place: none where two bindings are noted for it.
fn settled(mut places: Vec<LocalName>, is_proven: impl Fn(&LocalName) -> bool) -> Vec<LocalName> {
    places.sort_by_key(|place| (place.start, place.end, !place.declares, !place.sets));
    let mut settled: Vec<LocalName> = Vec::with_capacity(places.len());
    for of_place in places.chunk_by(|one, next| one.start == next.start) {
        let first = of_place[0];
        let is_one = of_place.iter().all(|place| place.binding == first.binding);
        if is_one && is_proven(&first) {
            settled.push(first);
        }
    }
    settled
}

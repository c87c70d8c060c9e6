//! Where no use is certain: the places that may be one.

use crate::{
    analysis::{
        mentions::{MentionFile, ReadMentions},
        proof::Proof,
        ruling::{RuledPlace, Ruling},
    },
    input::files::SymbolId,
    references::reference_query::ReferenceQuery,
};

/// A place that may use a definition: only its name says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PossibleUse {
    /// Index of the file in the view.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// The innermost symbol around it.
    pub enclosing: Option<SymbolId>,
    /// Why it is possible, in words, with the place.
    pub why: String,
}

/// Rules on every place of the checkout that bears the name of one of these definitions, by path and line; a
/// place that one of them may be meant by is open, whatever it is to the others. O(text of the checkout).
pub fn rulings(
    uses: &ReferenceQuery<'_>,
    targets: &[SymbolId],
    read: &ReadMentions<'_>,
) -> Vec<RuledPlace> {
    let known: Vec<SymbolId> = targets.iter().copied().filter(|id| uses.has(*id)).collect();
    let proof = Proof::new(uses, known.iter().copied(), read);
    let places = known.iter().flat_map(|id| proof.rulings(*id));
    let mut places: Vec<RuledPlace> = places.collect();
    let path = |place: &RuledPlace| match &place.file {
        MentionFile::Indexed(file) => uses.resolver.files[*file as usize].path.to_owned(),
        MentionFile::LeftOut(path) => path.clone(),
    };
    let weight = |place: &RuledPlace| match place.ruling {
        Ruling::Used => 0,
        Ruling::Unsettled(_) => 1,
        Ruling::Own => 2,
        _ => 3,
    };
    places.sort_by_cached_key(|place| (path(place), place.line, weight(place)));
    places.dedup_by(|a, b| a.line == b.line && a.file == b.file);
    places
}

/// What the words of a checkout say about definitions without a certain use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PossibleUses {
    /// By path and line.
    pub uses: Vec<PossibleUse>,
    /// Other places of the name, which certainly mean something else.
    pub n_ruled_out: usize,
    /// Files whose words were read.
    pub n_files: usize,
    /// How something may reach one without its name.
    pub hidden: Option<String>,
}

/// Returns the places that may use one of these definitions, apart from themselves. O(text of the
/// checkout).
pub fn possible_uses(
    uses: &ReferenceQuery<'_>,
    targets: &[SymbolId],
    read: &ReadMentions<'_>,
) -> PossibleUses {
    let known: Vec<SymbolId> = targets.iter().copied().filter(|id| uses.has(*id)).collect();
    let proof = Proof::new(uses, known.iter().copied(), read);
    let mut found = PossibleUses {
        n_files: proof.n_files(),
        hidden: known.iter().find_map(|id| {
            let convention = || proof.roots.way_of_convention(uses, *id);
            proof
                .way_through_members(*id)
                .or_else(|| proof.way_without_name(*id))
                .or_else(convention)
        }),
        ..PossibleUses::default()
    };
    for (n, id) in known.iter().enumerate() {
        let (doubts, n_others) = proof.places(*id);
        // Of several definitions of one name each place is counted once.
        found.n_ruled_out = if n == 0 {
            n_others
        } else {
            n_others.min(found.n_ruled_out)
        };
        for doubt in doubts {
            match doubt.at {
                Some((file, line)) => found.uses.push(PossibleUse {
                    file,
                    line,
                    enclosing: doubt.within.first().copied(),
                    why: doubt.why,
                }),
                // In a file that the index leaves out.
                None => found.hidden = found.hidden.or(Some(doubt.why)),
            }
        }
    }
    let path = |found: &PossibleUse| uses.resolver.files[found.file as usize].path;
    found
        .uses
        .sort_by(|a, b| (path(a), a.line).cmp(&(path(b), b.line)));
    found.uses.dedup_by_key(|found| (found.file, found.line));
    found
}

//! Which of several functions of one name a call means, by the number of its arguments; and what makes an
//! object of a type that is called.

use whyrank_syntax::{Reference, ReferenceKind, SymbolKind};

use crate::{
    input::files::SymbolId,
    resolution::{resolver::Resolver, signatures},
};

impl Resolver<'_> {
    /// A field and a method of one name: a call means the method, any other use the field. A `struct` and
    /// a function of one name are told apart in the same way.
    pub(super) fn of_kind(&self, ids: Vec<SymbolId>, kind: ReferenceKind) -> Vec<SymbolId> {
        let ids = self.of_tag(ids, kind);
        let is_function = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            matches!(kind, SymbolKind::Method | SymbolKind::Function)
        };
        let is_value = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            matches!(kind, SymbolKind::Field | SymbolKind::Constant)
        };
        if !(ids.iter().any(is_function) && ids.iter().any(is_value)) {
            return ids;
        }
        let called = kind == ReferenceKind::Call;
        ids.into_iter()
            .filter(|id| is_function(id) == called)
            .collect()
    }

    fn of_tag(&self, ids: Vec<SymbolId>, kind: ReferenceKind) -> Vec<SymbolId> {
        let is_type = |id: &SymbolId| self.symbol(*id).kind.has_members();
        let is_tagged = |id: &SymbolId| self.rules(id.file).types_have_tags;
        let (types, others): (Vec<SymbolId>, Vec<SymbolId>) =
            ids.iter().partition(|id| is_type(id));
        let makes = |id: &SymbolId| {
            let language = self.files[id.file as usize].language;
            !self.rules(id.file).types_need_tags.contains(&language)
        };
        if types.is_empty() || others.is_empty() || !ids.iter().all(is_tagged) {
            return ids;
        }
        match kind {
            ReferenceKind::Type | ReferenceKind::Inherit => types,
            // A type without its tag may be called to make an object.
            ReferenceKind::Call if ids.iter().any(makes) => ids,
            _ => others,
        }
    }

    /// Definitions that a use means, those left out whose parameters do not fit a call.
    pub(super) fn fitting_call(&self, ids: Vec<SymbolId>, reference: &Reference) -> Vec<SymbolId> {
        if reference.kind != ReferenceKind::Call {
            return ids;
        }
        let ids = self.with_constructors(ids);
        let Some(n_args) = reference.n_args.map(usize::from) else {
            return ids;
        };
        let fits = |id: &SymbolId| !self.is_overload(*id) || self.takes(*id, n_args);
        let is_function = |id: &&SymbolId| self.symbol(**id).kind.is_callable();
        if ids.iter().filter(is_function).any(fits) || ids.iter().all(fits) {
            return ids.into_iter().filter(fits).collect();
        }
        let of_bases = self.of_bases(&ids, n_args);
        if of_bases.is_empty() { ids } else { of_bases }
    }

    /// Says whether a language tells functions of one name apart, and a call says how many arguments it has.
    pub(crate) fn is_overload(&self, id: SymbolId) -> bool {
        self.symbol(id).kind.is_callable() && self.has_chosen_overloads(id.file)
    }

    fn has_chosen_overloads(&self, file: u32) -> bool {
        let language = self.files[file as usize].language;
        let languages = self.rules(file).calls_choose_overloads;
        languages.contains(&language)
    }

    /// Whether a function can be called with so many arguments, as far as its head says.
    fn takes(&self, id: SymbolId, n_args: usize) -> bool {
        let mut known = self.known_bounds.borrow_mut();
        let bounds = known.entry(id).or_insert_with(|| {
            let symbol = self.symbol(id);
            signatures::bounds(&symbol.signature, &symbol.name)
        });
        bounds.is_none_or(|(least, most)| (least..=most).contains(&n_args))
    }

    /// A type that is called, with what makes one, where a call chooses it. Elsewhere who makes an object
    /// uses the type alone.
    fn with_constructors(&self, mut ids: Vec<SymbolId>) -> Vec<SymbolId> {
        let is_made =
            |id: &SymbolId| self.symbol(*id).kind.is_type() && self.has_chosen_overloads(id.file);
        let types: Vec<SymbolId> = ids.iter().copied().filter(is_made).collect();
        for id in types {
            let found = self.own_members(id, self.symbol(id).name.as_str());
            let made = found.into_iter();
            let made = made.filter(|id| self.symbol(*id).kind == SymbolKind::Constructor);
            for id in made.collect::<Vec<_>>() {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
        ids
    }

    /// What the bases of their types have under the name, where it fits.
    fn of_bases(&self, ids: &[SymbolId], n_args: usize) -> Vec<SymbolId> {
        let owners = ids.iter().filter_map(|id| self.parent(*id));
        let bases: Vec<SymbolId> = owners.flat_map(|owner| self.bases(owner, 0).0).collect();
        let Some(id) = ids.first() else {
            return Vec::new();
        };
        let fits = |id: &SymbolId| self.symbol(*id).kind.is_callable() && self.takes(*id, n_args);
        self.members_kept(&bases, &self.symbol(*id).name, &fits)
    }
}

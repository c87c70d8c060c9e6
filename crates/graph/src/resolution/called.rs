//! Which of several functions of one name a call means, by its arguments; and what makes an object of a
//! type that is called.

use std::rc::Rc;

use whyrank_syntax::{Reference, ReferenceKind, SymbolKind};

use crate::{
    input::files::SymbolId,
    languages::visibility::says,
    resolution::{
        arguments::{self, Argument, Fit, Parameter},
        dotted_expression::Step,
        resolver::{Resolution, Resolver, UseSite},
        type_arguments,
        wanted::Wanted,
    },
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

    /// The members of a type that a use means, of those that bear the name: where kinds are apart, the others hide
    /// none that a base has.
    pub(super) fn of_place(
        &self,
        owner: &Resolution,
        mut ids: Vec<SymbolId>,
        reference: &Reference,
    ) -> Resolution {
        let is_apart = |id: &SymbolId| self.rules(id.file).kinds_are_apart;
        if !ids.iter().all(is_apart) {
            return Resolution::Definitions(self.of_kind(ids, reference.kind));
        }
        let wanted = Wanted::of(self.files[ids[0].file as usize].language, reference);
        let keep = |id: &SymbolId| wanted.keeps(self.symbol(*id).kind);
        let name = self.symbol(ids[0]).name.clone();
        ids.retain(keep);
        if ids.is_empty()
            && let Resolution::Definitions(types) | Resolution::Instances(types) = owner
        {
            ids = self.members_kept(types, &name, &keep);
        }
        match ids.is_empty() {
            true => Resolution::Unknown,
            false => Resolution::Definitions(ids),
        }
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

    /// What a use means, definitions left out whose parameters do not fit a call.
    ///
    /// Where none fits, the call means what a base has, or an extension; else something from outside. Where
    /// one may fit, and so may one of another type, nothing is known.
    pub(super) fn fitting_call(
        &self,
        site: UseSite,
        ids: Vec<SymbolId>,
        reference: &Reference,
    ) -> Resolution {
        if reference.kind != ReferenceKind::Call {
            return Resolution::Definitions(ids);
        }
        let ids = self.with_constructors(ids);
        let Some(given) = reference.call_arguments().map(arguments::arguments) else {
            return Resolution::Definitions(ids);
        };
        let (missing, ids) = self.on_value(site, ids, reference, &given);
        if let Some(nothing) = missing.filter(|_| ids.is_empty()) {
            return nothing;
        }
        if ids.iter().any(|id| self.adapts_arguments(id.file)) {
            return Resolution::Definitions(self.by_number(site, ids, &given));
        }
        if let Some(beside) = self.beside_value(site, &ids, &given) {
            return beside;
        }
        let (functions, others): (Vec<SymbolId>, Vec<SymbolId>) =
            ids.iter().partition(|id| self.is_overload(**id));
        if functions.is_empty() {
            return Resolution::Definitions(ids);
        }
        let fitting = self.best(site, &functions, &given);
        let is_sure = fitting.iter().all(|(_, fit)| *fit == Fit::Exact);
        let is_bare = reference.qualifier.is_empty();
        let further = || self.further_away(site, &functions, &given, is_bare);
        if fitting.is_empty() && others.is_empty() {
            return match further() {
                meant if meant.is_empty() => Resolution::External,
                meant => Resolution::Definitions(meant),
            };
        }
        if !is_sure && others.is_empty() && self.has_others(&fitting) && !further().is_empty() {
            return Resolution::Unknown;
        }
        let fitting = fitting.into_iter().map(|(id, _)| id);
        Resolution::Definitions(others.into_iter().chain(fitting).collect())
    }

    /// Definitions without the extensions that a call on a value cannot mean by its arguments, and what it means
    /// where these are all.
    fn on_value(
        &self,
        site: UseSite,
        ids: Vec<SymbolId>,
        reference: &Reference,
        given: &[Argument<'_>],
    ) -> (Option<Resolution>, Vec<SymbolId>) {
        let misses = |id: &SymbolId| {
            let stated = self.extended_text(*id).and_then(|_| self.parameters(*id));
            stated.is_some_and(|stated| arguments::misses_value(&stated, given))
        };
        if reference.qualifier.is_empty() || !ids.iter().any(misses) {
            return (None, ids);
        }
        let before = self.expression(site, &reference.qualifier, 0);
        let is_type = match &before {
            Resolution::Definitions(meant) => {
                meant.iter().any(|id| self.symbol(*id).kind.has_members())
            }
            _ => false,
        };
        if is_type {
            return (None, ids);
        }
        let nothing = match before {
            Resolution::External => Resolution::External,
            _ => Resolution::Unknown,
        };
        let kept = ids.into_iter().filter(|id| !misses(id)).collect();
        (Some(nothing), kept)
    }

    /// Those of some functions that a call may mean: where one fits to the very types, no other.
    fn best(
        &self,
        site: UseSite,
        ids: &[SymbolId],
        given: &[Argument<'_>],
    ) -> Vec<(SymbolId, Fit)> {
        let fits = ids.iter().map(|id| (*id, self.fit(site, *id, given)));
        let mut fits: Vec<(SymbolId, Fit)> = fits.filter(|(_, fit)| *fit != Fit::No).collect();
        if fits.iter().any(|(_, fit)| *fit == Fit::Exact) {
            fits.retain(|(_, fit)| *fit == Fit::Exact);
        }
        fits
    }

    /// Types of one name that take so many parameters; all where none does, or where that tells nothing.
    pub(super) fn of_arity(&self, ids: Vec<SymbolId>, n_given: usize) -> Vec<SymbolId> {
        let fits = |id: &SymbolId| !self.symbol(*id).kind.is_type() || self.arity(*id) == n_given;
        let tells = |id: &SymbolId| self.rules(id.file).arity_tells_types;
        if ids.len() < 2 || !ids.iter().all(tells) || !ids.iter().any(fits) {
            return ids;
        }
        ids.into_iter().filter(fits).collect()
    }

    /// The same of what an expression begins with.
    pub(super) fn head_of_arity(&self, meant: Resolution, head: &Step) -> Resolution {
        let n_given = || type_arguments::split(&head.arguments).len();
        match meant {
            Resolution::Definitions(ids) if !head.indexed => {
                Resolution::Definitions(self.of_arity(ids, n_given()))
            }
            other => other,
        }
    }

    /// Members of types of one name, of those alone that take as many parameters as one.
    pub(super) fn of_owners_like(&self, members: &mut Vec<SymbolId>, id: SymbolId) {
        if !self.rules(id.file).arity_tells_types {
            return;
        }
        let n_taken = self.arity(id);
        members.retain(|member| {
            let owner = self.parent(*member);
            owner.is_none_or(|owner| self.arity(owner) == n_taken)
        });
    }

    /// How many parameters a type takes, where that tells it from others of its name.
    pub(crate) fn arity(&self, id: SymbolId) -> usize {
        let symbol = self.symbol(id);
        match self.rules(id.file).arity_tells_types && symbol.kind.is_type() {
            true => type_arguments::parameters_of(&symbol.signature, &symbol.name).len(),
            false => 0,
        }
    }

    /// Says whether a language tells functions of one name apart, and a call says its arguments.
    pub(crate) fn is_overload(&self, id: SymbolId) -> bool {
        self.symbol(id).kind.is_callable() && self.has_chosen_overloads(id.file)
    }

    fn has_chosen_overloads(&self, file: u32) -> bool {
        let language = self.files[file as usize].language;
        let languages = self.rules(file).calls_choose_overloads;
        languages.contains(&language)
    }

    /// Those that take as many arguments as a call has; all where none does.
    fn by_number(
        &self,
        site: UseSite,
        ids: Vec<SymbolId>,
        given: &[Argument<'_>],
    ) -> Vec<SymbolId> {
        let is_fit =
            |id: &SymbolId| !self.is_overload(*id) || self.fit(site, *id, given) != Fit::No;
        match ids.iter().any(is_fit) {
            true => ids.into_iter().filter(is_fit).collect(),
            false => ids,
        }
    }

    fn adapts_arguments(&self, file: u32) -> bool {
        let languages = self.rules(file).calls_adapt_arguments;
        languages.contains(&self.files[file as usize].language)
    }

    /// How well a call fits a function, as far as its head says. From another language what an extension is
    /// called on is an argument.
    fn fit(&self, site: UseSite, id: SymbolId, given: &[Argument<'_>]) -> Fit {
        let Some(stated) = self.parameters(id) else {
            return Fit::May;
        };
        let language = |file: u32| self.files[file as usize].language;
        let is_foreign = language(site.file) != language(id.file);
        let given = match self.extended_text(id).is_some() && is_foreign {
            true => given.get(1..).unwrap_or_default(),
            false => given,
        };
        match arguments::fit(&stated, given) {
            // A function that waits takes one more there.
            Fit::No if is_foreign && says(self.symbol(id), "suspend") => Fit::May,
            fit => fit,
        }
    }

    fn parameters(&self, id: SymbolId) -> Option<Rc<[Parameter]>> {
        let mut known = self.known_parameters.borrow_mut();
        let stated = known.entry(id).or_insert_with(|| {
            let symbol = self.symbol(id);
            arguments::parameters(&symbol.signature, &symbol.name).map(Rc::from)
        });
        stated.clone()
    }

    /// Says whether two functions state the same types of parameters, and extend the same.
    pub(crate) fn take_the_same(&self, left: SymbolId, right: SymbolId) -> bool {
        if self.extended_text(left) != self.extended_text(right) {
            return false;
        }
        match (self.parameters(left), self.parameters(right)) {
            (Some(left), Some(right)) => {
                let types = |stated: &[Parameter]| -> Vec<String> {
                    stated.iter().map(|one| one.stated.clone()).collect()
                };
                types(&left) == types(&right)
            }
            _ => false,
        }
    }

    /// Says whether others bear the name of functions that replace none of a base.
    fn has_others(&self, fitting: &[(SymbolId, Fit)]) -> bool {
        let Some((first, _)) = fitting.first() else {
            return false;
        };
        self.lookups.anywhere(&self.symbol(*first).name);
        let named = self.table.named(&self.symbol(*first).name);
        let replaces = |id: SymbolId| {
            let symbol = self.symbol(id);
            says(symbol, "override") || symbol.signature.contains("@Override")
        };
        named.len() > fitting.len() && !fitting.iter().any(|(id, _)| replaces(*id))
    }

    /// A type that is called, with what makes one, where a call chooses it. Elsewhere who makes an object
    /// uses the type alone.
    fn with_constructors(&self, mut ids: Vec<SymbolId>) -> Vec<SymbolId> {
        let is_made =
            |id: &SymbolId| self.symbol(*id).kind.is_type() && self.has_chosen_overloads(id.file);
        let types: Vec<SymbolId> = ids.iter().copied().filter(is_made).collect();
        for id in types {
            let meant = self.own_members(id, self.symbol(id).name.as_str());
            let made = meant.into_iter();
            let made = made.filter(|id| self.symbol(*id).kind == SymbolKind::Constructor);
            for id in made.collect::<Vec<_>>() {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
        ids
    }

    /// What a call may mean that none of these functions hides: members of bases which they do not replace,
    /// extensions that the place sees.
    fn further_away(
        &self,
        site: UseSite,
        ids: &[SymbolId],
        given: &[Argument<'_>],
        is_bare: bool,
    ) -> Vec<SymbolId> {
        let Some(name) = ids.first().map(|id| self.symbol(*id).name.as_str()) else {
            return Vec::new();
        };
        let owners = ids.iter().filter_map(|id| self.parent(*id));
        let owners = owners.filter(|id| self.symbol(*id).kind.has_members());
        let mut owners: Vec<SymbolId> = owners.collect();
        owners.sort_unstable();
        owners.dedup();
        let bases: Vec<SymbolId> = owners
            .iter()
            .flat_map(|owner| self.bases(*owner, 0).0)
            .collect();
        let fits = |id: &SymbolId| {
            let is_own = ids.iter().any(|own| own == id || self.replaces(*own, *id));
            self.symbol(*id).kind.is_callable() && !is_own && self.fit(site, *id, given) != Fit::No
        };
        let mut meant = self.members_kept(&bases, name, &fits);
        if meant.is_empty() {
            meant = self.seen_extensions(site, &owners, name);
            meant.retain(fits);
        }
        if meant.is_empty() && is_bare {
            meant = self.around(site, name);
            meant.retain(fits);
        }
        let best = self.best(site, &meant, given);
        best.into_iter().map(|(id, _)| id).collect()
    }

    /// All that a bare name may mean at a place, whatever hides it: members of the types around, what the file
    /// and its package have at their top, what it imports.
    fn around(&self, site: UseSite, name: &str) -> Vec<SymbolId> {
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let around = std::iter::successors(first, |id| self.parent(*id));
        let types: Vec<SymbolId> = around
            .filter(|id| self.symbol(*id).kind.has_members())
            .collect();
        let mut meant: Vec<SymbolId> = types
            .iter()
            .flat_map(|id| self.members_of(&[*id], name))
            .collect();
        self.lookups.in_file(site.file, name);
        meant.extend(self.top_level(site.file, name));
        meant.extend(self.in_package(site.file, name));
        if let Resolution::Definitions(ids) = self.outer(site, name, Vec::new()) {
            meant.extend(ids);
        }
        meant.sort_unstable();
        meant.dedup();
        meant
    }

    /// Says whether a function may replace one of a base: it takes the same, or what the base leaves open.
    fn replaces(&self, own: SymbolId, other: SymbolId) -> bool {
        let base = self.parent(other).map(|base| self.symbol(base));
        let left_open = base.map_or_else(Vec::new, |base| {
            type_arguments::parameters_of(&base.signature, &base.name)
        });
        let is_open = |stated: &Parameter| {
            let mut words = type_arguments::words(&stated.stated);
            words.any(|word| left_open.contains(&word))
        };
        let (Some(left), Some(right)) = (self.parameters(own), self.parameters(other)) else {
            return true;
        };
        left.len() == right.len()
            && left
                .iter()
                .zip(right.iter())
                .all(|(own, other)| own.stated == other.stated || is_open(other))
    }

    /// A value of a type that is called, where an extension of its name is what can be.
    fn beside_value(
        &self,
        site: UseSite,
        ids: &[SymbolId],
        given: &[Argument<'_>],
    ) -> Option<Resolution> {
        let is_value = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            let is_value = matches!(
                kind,
                SymbolKind::Field
                    | SymbolKind::Property
                    | SymbolKind::Constant
                    | SymbolKind::Variable
            );
            is_value && self.has_chosen_overloads(id.file) && self.extended_text(*id).is_none()
        };
        let first = self.symbol(*ids.first()?);
        if !ids.iter().all(is_value) || !self.rules(site.file).extends_from_outside {
            return None;
        }
        let owners: Vec<SymbolId> = ids.iter().filter_map(|id| self.parent(*id)).collect();
        let mut meant = self.seen_extensions(site, &owners, &first.name);
        meant.retain(|id| {
            self.symbol(*id).kind.is_callable() && self.fit(site, *id, given) != Fit::No
        });
        let is_plain = |id: &SymbolId| arguments::is_plain_value(&self.symbol(*id).signature);
        match (meant.is_empty(), ids.iter().all(is_plain)) {
            (true, _) => None,
            (false, true) => Some(Resolution::Definitions(meant)),
            (false, false) => Some(Resolution::Unknown),
        }
    }
}

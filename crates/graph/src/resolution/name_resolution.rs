//! What a bare name means where it stands: locals of the file, members of the types around, imports,
//! the package.

use std::collections::HashSet;

use whyrank_syntax::{Symbol, SymbolKind};

use crate::{
    input::files::SymbolId,
    resolution::{
        library_names::is_common,
        namesakes::FEW,
        resolver::{Resolution, Resolver, UseSite, joined, without_impls},
        scope::Binding,
        wanted::Wanted,
    },
    steps,
};

/// What the types around a place have under a name.
enum Inherited {
    Nothing,
    Members(Vec<SymbolId>),
    /// A base outside of the view may have it.
    MayBeOutside,
}

impl Resolver<'_> {
    /// Resolves a name without qualifier where it stands: the nearest meaning hides the others.
    ///
    /// Own definitions come before inherited members only when they stand inside the type: a function
    /// of the file's top is farther away than a member of a base.
    pub(crate) fn bare(&self, site: UseSite, name: &str) -> Resolution {
        self.bare_as(site, name, Wanted::Any)
    }

    /// The same for a use that can only mean some kinds of definitions.
    pub(crate) fn bare_as(&self, site: UseSite, name: &str, wanted: Wanted) -> Resolution {
        match self.of_any_receiver(site, name, wanted) {
            Resolution::Definitions(ids) => {
                let ids = self.for_implicit_receiver(site, ids);
                (self.rules(site.file).of_receiver)(self, site, None, ids)
            }
            unsettled @ (Resolution::Unknown | Resolution::External) => self
                .type_in_other_case(site, name, wanted)
                .unwrap_or(unsettled),
            other => other,
        }
    }

    /// A type by its name in another case, where no definition bears the name as it is written.
    fn type_in_other_case(&self, site: UseSite, name: &str, wanted: Wanted) -> Option<Resolution> {
        if !self.rules(site.file).calls_ignore_case || !self.table.named(name).is_empty() {
            return None;
        }
        self.lookups.anywhere(name);
        let is_type = |id: &&SymbolId| self.symbol(**id).kind.has_members();
        self.table.spellings(name).into_iter().find_map(|ids| {
            let spelled = &self.symbol(*ids.iter().find(is_type)?).name;
            match self.bare_as(site, spelled, wanted) {
                meant @ Resolution::Definitions(_) => Some(meant),
                _ => None,
            }
        })
    }

    /// The same, extensions of whatever type among it.
    fn of_any_receiver(&self, site: UseSite, name: &str, wanted: Wanted) -> Resolution {
        if let Some(free_name) = self.rules(site.file).free_name {
            return free_name(self, site, name, wanted);
        }
        if !self.rules(site.file).imports_bind_names && self.table.named(name).is_empty() {
            self.lookups.anywhere(name);
            return Resolution::Unknown;
        }
        let own = self.in_scope_as(site, name, wanted);
        if let Some(found) = self.of_implicit_receivers(site, name, wanted, &own) {
            return found;
        }
        if self.rules(site.file).scope_hides_inherited {
            match self.outer(site, name, own.clone()) {
                Resolution::Unknown => {}
                found => return found,
            }
        }
        if self.rules(site.file).members_are_in_scope {
            let holder = own.first().and_then(|id| self.parent(*id));
            match self.inherited(site, name, wanted, holder) {
                Inherited::Members(found) => return Resolution::Definitions(found),
                Inherited::MayBeOutside => return Resolution::Unknown,
                Inherited::Nothing => {}
            }
        }
        match self.outer(site, name, own) {
            unsettled @ (Resolution::Unknown | Resolution::External) => {
                let opened_variant = self.rules(site.file).opened_variant;
                opened_variant(self, site, name)
                    .map_or(unsettled, |id| Resolution::Definitions(vec![id]))
            }
            other => other,
        }
    }

    /// Resolves a name without qualifier where a type is written: a member may bear the name of its
    /// type (`public Formatter Formatter { get; }`).
    pub(crate) fn bare_type(&self, site: UseSite, name: &str) -> Resolution {
        let wanted = match self.rules(site.file).kinds_are_apart {
            true => Wanted::Type,
            false => Wanted::Any,
        };
        self.as_type(site, name, self.bare_as(site, name, wanted))
    }

    /// The type that the head of an extension names. Extensions may bear its name: which of them is meant
    /// here is what asks for the type.
    pub(super) fn extended_type(&self, site: UseSite, name: &str) -> Resolution {
        let found = self.of_any_receiver(site, name, Wanted::Any);
        self.as_type(site, name, found)
    }

    fn as_type(&self, site: UseSite, name: &str, found: Resolution) -> Resolution {
        let rules = self.rules(site.file);
        let is_type = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            kind.has_members()
        };
        if rules
            .types_need_tags
            .contains(&self.files[site.file as usize].language)
        {
            return self.tag(site, name, found);
        }
        let is_value = matches!(&found, Resolution::Definitions(ids) if !ids.iter().any(is_type));
        if !is_value || !rules.members_are_in_scope || rules.members_are_defined_outside {
            return found;
        }
        let file = site.file;
        let own = self.table.named_in(file, name).iter().copied();
        let is_function = |id: &SymbolId| self.symbol(*id).kind.is_callable();
        match self.outer(site, name, own.filter(is_type).collect()) {
            Resolution::Unknown => self.only_type(site, name),
            // A function is no type, whatever it is called.
            Resolution::Definitions(ids) if ids.iter().all(is_function) => {
                self.only_type(site, name)
            }
            other => other,
        }
    }

    /// A tag is apart from functions: one of the same file hides no `struct` of that name.
    fn tag(&self, site: UseSite, name: &str, found: Resolution) -> Resolution {
        let is_function = |id: &SymbolId| self.symbol(*id).kind.is_callable();
        let is_only_functions = |found: &Resolution| matches!(found, Resolution::Definitions(ids) if ids.iter().all(is_function));
        if !is_only_functions(&found) {
            return found;
        }
        match self.outer(site, name, Vec::new()) {
            found if is_only_functions(&found) => Resolution::Unknown,
            other => other,
        }
    }

    /// Finds members of the types around a place, of their bases too, innermost first; only of those that
    /// are nearer than `holder`, which has the name itself.
    ///
    /// A base outside of the view may have a name that types of libraries have: what is farther away may
    /// not be meant then.
    fn inherited(
        &self,
        site: UseSite,
        name: &str,
        wanted: Wanted,
        holder: Option<SymbolId>,
    ) -> Inherited {
        if self.table.named(name).is_empty() {
            self.lookups.anywhere(name);
            return Inherited::Nothing;
        }
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let around = std::iter::successors(first, |id| self.parent(*id));
        let nearer = around.take_while(|id| Some(*id) != holder);
        let mut passed: Vec<SymbolId> = Vec::new();
        for id in nearer.filter(|id| self.symbol(*id).kind.has_members()) {
            let types = self.types_of_impl(id);
            let found = self.members_as(&types, name, wanted);
            if !found.is_empty() {
                return match self.may_be_outside(&passed, name) {
                    true => Inherited::MayBeOutside,
                    false => Inherited::Members(found),
                };
            }
            passed.extend(types);
        }
        if holder.is_some() {
            return match self.may_be_outside(&passed, name) {
                true => Inherited::MayBeOutside,
                false => Inherited::Nothing,
            };
        }
        if !self.rules(site.file).members_are_defined_outside {
            return Inherited::Nothing;
        }
        match self.enclosing_type(site) {
            Resolution::Instances(types) => match self.members_as(&types, name, wanted) {
                found if found.is_empty() => Inherited::Nothing,
                found => Inherited::Members(found),
            },
            _ => Inherited::Nothing,
        }
    }

    /// Says whether one of these types may have a member of a name from outside of the view.
    fn may_be_outside(&self, types: &[SymbolId], name: &str) -> bool {
        let is_open = |id: &SymbolId| !self.all_bases_known(*id, &mut HashSet::new(), 0);
        let common = |id: &SymbolId| is_common(self.rules(id.file), name);
        types.iter().any(|id| common(id) && is_open(id))
    }

    pub(super) fn members_as(
        &self,
        types: &[SymbolId],
        name: &str,
        wanted: Wanted,
    ) -> Vec<SymbolId> {
        let keep = |id: &SymbolId| wanted.keeps(self.symbol(*id).kind) && !self.is_constructor(*id);
        self.members_kept(types, name, &keep)
    }

    /// Resolves a name without qualifier that no type around has: the file's own, imports by name,
    /// namespaces, opened modules, the package.
    ///
    /// What the text spells out comes before what is only visible: an opened module or a package has
    /// many names, and would else hide an import.
    pub(crate) fn outer(&self, site: UseSite, name: &str, own: Vec<SymbolId>) -> Resolution {
        let scope = self.scope(site.file);
        let mut seen = HashSet::new();
        let bindings = scope.bound.get(name).map(Vec::as_slice);
        let (nearest, bindings) = match (bindings, own.is_empty()) {
            (Some(bindings), false) => self.split_by_function(site, bindings),
            _ => (Vec::new(), bindings.unwrap_or_default().to_vec()),
        };
        let is_at_top = |id: &&SymbolId| self.symbol(**id).parent.is_none();
        if !nearest.is_empty() && own.first().filter(is_at_top).is_some() {
            return self.bindings(&nearest, name, &mut seen);
        }
        let bound = (!bindings.is_empty()).then(|| self.bindings(&bindings, name, &mut seen));
        if let Some(id) = own.first() {
            // Defined and imported, each in its branch.
            let both = self.symbol(*id).parent.is_none();
            let own = Resolution::Definitions(own);
            return if both {
                joined(own, bound.unwrap_or(Resolution::Unknown))
            } else {
                own
            };
        }
        if let Some(bound) = bound {
            return bound;
        }
        let rules = self.rules(site.file);
        let spaced = (rules.in_spaces_around)(self, site, name);
        if !spaced.is_empty() {
            return Resolution::Definitions(spaced);
        }
        seen.insert(site.file);
        let opened = match self.opened(site.file, name, &mut seen) {
            Resolution::Definitions(ids) => (rules.seen_of_opened)(self, site, ids),
            opened => opened,
        };
        if opened != Resolution::Unknown {
            return opened;
        }
        let beside = self.in_package(site.file, name);
        if !beside.is_empty() {
            return Resolution::Definitions(beside);
        }
        match (rules.imports_of)(self, site.file) {
            Some(file) => {
                self.lookups.in_file(file, name);
                self.outer(UseSite::inside(file, None), name, Vec::new())
            }
            None => Resolution::Unknown,
        }
    }

    /// The bindings of a name that imports make in the functions around a place, and those at the top of its
    /// file; what other functions import is not seen.
    fn split_by_function<'b>(
        &self,
        site: UseSite,
        bindings: &[Binding<'b>],
    ) -> (Vec<Binding<'b>>, Vec<Binding<'b>>) {
        let symbols = self.files[site.file as usize].symbols();
        let first = site.enclosing;
        let outer = |at: &u32| symbols[*at as usize].parent;
        let around: Vec<u32> = std::iter::successors(first, outer).collect();
        let (mut nearest, mut of_file) = (Vec::new(), Vec::new());
        for binding in bindings {
            let holds = |symbol: &Symbol| {
                let span = symbol.span;
                symbol.kind.is_callable()
                    && (span.start_line..=span.end_line).contains(&binding.line)
            };
            match symbols.iter().rposition(holds) {
                None => of_file.push(binding.clone()),
                Some(function) if around.contains(&(function as u32)) => {
                    nearest.push(binding.clone());
                }
                Some(_) => {}
            }
        }
        (nearest, of_file)
    }

    /// Says whether a file opens something that is not in the view, by its own imports or by those that
    /// serve it as well.
    pub(crate) fn opens_unknown(&self, file: u32) -> bool {
        let other = (self.rules(file).imports_of)(self, file);
        let mut files = std::iter::once(file).chain(other);
        files.any(|file| {
            self.lookups.opened(file);
            self.scope(file).open_external
        })
    }

    /// Finds definitions of a name that are visible at a place of their own file, innermost first.
    pub(crate) fn in_scope(&self, site: UseSite, name: &str) -> Vec<SymbolId> {
        self.in_scope_as(site, name, Wanted::Any)
    }

    fn in_scope_as(&self, site: UseSite, name: &str, wanted: Wanted) -> Vec<SymbolId> {
        let file = site.file;
        self.lookups.in_file(file, name);
        let own = self.table.named_in(file, name);
        if own.is_empty() {
            return Vec::new();
        }
        let mut around: Vec<Option<u32>> = Vec::new();
        let mut at = site.enclosing;
        let sees_all = self.rules(file).class_bodies_are_scopes;
        while let Some(symbol) = at {
            let definition = &self.files[file as usize].symbols()[symbol as usize];
            let is_scope = definition.kind.is_callable() || definition.kind.has_members();
            around.extend((is_scope || !sees_all).then_some(Some(symbol)));
            at = definition.parent;
        }
        around.push(None);
        // The body of a class runs from its head on: `limit = limit()` calls what stands outside.
        let is_late = |depth: usize, id: SymbolId| {
            let in_type = || {
                self.parent(id)
                    .is_some_and(|parent| self.symbol(parent).kind.has_members())
            };
            let line = self.symbol(id).name_line;
            sees_all && depth == 0 && site.line > 0 && line >= site.line && in_type()
        };
        let is_seen = |depth: usize, id: SymbolId| {
            self.is_seen_from(depth, id, wanted) && !is_late(depth, id)
        };
        let nearest = around.iter().enumerate().find_map(|(depth, parent)| {
            let mut here = self.standing_in(file, *parent, name);
            here.retain(|id| is_seen(depth, *id));
            if here.is_empty() && self.rules(file).classes_are_structural {
                here = self.in_merged_space(file, *parent, name);
            }
            (!here.is_empty()).then_some(here)
        });
        without_impls(self, nearest.unwrap_or_default())
    }

    /// The definitions of a name in other parts of a namespace of a file.
    fn in_merged_space(&self, file: u32, space: Option<u32>, name: &str) -> Vec<SymbolId> {
        let space = space.map(|symbol| SymbolId { file, symbol });
        let space = space.filter(|id| self.symbol(*id).kind == SymbolKind::Namespace);
        space.map_or_else(Vec::new, |space| self.own_members(space, name))
    }

    /// The definitions of a name in a file that stand in one of its definitions, or at the top.
    fn standing_in(&self, file: u32, parent: Option<u32>, name: &str) -> Vec<SymbolId> {
        let own = self.table.named_in(file, name);
        if own.len() > FEW {
            let scope_of = |id: SymbolId| Some((id.file, self.symbol(id).parent));
            return self.sharing(name, |known| &known.scopes, scope_of, &(file, parent));
        }
        steps::count(own.len());
        let own = own.iter().copied();
        own.filter(|id| self.symbol(*id).parent == parent).collect()
    }

    /// Says whether a definition is meant by its bare name, so many definitions further inside.
    fn is_seen_from(&self, depth: usize, id: SymbolId, wanted: Wanted) -> bool {
        let definition = self.symbol(id);
        if self.is_constructor(id) || !wanted.keeps(definition.kind) {
            return false;
        }
        let rules = self.rules(id.file);
        let parent = self.parent(id);
        let in_type = parent.is_some_and(|parent| self.symbol(parent).kind.has_members());
        // A struct without a name leaves its fields to what it stands in, where none names them by itself.
        let is_left_over = parent.is_some_and(|parent| {
            let kind = self.symbol(parent).kind;
            !in_type && !matches!(kind, SymbolKind::Namespace | SymbolKind::Module)
        });
        if rules.types_have_tags && definition.kind == SymbolKind::Field && is_left_over {
            return false;
        }
        let free = !(definition.kind.is_member() || in_type && depth > 0);
        let assigned = definition.parent.is_none()
            && rules.modules_are_values
            && self.owner_name(id).is_some();
        rules.members_are_in_scope || (free && !assigned) || (in_type && depth == 0)
    }

    /// Says whether a definition bears the name of its type: who says the name means the type.
    fn is_constructor(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        let is_of_type = self.parent(id).is_some_and(|parent| {
            let parent = self.symbol(parent);
            parent.kind.has_members() && parent.name == symbol.name
        });
        let is_apart = || {
            self.rules(id.file).members_are_defined_outside
                && self.owner_name(id) == Some(symbol.name.as_str())
        };
        match symbol.kind {
            SymbolKind::Constructor | SymbolKind::Method => is_of_type || is_apart(),
            SymbolKind::Function => is_apart(),
            _ => false,
        }
    }

    /// Definitions in the files that share the file's package without an import.
    pub(crate) fn in_package(&self, file: u32, name: &str) -> Vec<SymbolId> {
        let Some(package) = self.package(file) else {
            return Vec::new();
        };
        let key = self.graph.packages().key(file);
        self.lookups.in_package(key, name);
        let package_of = |id: SymbolId| {
            let package = self.package(id.file);
            package.filter(|_| self.is_top_level(id))
        };
        let mut beside = self.sharing(name, |known| &known.by_package, package_of, &package);
        beside.retain(|id| id.file != file);
        without_impls(self, beside)
    }
}

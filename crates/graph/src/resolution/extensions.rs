//! Functions that extend a type from outside of it, and who sees them: `fun Type.name()` in Kotlin,
//! `name(this Type x)` in C#.

use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    languages::Rules,
    resolution::{
        resolver::{Receiver, Resolution, Resolver, UseSite},
        scope::Bound,
    },
    steps,
};

impl<'a> Resolver<'a> {
    /// Functions that extend one of the types or of their bases.
    pub(crate) fn extensions(&self, ids: &[SymbolId], name: &str) -> Vec<SymbolId> {
        if !ids
            .iter()
            .all(|id| self.rules(id.file).extends_from_outside)
        {
            return Vec::new();
        }
        self.lookups.anywhere(name);
        let mut types = ids.to_vec();
        let mut at = 0;
        while let Some(id) = types.get(at).copied().filter(|_| at < 40) {
            let bases = self.bases(id, 0).0;
            types.extend(bases.into_iter().filter(|base| !ids.contains(base)));
            at += 1;
        }
        let names = types.iter().map(|id| Some(self.symbol(*id).name.as_str()));
        let mut names: Vec<Option<&str>> = names.chain([None]).collect();
        names.sort_unstable();
        names.dedup();
        let extended = |id| self.extended_key(id);
        let mut found = self.sharing_any(name, |known| &known.extensions, extended, &names);
        found.sort_unstable();
        found
    }

    /// The name of the type that a function extends; nothing for one that extends all.
    fn extended_key(&self, id: SymbolId) -> Option<Option<&'a str>> {
        let extended = self.extended(id)?;
        Some(Some(extended).filter(|extended| !self.is_generic(id, extended)))
    }

    /// Extensions that a place sees under a name, where the type before the dot is not known: none
    /// where the name may mean a member as well.
    pub(crate) fn visible_extensions(&self, site: UseSite, name: &str) -> Vec<SymbolId> {
        if !self.rules(site.file).extends_from_outside {
            return Vec::new();
        }
        self.lookups.anywhere(name);
        self.lookups.opened(site.file);
        let renamed = self.renamed_extensions(site.file, name);
        if !renamed.is_empty() {
            return renamed;
        }
        let is_bound = self.scope(site.file).bound.contains_key(name);
        let is_rival = |id: SymbolId| self.is_rival_of_extensions(id);
        if !is_bound && self.has_any(name, |known| &known.rivals, is_rival) {
            return Vec::new();
        }
        let near = |id: SymbolId| {
            let package = self.package(id.file);
            self.extended_text(id).is_some().then_some(package)
        };
        let mut found = Vec::new();
        let own = self.package(site.file);
        if own.is_some() {
            found = self.sharing(name, |known| &known.extensions_near, near, &own);
        }
        self.add_opened_extensions(site.file, name, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Keeps of extensions those that a value of an unknown or outside type is proven to take: its own
    /// type may have a member of the name, which comes first.
    ///
    /// An import by name speaks for the extension, for a member needs none; so does a value that is said to be
    /// of the very type that is extended, for nobody extends a type by what it has. Neither does where the
    /// view defines what is extended: a value of that type would be known.
    pub(super) fn proven_extensions(
        &self,
        site: UseSite,
        receiver: Receiver<'_>,
        name: &str,
        ids: Vec<SymbolId>,
    ) -> Resolution {
        let is_open = matches!(
            receiver.meaning,
            Resolution::External | Resolution::Unknown | Resolution::Elements(_)
        );
        let is_extension = |id: &SymbolId| self.extended_text(*id).is_some();
        if !is_open || !ids.iter().all(is_extension) {
            return Resolution::Definitions(ids);
        }
        let stated = match receiver.text {
            "this" => self.extended_around(site),
            text => self.stated_type(site, text),
        };
        let rules = self.rules(site.file);
        // What is a `string` here is a `String` there.
        let is_stated = |extended: &str| {
            let stated = stated.as_deref();
            stated.is_some_and(|stated| stated.eq_ignore_ascii_case(extended))
        };
        let of_outside = |id: &SymbolId| {
            let extended = self.extended(*id);
            extended.is_some_and(|it| self.is_generic(*id, it) || !self.defines_type(rules, it))
        };
        let is_other = || {
            let stated = stated.as_deref();
            stated.is_some_and(|stated| !self.defines_type(rules, stated))
        };
        let proven: Vec<SymbolId> = match self.scope(site.file).bound.contains_key(name) {
            true if is_other() => ids.into_iter().filter(of_outside).collect(),
            true => ids,
            false => {
                let fits = |id: &SymbolId| self.extended(*id).is_some_and(is_stated);
                let fitting = ids.into_iter().filter(fits);
                fitting.filter(of_outside).collect()
            }
        };
        match proven.is_empty() {
            true => Resolution::Unknown,
            false => Resolution::Definitions(proven),
        }
    }

    /// The type that the function around a place extends: its `this`.
    fn extended_around(&self, site: UseSite) -> Option<String> {
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        around.find_map(|id| self.extended(id)).map(str::to_owned)
    }

    /// Adds the extensions that a file has, that it opens or that it imports by name.
    fn add_opened_extensions(&self, file: u32, name: &str, found: &mut Vec<SymbolId>) {
        let named = self.table.named(name);
        let scope = self.scope(file);
        let opened = scope.open.len();
        let is_extension = |id: &SymbolId| self.extended_text(*id).is_some();
        if self.rules(file).extensions_are_in_namespaces {
            let space_of = |id| self.extended(id).map(|_| self.space_of_extension(id));
            let spaces = self.seen_namespaces(file);
            for space in spaces.iter().copied().map(Some).chain([None]) {
                let there = self.sharing(name, |known| &known.extension_spaces, space_of, &space);
                found.extend(there);
            }
            let own = self.table.named_in(file, name).iter().copied();
            found.extend(own.filter(is_extension));
            return;
        }
        if named.len() <= opened {
            steps::count(named.len());
            let seen = |id: &SymbolId| self.sees_extension(file, *id, name);
            found.extend(named.iter().copied().filter(is_extension).filter(seen));
            return;
        }
        steps::count(opened);
        let bound = scope.bound.get(name).into_iter().flatten();
        let files = bound.flat_map(|binding| &binding.files);
        for file in scope.open.iter().chain(files).chain([&file]) {
            let here = self.table.named_in(*file, name).iter().copied();
            found.extend(here.filter(is_extension));
        }
    }

    /// Says whether a definition may be meant where an extension of its name is seen: a member.
    fn is_rival_of_extensions(&self, id: SymbolId) -> bool {
        let is_member = || {
            let parent = self.parent(id);
            parent.is_some_and(|parent| self.symbol(parent).kind.has_members())
        };
        self.rules(id.file).extends_from_outside && self.extended(id).is_none() && is_member()
    }

    /// Of extensions of one name those of the nearest type around a place, whose value is the receiver that
    /// nobody writes: `common()` in a class for which one of them is. All where none is.
    pub(crate) fn for_implicit_receiver(&self, site: UseSite, ids: Vec<SymbolId>) -> Vec<SymbolId> {
        let is_extension = |id: &SymbolId| self.extended(*id).is_some();
        let extends = self.rules(site.file).extends_from_outside;
        if !extends || ids.len() < 2 || !ids.iter().all(is_extension) {
            return ids;
        }
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        let nearest = around.find_map(|id| {
            let types = match self.extended(id) {
                Some(extended) => match self.extended_type(site, extended) {
                    Resolution::Definitions(types) => types,
                    _ => return None,
                },
                None if self.symbol(id).kind.has_members() => vec![id],
                None => return None,
            };
            let name = self.symbol(*ids.first()?).name.as_str();
            let fitting = self.extensions(&types, name);
            let is_fitting = |id: &SymbolId| fitting.binary_search(id).is_ok();
            let fitting = ids.iter().copied().filter(is_fitting);
            let fitting: Vec<SymbolId> = fitting.collect();
            (!fitting.is_empty()).then_some(fitting)
        });
        nearest.unwrap_or(ids)
    }

    /// Says whether a definition of this name may belong to values of types from outside: who only knows that
    /// a value is one of these does not know that the name is another's.
    pub(crate) fn is_added_outside(&self, file: u32, name: &str) -> bool {
        let rules = self.rules(file);
        if !rules.extends_from_outside && rules.opens_foreign_type.is_none() {
            return false;
        }
        self.lookups.anywhere(name);
        let mut named = self.table.named(name).iter().copied();
        named.any(|id| {
            self.rules(id.file) == rules
                && match self.extended(id) {
                    Some(extended) => {
                        self.is_generic(id, extended) || !self.defines_type(rules, extended)
                    }
                    None => self
                        .parent(id)
                        .is_some_and(|parent| self.opens_foreign(parent)),
                }
        })
    }

    /// Says whether the view defines a type of a name.
    pub(crate) fn defines_type(&self, rules: Rules, name: &str) -> bool {
        let family_of = |id: SymbolId| {
            let kind = self.symbol(id).kind;
            let is_type = kind.has_members() && kind != SymbolKind::Impl;
            is_type.then(|| self.rules(id.file))
        };
        self.lookups.anywhere(name);
        let is_any = |ids: &[SymbolId]| !ids.is_empty();
        self.with_sharing(name, |known| &known.defining, family_of, &rules, is_any)
    }

    /// Says whether a file sees an extension: nothing but its package or an import gives it one.
    pub(crate) fn sees_extension(&self, file: u32, id: SymbolId, name: &str) -> bool {
        if file == id.file || self.same_package(file, id.file) {
            return true;
        }
        if self.rules(file).extensions_are_in_namespaces {
            let space = self.space_of_extension(id);
            return space.is_none_or(|space| self.sees_namespace(file, space));
        }
        let scope = self.scope(file);
        let bound = scope.bound.get(name).into_iter().flatten();
        scope.open.contains(&id.file)
            || bound
                .into_iter()
                .any(|binding| binding.files.contains(&id.file))
    }

    /// The namespace of the class that an extension stands in; none for the global one.
    fn space_of_extension(&self, id: SymbolId) -> Option<&'a str> {
        let space = self.parent(id).and_then(|parent| self.parent(parent))?;
        Some(self.symbol(space).qualified.as_str())
    }

    /// The name of the type that a function extends, or the class around it for a value of the type.
    fn extended(&self, id: SymbolId) -> Option<&'a str> {
        let rules = self.rules(id.file);
        let text = (rules.extended_type)(self.symbol(id)).or_else(|| {
            let class = self
                .parent(id)
                .filter(|_| self.symbol(id).kind.is_member())?;
            (rules.extended_by_class)(self.symbol(class))
        })?;
        text.rsplit('.').next().filter(|name| !name.is_empty())
    }

    /// Says whether a member of a type extends another: who calls it does not name the type that it stands in.
    pub(crate) fn extends(&self, id: SymbolId) -> bool {
        let in_type = || {
            let parent = self.parent(id);
            parent.is_some_and(|parent| self.symbol(parent).kind.has_members())
        };
        self.extended_text(id).is_some() && in_type()
    }

    /// The same, of functions alone.
    pub(crate) fn extended_text(&self, id: SymbolId) -> Option<&'a str> {
        (self.rules(id.file).extended_type)(self.symbol(id))
    }

    /// Extensions of types that a place sees.
    pub(super) fn seen_extensions(
        &self,
        site: UseSite,
        types: &[SymbolId],
        name: &str,
    ) -> Vec<SymbolId> {
        let mut found = self.extensions(types, name);
        found.retain(|id| self.sees_extension(site.file, *id, name));
        found
    }

    /// The extensions that an import brings under another name: `import a.shorten as cut`.
    fn renamed_extensions(&self, file: u32, name: &str) -> Vec<SymbolId> {
        let bound = self.scope(file).bound.get(name).into_iter().flatten();
        let renamed = bound.filter_map(|binding| match binding.what {
            Bound::Name(origin) if origin != name => Some((origin, &binding.files)),
            _ => None,
        });
        let mut found: Vec<SymbolId> = Vec::new();
        for (origin, files) in renamed {
            for file in files {
                self.lookups.in_file(*file, origin);
                let named = self.table.named_in(*file, origin).iter().copied();
                found.extend(named.filter(|id| self.extended(*id).is_some()));
            }
        }
        found
    }

    /// Says whether a name is a parameter of a generic function: it extends all types.
    fn is_generic(&self, id: SymbolId, name: &str) -> bool {
        let signature = self.symbol(id).signature.as_str();
        let parameters = signature
            .split_once('<')
            .and_then(|(_, rest)| rest.split_once('>'));
        parameters.is_some_and(|(parameters, _)| {
            let mut words = parameters.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            words.any(|word| word == name)
        })
    }
}

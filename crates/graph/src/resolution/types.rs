//! Types as written: what they name, what an alias means, what a container holds.

use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    languages::{InnerTypes, Rules},
    resolution::{
        resolver::{MAX_DEPTH, Resolution, Resolver, RestsOn, UseSite, joined},
        signature_types::{self, StatedType},
        type_arguments::parameters_of,
        type_names::{self, TypeName, WrapperName},
    },
};

impl<'a> Resolver<'a> {
    /// A value of a type, as written.
    pub(crate) fn typed(&self, site: UseSite, text: &str, depth: u32) -> Resolution {
        if self.rules(site.file).classes_are_structural {
            self.note(RestsOn {
                statement: true,
                ..RestsOn::default()
            });
        }
        let mut resolution = Resolution::Unknown;
        for name in self.names_in_type(site, text) {
            let found = self.instance(site, &name, depth);
            resolution = match (resolution, found) {
                (Resolution::Elements(_), found @ Resolution::Instances(_)) => found,
                (first, second) => joined(first, second),
            };
        }
        resolution
    }

    /// The names in a type. A type of the view may be called like a wrapper.
    pub(super) fn names_in_type(&self, site: UseSite, text: &str) -> Vec<TypeName> {
        let is_type = |id: &SymbolId| {
            let kind = self.symbol(*id).kind;
            kind.has_members() && kind != SymbolKind::TypeAlias
        };
        let meaning = |name: &str| {
            self.lookups.anywhere(name);
            if !self.table.named(name).iter().any(is_type) {
                return WrapperName::Wrapper;
            }
            let apart = self.rules(site.file).types_may_be_named_as_wrappers;
            match self.bare_type(site, name) {
                Resolution::Definitions(ids) if ids.iter().any(is_type) => match apart {
                    true => WrapperName::Type,
                    false => WrapperName::Both,
                },
                _ => WrapperName::Wrapper,
            }
        };
        type_names::types_seen(text, &meaning)
    }

    pub(super) fn instance(&self, site: UseSite, name: &TypeName, depth: u32) -> Resolution {
        if depth > MAX_DEPTH {
            return Resolution::Unknown;
        }
        let found = self.effort.within(|| self.value_of(site, name, depth));
        found.unwrap_or(Resolution::Unknown)
    }

    fn value_of(&self, site: UseSite, name: &TypeName, depth: u32) -> Resolution {
        let path = name.path.as_str();
        let last = path.rsplit('.').next().unwrap_or(path);
        let resolution = match path.rsplit_once('.') {
            _ if path.is_empty() => Resolution::External,
            _ if path == "$struct" => return self.anonymous_struct(site),
            _ if matches!(last, "Self" | "this" | "self" | "static") => self.enclosing_type(site),
            None => self.type_named(site, path, depth),
            Some((owner, last)) => match (self.rules(site.file).type_by_path)(self, site, path) {
                Some(found) if found.is_empty() => Resolution::External,
                Some(found) => Resolution::Definitions(found),
                None => {
                    let owner = self.expression(site, owner, depth + 1);
                    match self.member(&owner, last, depth + 1) {
                        found @ (Resolution::Unknown | Resolution::External) => {
                            let whole = self.by_qualified_name(site.file, path);
                            if whole.is_empty() {
                                found
                            } else {
                                Resolution::Definitions(whole)
                            }
                        }
                        other => other,
                    }
                }
            },
        };
        let is_type = |id: &SymbolId| self.symbol(*id).kind.has_members();
        match resolution {
            Resolution::Definitions(ids) | Resolution::Instances(ids) => {
                let types: Vec<SymbolId> = ids.into_iter().filter(is_type).collect();
                if types.is_empty() {
                    return Resolution::Unknown;
                }
                let types = self.of_arity(types, name.n_given);
                let types = self.without_values(types);
                return self.unaliased(types, depth);
            }
            Resolution::External => {}
            _ => {
                self.lookups.anywhere(last);
                if self.has_any(last, |known| &known.types, |id| is_type(&id)) {
                    return Resolution::Unknown;
                }
            }
        }
        // From outside, or of the language itself.
        match name
            .held
            .as_deref()
            .map(|held| self.typed(site, held, depth + 1))
        {
            Some(Resolution::Instances(ids) | Resolution::Elements(ids)) => {
                Resolution::Elements(ids)
            }
            _ => Resolution::External,
        }
    }

    /// A type by its bare name: a parameter of a generic means its bound.
    fn type_named(&self, site: UseSite, name: &str, depth: u32) -> Resolution {
        let found = self.bare_type(site, name);
        if found != Resolution::Unknown {
            return found;
        }
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let bounded = std::iter::successors(first, |id| self.parent(*id)).find_map(|id| {
            let signature = &self.symbol(id).signature;
            // A small letter begins a value: `value is Type`.
            let is_generic = name.starts_with(char::is_uppercase);
            let bound = match signature_types::bound(signature, name).filter(|_| is_generic) {
                Some(bound) => StatedType::Type(bound.to_owned()),
                None if !self.rules(id.file).extends_from_outside
                    || parameters_of(signature, &self.symbol(id).name).contains(&name) =>
                {
                    signature_types::of_name(signature, name)
                }
                None => StatedType::Absent,
            };
            match bound {
                StatedType::Type(bound) if bound != name => {
                    let outside = UseSite::inside(id.file, self.symbol(id).parent);
                    Some(self.typed(outside, &bound, depth + 1))
                }
                _ => None,
            }
        });
        match bounded {
            Some(resolution) => resolution,
            None if self.is_from_outside(site.file, name) => Resolution::External,
            None => self.only_type(site, name),
        }
    }

    /// Where names need no import: the one type of the view that bears a name.
    pub(crate) fn only_type(&self, site: UseSite, name: &str) -> Resolution {
        let rules = self.rules(site.file);
        let needs_import = rules.names_are_imported || !rules.names_are_known;
        if needs_import || !name.starts_with(char::is_uppercase) {
            return Resolution::Unknown;
        }
        self.lookups.anywhere(name);
        let key_of = |id| self.seen_inside(id);
        let mut found: Vec<SymbolId> = Vec::new();
        for key in self.owners_around(site) {
            let is_one = self.with_sharing(
                name,
                |known| &known.seen_types,
                key_of,
                &(rules, key),
                |ids| {
                    let qualified = |id: &SymbolId| &self.symbol(*id).qualified;
                    let first = found.first().or(ids.first()).map(qualified);
                    let is_one = ids.iter().all(|id| Some(qualified(id)) == first);
                    found.extend(ids.iter().filter(|_| is_one));
                    is_one
                },
            );
            if !is_one {
                return Resolution::Unknown;
            }
        }
        found.sort_unstable();
        found.dedup();
        if found.is_empty() {
            Resolution::Unknown
        } else {
            Resolution::Definitions(found)
        }
    }

    /// What has to be around a place that sees a type by its bare name; nothing for one that all see.
    fn seen_inside(&self, id: SymbolId) -> Option<(Rules, Option<&'a str>)> {
        let (rules, symbol) = (self.rules(id.file), self.symbol(id));
        let kind = symbol.kind;
        let is_type = kind.has_members() && kind != SymbolKind::Impl || kind == SymbolKind::Module;
        let owner = || symbol.qualified.strip_suffix(symbol.name.as_str());
        let owner = self.is_inner_type(id).then(owner).flatten();
        let owner = owner.map(|owner| owner.trim_end_matches([':', '.']));
        is_type.then_some((rules, owner))
    }

    /// What is around a place, as types say that they are inside of it.
    fn owners_around(&self, site: UseSite) -> Vec<Option<&'a str>> {
        let mut owners = vec![None];
        let mut at = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        while let Some(id) = at {
            let around = self.symbol(id);
            owners.push(Some(around.qualified.as_str()));
            owners.extend((around.kind == SymbolKind::Impl).then_some(Some(around.name.as_str())));
            at = self.parent(id);
        }
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    /// Says whether a type is one of a type or module, whose name stands before it elsewhere.
    pub(crate) fn is_inner_type(&self, id: SymbolId) -> bool {
        match self.rules(id.file).inner_types {
            InnerTypes::ByName => self.symbol(id).qualified != self.symbol(id).name,
            InnerTypes::Everywhere => false,
            InnerTypes::InText => self
                .parent(id)
                .is_some_and(|parent| self.symbol(parent).kind.is_type()),
        }
    }

    /// Says whether a place lies in what a type is one of, however many texts that has.
    pub(crate) fn lies_in_owner(&self, site: UseSite, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        let Some(owner) = symbol.qualified.strip_suffix(symbol.name.as_str()) else {
            return true;
        };
        let owner = owner.trim_end_matches([':', '.']);
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        around.any(|id| {
            let around = self.symbol(id);
            around.qualified == owner || around.kind == SymbolKind::Impl && around.name == owner
        })
    }

    /// Other names of types represent these types.
    pub(crate) fn unaliased(&self, types: Vec<SymbolId>, depth: u32) -> Resolution {
        let mut kept = Vec::new();
        for id in types {
            let symbol = self.symbol(id);
            let aliased = (symbol.kind == SymbolKind::TypeAlias)
                .then(|| self.alias_of(id, depth))
                .flatten();
            match aliased {
                Some(Resolution::Instances(ids)) => {
                    // TypeScript: `A & { own: B }` has members of its own.
                    kept.extend(symbol.signature.contains(" & ").then_some(id));
                    kept.extend(ids);
                }
                Some(Resolution::Elements(ids)) => return Resolution::Elements(ids),
                // A name of its own for something from outside may have methods of its own.
                _ => kept.push(id),
            }
        }
        kept.dedup();
        Resolution::Instances(kept)
    }

    fn alias_of(&self, id: SymbolId, depth: u32) -> Option<Resolution> {
        let symbol = self.symbol(id);
        let text = symbol.signature.as_str();
        let rest = match text.split_once('=') {
            Some((_, rest)) => rest,
            // C: `typedef struct x y;`, or a name for the struct that ends on its line.
            None if text.starts_with("typedef") => {
                text.strip_prefix("typedef")?.rsplit_once(&symbol.name)?.0
            }
            None => return self.typedef_of(id),
        };
        let site = UseSite::inside(id.file, symbol.parent);
        let resolution = self.typed(site, rest, depth + 1);
        let is_itself = matches!(&resolution, Resolution::Instances(ids) if ids.contains(&id));
        (!is_itself).then_some(resolution)
    }

    fn typedef_of(&self, id: SymbolId) -> Option<Resolution> {
        let line = self.symbol(id).name_line;
        let symbols = (0u32..).zip(self.files[id.file as usize].symbols());
        let mut ending = symbols.filter(|(symbol, found)| {
            found.span.end_line == line && found.kind.has_members() && *symbol != id.symbol
        });
        let (symbol, found) = ending.next()?;
        let file = id.file;
        self.lookups.in_file(file, &found.name);
        self.rules(file)
            .typedefs_end_types
            .then(|| Resolution::Instances(vec![SymbolId { file, symbol }]))
    }
}

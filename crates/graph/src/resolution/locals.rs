//! Local names and fields set through the object: what their declarations say, followed.

use whyrank_syntax::{HintKind, Local, OR, SET, SymbolKind};

use crate::{
    input::files::SymbolId,
    resolution::{
        resolver::{Resolution, Resolver, RestsOn, UseSite, joined},
        resolver_caches::{FieldAt, KnownField},
        signature_types::{self, StatedType},
    },
};

impl<'a> Resolver<'a> {
    /// What a local name holds where it stands; `None` when no local bears it.
    pub(crate) fn local(&self, site: UseSite, name: &str, depth: u32) -> Option<Resolution> {
        let at = self.locals_seen(site, name).max()?;
        let locals = &self.files[site.file as usize].facts().locals;
        let newest = self.said(site.file, at, &locals[at as usize], depth);
        if newest != Resolution::Unknown || !self.rules(site.file).types_are_hints {
            return Some(newest);
        }
        // Set to something unknown, it still is what its declaration states, as far as anything tells.
        let is_stated = |at: &u32| locals[*at as usize].kind == HintKind::Type;
        let stated = self.locals_seen(site, name).filter(is_stated).max();
        Some(stated.map_or(newest, |stated| {
            self.note_other();
            self.said(site.file, stated, &locals[stated as usize], depth)
        }))
    }

    /// Adds what a value rests on that is being found.
    pub(crate) fn note(&self, rests_on: RestsOn) {
        self.rests_on.set(self.rests_on.get().with(rests_on));
    }

    /// Notes that a value may hold something else as well.
    pub(super) fn note_other(&self) {
        self.note(RestsOn {
            one_of_several: true,
            statement: false,
        });
    }

    /// One of several values, each followed by itself: what is known of them.
    pub(super) fn one_of(&self, site: UseSite, values: &str, depth: u32) -> Resolution {
        let mut resolution = Resolution::Unknown;
        for value in values.split(OR) {
            let meant = match self.expression(site, value, depth + 1) {
                Resolution::Definitions(ids) => self.value(Resolution::Definitions(ids), depth + 1),
                other => other,
            };
            resolution = self.either(resolution, meant);
        }
        resolution
    }

    /// Joins two values of one name; the result is open where they differ in kind or nothing tells one.
    pub(super) fn either(&self, left: Resolution, right: Resolution) -> Resolution {
        let is_known =
            |meant: &Resolution| !matches!(meant, Resolution::External | Resolution::Unknown);
        let differ = is_known(&left)
            && is_known(&right)
            && std::mem::discriminant(&left) != std::mem::discriminant(&right);
        if differ || right == Resolution::Unknown {
            self.note_other();
        }
        joined(left, right)
    }

    /// Joins the value of a variable with those that it is set to beside the line that defines it.
    pub(super) fn with_settings(&self, id: SymbolId, first: Resolution, depth: u32) -> Resolution {
        let symbol = self.symbol(id);
        let scope = self.scope(id.file);
        let Some(places) = scope.settings.get(symbol.name.as_str()) else {
            return first;
        };
        if self.is_checked(id) {
            return first;
        }
        let asked = (id, SET, depth);
        if let Some(known) = self.known_fields.borrow().get(&asked) {
            self.lookups.again(&known.keys);
            self.note(known.rests_on);
            return known.resolution.clone();
        }
        self.found_field(asked, || self.set_to(id, first, places, depth))
    }

    /// Says whether a compiler sees to it that a variable holds what its type says.
    fn is_checked(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        let is_checked = self.rules(id.file).classes_are_structural;
        let said = is_checked.then(|| signature_types::of_name(&symbol.signature, &symbol.name));
        matches!(said, Some(StatedType::Type(text)) if text != "any")
    }

    /// Joins the value of a field by its declaration with what the methods of its type assign to it.
    pub(super) fn with_assigned(&self, id: SymbolId, held: Resolution, depth: u32) -> Resolution {
        let held = match held {
            Resolution::Definitions(_) | Resolution::Modules(_) => Resolution::Unknown,
            held => held,
        };
        let is_open = held == Resolution::Unknown
            || self.rules(id.file).types_are_hints && !self.is_checked(id);
        match self.parent(id).filter(|_| is_open) {
            None => held,
            Some(owner) => {
                let set = self.assigned(owner, &self.symbol(id).name, depth + 1);
                match held == Resolution::Unknown || set == Resolution::Unknown {
                    true => joined(held, set),
                    false => self.either(held, set),
                }
            }
        }
    }

    /// Joins the first value of a variable with those that it is set to at `places`, numbers of locals of its file.
    fn set_to(&self, id: SymbolId, first: Resolution, places: &[u32], depth: u32) -> Resolution {
        let locals = &self.files[id.file as usize].facts().locals;
        let mut held = first;
        // Without a value of its own it has the first that it is set to.
        let is_bare = held == Resolution::Unknown && !self.symbol(id).signature.contains('=');
        if is_bare {
            held = Resolution::External;
        }
        for at in places {
            let local = &locals[*at as usize];
            let is_nothing = local.kind == HintKind::Value && is_nothing(&local.text);
            if is_nothing || !self.is_set_at(id, local) {
                continue;
            }
            if local.kind == HintKind::Nothing {
                self.note_other();
                continue;
            }
            let set = self.said(id.file, *at, local, depth + 1);
            let set = self.value(set, depth + 1);
            held = match (held, set) {
                (Resolution::Unknown, set) => {
                    self.note_other();
                    set
                }
                (Resolution::External, set) => set,
                (first, set) if first == set => first,
                _ => return Resolution::Unknown,
            };
        }
        match held {
            Resolution::External if is_bare => Resolution::Unknown,
            held => held,
        }
    }

    /// Says whether a setting is of a variable: one of a class stands in the class, others outside of it.
    fn is_set_at(&self, id: SymbolId, local: &Local) -> bool {
        let parent = self.symbol(id).parent;
        match local.enclosing {
            around if around == parent => true,
            Some(around) if parent.is_none() => {
                let around = SymbolId {
                    file: id.file,
                    symbol: around,
                };
                !self.symbol(around).kind.has_members()
            }
            _ => false,
        }
    }

    /// The declarations of a local name that a place sees.
    pub(super) fn locals_seen(&self, site: UseSite, name: &str) -> impl Iterator<Item = u32> {
        let known = self.scope(site.file).locals.get(name);
        let locals = &self.files[site.file as usize].facts().locals;
        known.into_iter().flatten().copied().filter(move |at| {
            let local = &locals[*at as usize];
            (local.line, local.column) <= (site.line, site.column)
                && site.line <= local.end_line
                && *at < site.before
        })
    }

    /// What the declaration of a local name says, and from where it says it.
    pub(super) fn said_locally(
        &self,
        site: UseSite,
        name: &str,
    ) -> Option<(UseSite, HintKind, &'a str)> {
        let at = self.locals_seen(site, name).max()?;
        let local = &self.files[site.file as usize].facts().locals[at as usize];
        Some((place_of(site.file, at, local), local.kind, &local.text))
    }

    /// What is assigned to a field of a type through the object itself.
    ///
    /// Kept: fields that are assigned from each other in many methods would otherwise be followed along
    /// every path, hundreds of assignments to the power of the depth.
    pub(crate) fn assigned(&self, owner: SymbolId, name: &str, depth: u32) -> Resolution {
        self.lookups.member(&self.symbol(owner).name, name);
        let Some((name, places)) = self.scope(owner.file).fields.get_key_value(name) else {
            return Resolution::Unknown;
        };
        let asked = (owner, *name, depth);
        if let Some(known) = self.known_fields.borrow().get(&asked) {
            self.lookups.again(&known.keys);
            self.note(known.rests_on);
            return known.resolution.clone();
        }
        self.found_field(asked, || self.assigned_in(owner, places, depth))
    }

    fn found_field(&self, asked: FieldAt<'a>, find: impl FnOnce() -> Resolution) -> Resolution {
        let before = self.rests_on.take();
        let (resolution, keys) = self.lookups.gathered(find);
        let known = KnownField {
            resolution: resolution.clone(),
            rests_on: self.rests_on.get(),
            keys,
        };
        self.keep_field(asked, known);
        self.note(before);
        resolution
    }

    fn keep_field(&self, asked: FieldAt<'a>, known: KnownField) {
        if !self.effort.is_spent() {
            self.known_fields.borrow_mut().insert(asked, known);
        }
    }

    fn assigned_in(&self, owner: SymbolId, places: &[u32], depth: u32) -> Resolution {
        let locals = &self.files[owner.file as usize].facts().locals;
        let mut resolution = Resolution::Unknown;
        for at in places {
            let local = &locals[*at as usize];
            if self.is_set_in(owner, local) {
                let set = self.said(owner.file, *at, local, depth);
                resolution = self.either(resolution, set);
            }
        }
        resolution
    }

    fn is_set_in(&self, owner: SymbolId, local: &Local) -> bool {
        let first = local.enclosing.map(|symbol| SymbolId {
            file: owner.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        around.any(|id| {
            let owned = || self.owner_name(id) == Some(self.symbol(owner).name.as_str());
            id == owner || self.symbol(id).parent.is_none() && owned()
        })
    }

    pub(super) fn said(&self, file: u32, at: u32, local: &Local, depth: u32) -> Resolution {
        let site = place_of(file, at, local);
        let text = local.text.as_str();
        match local.kind {
            HintKind::Nothing => Resolution::Unknown,
            HintKind::Type => self.typed(site, text, depth + 1),
            HintKind::Value => self.expression(site, text, depth + 1),
            HintKind::Element => {
                match self.held_by_property(self.expression(site, text, depth + 1), depth) {
                    Resolution::Elements(ids) => Resolution::Instances(ids),
                    Resolution::External => Resolution::External,
                    // A variable of structs without a name has their fields.
                    Resolution::Definitions(ids) if self.hold_fields(&ids) => {
                        Resolution::Instances(ids)
                    }
                    Resolution::Instances(ids) => match self.held_by_named(&ids, depth + 1) {
                        Resolution::Elements(ids) => Resolution::Instances(ids),
                        _ => Resolution::Unknown,
                    },
                    _ => Resolution::Unknown,
                }
            }
            HintKind::Part(part) => self.part(site, text, part, depth + 1),
        }
    }

    fn hold_fields(&self, ids: &[SymbolId]) -> bool {
        let is_variable = |id: &SymbolId| {
            self.symbol(*id).kind == SymbolKind::Variable
                && self.rules(id.file).structs_are_anonymous
        };
        ids.iter().all(is_variable)
    }

    /// What a function returns by the expressions behind `return`, where its head does not say.
    ///
    /// Kept for the same reason as what is assigned to a field.
    pub(crate) fn returned_by(&self, id: SymbolId, depth: u32) -> Resolution {
        let Some(places) = self.scope(id.file).returns.get(&id.symbol) else {
            return Resolution::Unknown;
        };
        let asked = (id, "return", depth);
        if let Some(known) = self.known_fields.borrow().get(&asked) {
            self.lookups.again(&known.keys);
            self.note(known.rests_on);
            return known.resolution.clone();
        }
        let locals = &self.files[id.file as usize].facts().locals;
        self.found_field(asked, || {
            let said = |at: &u32| {
                let local = &locals[*at as usize];
                self.said(id.file, *at, local, depth + 1)
            };
            let said = places.iter().map(said);
            said.fold(Resolution::Unknown, |all, one| self.either(all, one))
        })
    }

    /// A part of what a call gives: `a, b = f()`.
    fn part(&self, site: UseSite, text: &str, part: u8, depth: u32) -> Resolution {
        let functions = match self.callee(site, text, depth) {
            Resolution::Definitions(functions) => functions,
            Resolution::External => return Resolution::External,
            _ => return self.part_of_tuple(site, text, part, depth),
        };
        let mut resolution = Resolution::Unknown;
        for id in functions {
            let Some(result) = self.result_text(id) else {
                continue;
            };
            let inside = UseSite::inside(id.file, self.symbol(id).parent);
            let parts = (self.rules(id.file).result_parts)(result);
            let Some(stated) = parts.get(usize::from(part)).copied() else {
                continue;
            };
            resolution = joined(resolution, self.typed(inside, stated, depth + 1));
        }
        resolution
    }

    /// The type that a function says it returns.
    pub(crate) fn result_text(&self, id: SymbolId) -> Option<&str> {
        let (symbol, rules) = (self.symbol(id), self.rules(id.file));
        (rules.stated_result)(symbol).or_else(|| {
            let stands_first = rules.results_stand_first
                && symbol.kind != SymbolKind::Constructor
                && !has_word_for_function(&symbol.signature, &symbol.name);
            stands_first
                .then(|| signature_types::returned_before(&symbol.signature, &symbol.name))?
        })
    }
}

/// Where a declaration stands: what it says is seen from there.
pub(super) fn place_of(file: u32, at: u32, local: &Local) -> UseSite {
    UseSite {
        file,
        enclosing: local.enclosing,
        line: local.line,
        column: u32::MAX,
        before: at,
    }
}

/// Says whether a value is none.
fn is_nothing(text: &str) -> bool {
    matches!(text, "None" | "null" | "undefined")
}

/// Says whether a head calls itself a function: no type stands before its name.
fn has_word_for_function(signature: &str, name: &str) -> bool {
    let before = signature.split(name).next().unwrap_or("");
    let mut words = before.split_whitespace();
    words.any(|word| matches!(word, "fun" | "def"))
}

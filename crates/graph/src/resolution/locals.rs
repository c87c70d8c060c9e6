//! Local names and fields set through the object: what their declarations say, followed.

use whyrank_syntax::{HintKind, Local, SymbolKind};

use crate::{
    input::files::SymbolId,
    resolution::{
        resolver::{Resolution, Resolver, UseSite, joined},
        resolver_caches::{FieldAt, KnownField},
        signature_types,
    },
};

impl<'a> Resolver<'a> {
    /// What a local name holds where it stands; `None` when no local bears it.
    pub(crate) fn local(&self, site: UseSite, name: &str, depth: u32) -> Option<Resolution> {
        let at = self.locals_seen(site, name).max()?;
        let local = &self.files[site.file as usize].facts().locals[at as usize];
        Some(self.said(site.file, at, local, depth))
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
            return known.resolution.clone();
        }
        let (resolution, keys) = self
            .lookups
            .gathered(|| self.assigned_in(owner, places, depth));
        let known = KnownField {
            resolution: resolution.clone(),
            keys,
        };
        self.keep_field(asked, known);
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
                resolution = joined(resolution, self.said(owner.file, *at, local, depth));
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
            return known.resolution.clone();
        }
        let locals = &self.files[id.file as usize].facts().locals;
        let find = || {
            let said = |at: &u32| {
                let local = &locals[*at as usize];
                self.said(id.file, *at, local, depth + 1)
            };
            places.iter().map(said).fold(Resolution::Unknown, joined)
        };
        let (resolution, keys) = self.lookups.gathered(find);
        let known = KnownField {
            resolution: resolution.clone(),
            keys,
        };
        self.keep_field(asked, known);
        resolution
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

/// Says whether a head calls itself a function: no type stands before its name.
fn has_word_for_function(signature: &str, name: &str) -> bool {
    let before = signature.split(name).next().unwrap_or("");
    let mut words = before.split_whitespace();
    words.any(|word| matches!(word, "fun" | "def"))
}

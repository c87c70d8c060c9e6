//! Local names and fields set through the object: what their declarations say, followed.

use whyrank_syntax::{HintKind, Local, SymbolKind};

use crate::{
    family::Family,
    input::SymbolId,
    lookup::{KnownField, Lookup, Meaning, Site, joined},
    type_hint,
};

impl Lookup<'_> {
    /// What a local name holds where it stands; `None` when no local bears it.
    pub(crate) fn local(&self, site: Site, name: &str, depth: u32) -> Option<Meaning> {
        let known = self.scope(site.file).locals.get(name)?;
        let locals = &self.files[site.file as usize].facts.locals;
        let seen = known.iter().copied().filter(|at| {
            let local = &locals[*at as usize];
            (local.line, local.column) <= (site.line, site.column)
                && site.line <= local.end_line
                && *at < site.before
        });
        let at = seen.max()?;
        Some(self.said(site.file, at, &locals[at as usize], depth))
    }

    /// What is assigned to a field of a type through the object itself.
    ///
    /// Kept: fields that are assigned from each other in many methods would otherwise be followed along
    /// every path, hundreds of assignments to the power of the depth.
    pub(crate) fn assigned(&self, owner: SymbolId, name: &str, depth: u32) -> Meaning {
        self.reads.member(&self.symbol(owner).name, name);
        let Some((name, places)) = self.scope(owner.file).fields.get_key_value(name) else {
            return Meaning::Unknown;
        };
        let asked = (owner, *name, depth);
        if let Some(known) = self.known_fields.borrow().get(&asked) {
            self.reads.again(&known.keys);
            return known.meaning.clone();
        }
        let (meaning, keys) = self
            .reads
            .gathered(|| self.assigned_in(owner, places, depth));
        let known = KnownField {
            meaning: meaning.clone(),
            keys: keys.into(),
        };
        self.known_fields.borrow_mut().insert(asked, known);
        meaning
    }

    fn assigned_in(&self, owner: SymbolId, places: &[u32], depth: u32) -> Meaning {
        let locals = &self.files[owner.file as usize].facts.locals;
        let mut meaning = Meaning::Unknown;
        for at in places {
            let local = &locals[*at as usize];
            if self.is_set_in(owner, local) {
                meaning = joined(meaning, self.said(owner.file, *at, local, depth));
            }
        }
        meaning
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

    fn said(&self, file: u32, at: u32, local: &Local, depth: u32) -> Meaning {
        let site = Site {
            file,
            enclosing: local.enclosing,
            line: local.line,
            column: u32::MAX,
            before: at,
        };
        let text = local.text.as_str();
        match local.kind {
            HintKind::Nothing => Meaning::Unknown,
            HintKind::Type => self.typed(site, text, depth + 1),
            HintKind::Value => self.expression(site, text, depth + 1),
            HintKind::Element => match self.expression(site, text, depth + 1) {
                Meaning::Elements(ids) => Meaning::Instances(ids),
                Meaning::External => Meaning::External,
                // Go: a variable of structs without a name has their fields.
                Meaning::Definitions(ids) if self.hold_fields(&ids) => Meaning::Instances(ids),
                Meaning::Instances(ids) => match self.held_by_named(&ids, depth + 1) {
                    Meaning::Elements(ids) => Meaning::Instances(ids),
                    _ => Meaning::Unknown,
                },
                _ => Meaning::Unknown,
            },
            HintKind::Part(part) => self.part(site, text, part, depth + 1),
        }
    }

    fn hold_fields(&self, ids: &[SymbolId]) -> bool {
        let is_variable = |id: &SymbolId| {
            self.symbol(*id).kind == SymbolKind::Variable && self.family(id.file) == Family::Go
        };
        ids.iter().all(is_variable)
    }

    /// What a function returns by the expressions behind `return`, where its head does not say.
    ///
    /// Kept for the same reason as what is assigned to a field.
    pub(crate) fn returned_by(&self, id: SymbolId, depth: u32) -> Meaning {
        let Some(places) = self.scope(id.file).returns.get(&id.symbol) else {
            return Meaning::Unknown;
        };
        let asked = (id, "return", depth);
        if let Some(known) = self.known_fields.borrow().get(&asked) {
            self.reads.again(&known.keys);
            return known.meaning.clone();
        }
        let locals = &self.files[id.file as usize].facts.locals;
        let find = || {
            let said = |at: &u32| {
                let local = &locals[*at as usize];
                self.said(id.file, *at, local, depth + 1)
            };
            places.iter().map(said).fold(Meaning::Unknown, joined)
        };
        let (meaning, keys) = self.reads.gathered(find);
        let known = KnownField {
            meaning: meaning.clone(),
            keys: keys.into(),
        };
        self.known_fields.borrow_mut().insert(asked, known);
        meaning
    }

    /// A part of what a call gives: `a, b = f()`.
    fn part(&self, site: Site, text: &str, part: u8, depth: u32) -> Meaning {
        let functions = match self.callee(site, text, depth) {
            Meaning::Definitions(functions) => functions,
            Meaning::External => return Meaning::External,
            _ => return Meaning::Unknown,
        };
        let mut meaning = Meaning::Unknown;
        for id in functions {
            let Some(result) = self.result_text(id) else {
                continue;
            };
            let inside = Site::inside(id.file, self.symbol(id).parent);
            let parts = type_hint::parts_of(result);
            let is_single = parts.is_empty() && part == 0 && self.family(id.file) == Family::Go;
            let Some(stated) = parts
                .get(usize::from(part))
                .copied()
                .or(is_single.then_some(result))
            else {
                continue;
            };
            meaning = joined(meaning, self.typed(inside, stated, depth + 1));
        }
        meaning
    }

    /// The type that a function says it returns.
    pub(crate) fn result_text(&self, id: SymbolId) -> Option<&str> {
        let symbol = self.symbol(id);
        let typed_first = matches!(
            self.family(id.file),
            Family::Native | Family::Dotnet | Family::Jvm
        );
        if self.family(id.file) == Family::Go {
            return type_hint::returned_in_go(&symbol.signature);
        }
        type_hint::returned(&symbol.signature).or_else(|| {
            (typed_first && symbol.kind != SymbolKind::Constructor)
                .then(|| type_hint::returned_before(&symbol.signature, &symbol.name))?
        })
    }
}

//! Methods and decorators that the language runs by itself, and that decide what a value is: `__call__`,
//! `__new__`, `__await__`.

use whyrank_syntax::{HintKind, Reference, Symbol};

use crate::{
    input::files::SymbolId,
    resolution::resolver::{Resolution, Resolver, UseSite},
};

impl Resolver<'_> {
    /// The result of calling a value of a type.
    pub(super) fn called_value(&self, types: &[SymbolId], depth: u32) -> Resolution {
        match self.special(types, "__call__") {
            Some(methods) => self.result_of(&methods, depth + 1),
            None => Resolution::Unknown,
        }
    }

    /// The value that a `with` gives; a type that does not say it, though it must, has it from outside.
    pub(super) fn entered(&self, site: UseSite, text: &str, depth: u32) -> Option<Resolution> {
        let ways = ["__enter__", "__aenter__"];
        let (way, value) = ways
            .iter()
            .find_map(|way| Some((*way, text.strip_suffix(&format!(".{way}()"))?)))?;
        let value = self.expression(site, value, depth + 1);
        match &value {
            Resolution::Instances(types) if self.special(types, way).is_none() => {
                self.note_other();
                Some(value)
            }
            _ => None,
        }
    }

    /// The value that is waited for; a type of the view that can be waited for decides that by itself.
    pub(super) fn awaited(&self, value: Resolution) -> Resolution {
        match &value {
            Resolution::Instances(types) if self.special(types, "__await__").is_some() => {
                Resolution::Unknown
            }
            _ => value,
        }
    }

    /// The value that a type makes which is called: one of its own, unless it says otherwise.
    pub(super) fn made_of_type(&self, id: SymbolId, depth: u32) -> Resolution {
        let made = self.special(&[id], "__new__");
        match made.map(|methods| self.result_of(&methods, depth + 1)) {
            Some(made @ Resolution::Instances(_)) => made,
            _ => self.unaliased(vec![id], depth),
        }
    }

    fn special(&self, types: &[SymbolId], name: &str) -> Option<Vec<SymbolId>> {
        let has = types
            .iter()
            .all(|id| self.rules(id.file).has_special_methods);
        let methods = has.then(|| self.members_of(types, name))?;
        (!methods.is_empty()).then_some(methods)
    }

    /// Says whether a decorator of the view puts something else in the place of a definition.
    pub(super) fn is_replaced(&self, id: SymbolId, depth: u32) -> bool {
        if !self.rules(id.file).has_special_methods {
            return false;
        }
        let symbol = self.symbol(id);
        let above = decorators_of(&self.scope(id.file).decorators, symbol);
        // `@size.setter` names what it stands on, as do decorators that are kept in one another.
        if above.is_empty() || !self.decorated_sought.borrow_mut().insert(id) {
            return false;
        }
        let read = || self.is_replaced_by(id, above, depth);
        // What decorators take too much to read may do anything.
        let is_replaced = self.effort.within(read).unwrap_or(true);
        self.decorated_sought.borrow_mut().remove(&id);
        is_replaced
    }

    fn is_replaced_by(&self, id: SymbolId, decorators: &[&Reference], depth: u32) -> bool {
        let before = self.rests_on.get();
        let is_replaced = decorators.iter().any(|decorator| {
            let site = UseSite::of(id.file, decorator);
            let Resolution::Definitions(functions) = self.reference(site, decorator) else {
                return false;
            };
            match self.result_of(&functions, depth + 1) {
                Resolution::Instances(types) => self.special(&types, "__get__").is_none(),
                Resolution::Definitions(given) => {
                    let is_type = |id: &SymbolId| self.symbol(*id).kind.has_members();
                    given.iter().any(is_type)
                }
                _ => false,
            }
        });
        self.rests_on.set(before);
        is_replaced
    }

    /// Says whether an heir has a method of its own in the place of one that states no result.
    pub(super) fn is_overridden(&self, id: SymbolId, depth: u32) -> bool {
        // Heirs are known by their bases: who looks for these asks for none.
        let may_ask = self.rules(id.file).types_are_hints && self.bases_sought.borrow().is_empty();
        let owner = self.parent(id).filter(|_| may_ask);
        owner.is_some_and(|owner| {
            self.symbol(owner).kind.has_members()
                && self.has_heir_with(owner, &self.symbol(id).name, depth)
        })
    }

    /// Says whether a method sets the name of its own object to something else.
    pub(crate) fn is_set_here(&self, site: UseSite, name: &str) -> bool {
        let locals = &self.files[site.file as usize].facts().locals;
        let newest = self.locals_seen(site, name).max();
        newest.is_some_and(|at| locals[at as usize].kind == HintKind::Value)
    }
}

/// The decorators of a definition, of those of its file in order.
pub(super) fn decorators_of<'d, 'a>(
    of_file: &'d [&'a Reference],
    symbol: &Symbol,
) -> &'d [&'a Reference] {
    let before = |line: u32| of_file.partition_point(|decorator| decorator.line < line);
    let (first, end) = (before(symbol.span.start_line), before(symbol.name_line));
    of_file.get(first..end).unwrap_or(&[])
}

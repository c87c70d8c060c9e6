//! Types that a value is of without naming them: interfaces by their members, classes that another is
//! registered with, and classes whose members another has as well.

use rustc_hash::FxHashSet;
use whyrank_syntax::{Reference, SymbolKind};

use crate::{
    analysis::question::ReachQuestion, input::files::SymbolId, languages::visibility::says,
};

impl<'a> ReachQuestion<'_, '_, 'a> {
    /// Says whether a call of another member may end here.
    pub(super) fn may_dispatch(&self, other: SymbolId) -> bool {
        let resolver = self.resolver();
        let (Some(owner), Some(base)) = (self.owner(self.id), resolver.parent(other)) else {
            return false;
        };
        if self.rules() != resolver.rules(other.file) {
            return false;
        }
        if self.is_structural(base) {
            return true;
        }
        // What an heir inherits fulfils what another base of it demands.
        self.proof.bases_of_heirs(owner).contains(&base)
    }

    fn owner(&self, id: SymbolId) -> Option<SymbolId> {
        let resolver = self.resolver();
        resolver.parent(id).or_else(|| {
            let name = resolver.owner_name(id)?;
            let named = resolver.table.named(name).iter().copied();
            let mut types = named.filter(|found| resolver.symbol(*found).kind.has_members());
            types.find(|found| found.file == id.file || resolver.same_package(found.file, id.file))
        })
    }

    /// Says whether any type may be one of these, by its members alone or because it is registered.
    fn is_structural(&self, base: SymbolId) -> bool {
        let resolver = self.resolver();
        let symbol = resolver.symbol(base);
        let by_members = match symbol.kind {
            SymbolKind::Interface | SymbolKind::TypeAlias => true,
            SymbolKind::Class => {
                let bases = resolver.scope(base.file).inherits.get(&base.symbol);
                let mut bases = bases.into_iter().flatten();
                bases.any(|named| named.name == "Protocol")
            }
            _ => false,
        };
        self.rules().interfaces_are_structural && by_members
            || self.rules().has_special_methods && self.registrars().contains(symbol.name.as_str())
    }

    fn registrars(&self) -> &FxHashSet<&'a str> {
        self.proof.registrars.get_or_init(|| {
            let files = self.resolver().files.iter();
            let references = files.flat_map(|file| &file.facts().references);
            let registers =
                |fact: &&Reference| fact.name == "register" && !fact.qualifier.is_empty();
            let owners = references
                .filter(registers)
                .filter_map(|fact| fact.qualifier.rsplit('.').next());
            owners
                .filter(|owner| owner.starts_with(|c: char| c.is_uppercase() || c == '_'))
                .collect()
        })
    }

    /// Says whether a use of other members may mean this one, for what its receiver was found to be rests
    /// on one way of several, or on a stated type that the owner of this one fulfils.
    pub(super) fn may_stand_for(&self, file: u32, fact: &'a Reference, ids: &[SymbolId]) -> bool {
        let resolver = self.resolver();
        let is_itself = matches!(
            fact.qualifier.as_str(),
            "self" | "this" | "cls" | "super()" | "super"
        );
        if !resolver.rules(file).types_are_hints
            || self.rules() != resolver.rules(file)
            || !self.is_member_like()
            || fact.qualifier.is_empty()
            || is_itself
        {
            return false;
        }
        let rests_on = self.proof.grounded(file, fact).1;
        rests_on.one_of_several
            || rests_on.statement && ids.iter().any(|other| self.fulfils_owner_of(*other))
    }

    /// Says whether the owner of the definition has all members of the owner of another.
    fn fulfils_owner_of(&self, other: SymbolId) -> bool {
        let resolver = self.resolver();
        let is_class = |id: &SymbolId| resolver.symbol(*id).kind == SymbolKind::Class;
        let (Some(own), Some(base)) =
            (self.owner(self.id), resolver.parent(other).filter(is_class))
        else {
            return false;
        };
        if let Some(known) = self.proof.stand_ins.borrow().get(&(own, base)) {
            return *known;
        }
        let symbols = resolver.files[base.file as usize].symbols();
        let mut members = symbols[base.symbol as usize..].iter().skip(1);
        let end = resolver.symbol(base).span.end_byte;
        let fulfils = members
            .by_ref()
            .take_while(|member| member.span.start_byte < end)
            .filter(|member| member.parent == Some(base.symbol))
            .all(|member| {
                let hidden = member.name.starts_with('#')
                    || says(member, "private")
                    || says(member, "protected");
                let is_needed = member.kind != SymbolKind::Constructor && !says(member, "static");
                !hidden && (!is_needed || !resolver.members_of(&[own], &member.name).is_empty())
            });
        self.proof
            .stand_ins
            .borrow_mut()
            .insert((own, base), fulfils);
        fulfils
    }
}

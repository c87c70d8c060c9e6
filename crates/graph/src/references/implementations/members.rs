//! Which members override or implement which, and whose calls may therefore reach them.

use rustc_hash::FxHashSet;
use whyrank_syntax::{OverrideWord, ReferenceKind, SymbolKind, name_rules};

use super::{Descent, HeritageDirection, Relative, Tie, is_type_node};
use crate::{
    input::files::SymbolId,
    languages::{Overriding, Rules},
    references::{
        find_references::{Confidence, ReferenceHit},
        reference_query::ReferenceQuery,
    },
    resolution::signatures,
};

/// A type with more heirs than this is no place to look for siblings that share one.
const MAX_HEIRS: usize = 60;

/// A type in whose members one looks, with the block that holds them.
type Place = (SymbolId, Option<SymbolId>);

impl ReferenceQuery<'_> {
    /// Returns the members that override or implement these, nearest first.
    pub fn overriding(&self, members: &[SymbolId]) -> Vec<Relative> {
        self.alike(members, HeritageDirection::ToHeirs)
    }

    /// Returns the members that these override or implement, nearest first.
    pub fn overridden(&self, members: &[SymbolId]) -> Vec<Relative> {
        self.alike(members, HeritageDirection::ToBases)
    }

    /// Returns the uses of what these members override or implement: each may reach one of them. By
    /// the member that is used, nearest first; uses by a name alone, and calls of `super`, are left
    /// out.
    pub fn dispatching(&self, members: &[SymbolId]) -> Vec<(Relative, Vec<ReferenceHit>)> {
        let reached = self.overridden(members);
        let with_uses = reached.into_iter().filter(|base| {
            // A constructor is called by the name of its type.
            self.resolver.symbol(base.symbol).kind != SymbolKind::Constructor
        });
        let with_uses = with_uses.map(|base| {
            let mut hits = self.settled(&[base.symbol]);
            hits.retain(|hit| {
                hit.kind != ReferenceKind::Write
                    && hit.confidence <= Confidence::Resolved
                    && !self.is_super_call(hit, base.symbol)
            });
            (base, hits)
        });
        with_uses.filter(|(_, hits)| !hits.is_empty()).collect()
    }

    /// Says whether a use is a call of the base's member by one that overrides it: it goes nowhere else.
    fn is_super_call(&self, hit: &ReferenceHit, base: SymbolId) -> bool {
        let name = &self.resolver.symbol(base).name;
        hit.kind == ReferenceKind::Call
            && hit.enclosing.is_some_and(|id| {
                self.resolver.symbol(id).name == *name
                    && self
                        .overridden(&[id])
                        .iter()
                        .any(|found| found.symbol == base)
            })
    }

    fn alike(&self, members: &[SymbolId], way: HeritageDirection) -> Vec<Relative> {
        let mut seen: FxHashSet<SymbolId> = members.iter().copied().collect();
        let mut found: Vec<Relative> = Vec::new();
        for member in members.iter().copied().filter(|id| self.has(*id)) {
            seen.extend(self.same(member));
            let slots = self.implementations().slots(member, way);
            let by_types = self
                .owners(member)
                .into_iter()
                .flat_map(|owner| self.in_relatives(member, owner, way));
            for relative in slots.into_iter().chain(by_types) {
                if seen.insert(relative.symbol) {
                    found.push(relative);
                }
            }
        }
        found.sort_by_key(|relative| relative.depth);
        found
    }

    /// The members of the relatives of a type that stand in for one of it, or that it stands in for.
    fn in_relatives(
        &self,
        member: SymbolId,
        owner: Place,
        way: HeritageDirection,
    ) -> Vec<Relative> {
        let mut found = Vec::new();
        for relative in self.relatives_of(owner, way) {
            let place = match way {
                HeritageDirection::ToHeirs => (relative.symbol, relative.block),
                HeritageDirection::ToBases => (relative.symbol, None),
            };
            for other in self.members_at(place, &self.resolver.symbol(member).name) {
                let (base, heir) = match way {
                    HeritageDirection::ToHeirs => (member, other),
                    HeritageDirection::ToBases => (other, member),
                };
                if self.overrides(heir, base) {
                    found.push(Relative {
                        symbol: other,
                        descent: self.member_descent(base),
                        ..relative
                    });
                }
            }
        }
        if way == HeritageDirection::ToBases && found.is_empty() {
            found.extend(self.beside(member, owner.0));
        }
        found
    }

    /// The bases of a member's type, or its heirs; of a member of an `impl` its trait alone.
    fn relatives_of(&self, (owner, block): Place, way: HeritageDirection) -> Vec<Relative> {
        let Some(block) = block.filter(|_| way == HeritageDirection::ToBases) else {
            return self.relatives(&[owner], way);
        };
        let ties = self.implementations().bases(owner);
        let of_block = ties.iter().filter(|tie| tie.block == Some(block));
        of_block.map(Tie::relative).collect()
    }

    /// What a member stands in for beside its type: an heir of that type inherits it, and with it
    /// fulfils what another base of the heir demands.
    fn beside(&self, member: SymbolId, owner: SymbolId) -> Vec<Relative> {
        let name = &self.resolver.symbol(member).name;
        let heirs = self.subtypes(&[owner]);
        if !self.resolver.rules(owner.file).inherited_members_fulfil || heirs.len() > MAX_HEIRS {
            return Vec::new();
        }
        let inherits = |heir: &&Relative| self.members_at((heir.symbol, None), name).is_empty();
        let known: FxHashSet<SymbolId> = heirs
            .iter()
            .map(|heir| heir.symbol)
            .chain([owner])
            .collect();
        let mut found = Vec::new();
        for heir in heirs.iter().filter(inherits) {
            let bases = self.supertypes(&[heir.symbol]).into_iter();
            for base in bases.filter(|base| !known.contains(&base.symbol)) {
                let others = self.members_at((base.symbol, None), name).into_iter();
                found.extend(
                    others
                        .filter(|other| self.overrides(member, *other))
                        .map(|other| Relative {
                            symbol: other,
                            descent: self.member_descent(other),
                            depth: heir.depth + base.depth,
                            is_certain: false,
                            ..base
                        }),
                );
            }
        }
        found
    }

    /// The types that a member belongs to, with the `impl` block around it.
    fn owners(&self, member: SymbolId) -> Vec<Place> {
        let resolver = &self.resolver;
        if resolver.rules(member.file).has_method_sets && resolver.parent(member).is_none() {
            let types = self.implementations().types_with(member).into_iter();
            return types.map(|id| (id, None)).collect();
        }
        let same = self.same(member).into_iter();
        let parents = same.filter_map(|id| resolver.parent(id));
        let mut owners: Vec<Place> = Vec::new();
        for parent in parents {
            let kind = resolver.symbol(parent).kind;
            if kind == SymbolKind::Impl {
                owners.extend(
                    self.type_nodes(parent)
                        .into_iter()
                        .map(|id| (id, Some(parent))),
                );
            } else if is_type_node(kind) || self.holds_anonymous(parent) {
                owners.push((parent, None));
            }
        }
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    /// Says whether a definition holds a type without a name.
    fn holds_anonymous(&self, id: SymbolId) -> bool {
        self.implementations()
            .bases(id)
            .iter()
            .any(|tie| tie.line.is_some())
    }

    /// The members of a name that a type itself has.
    fn members_at(&self, (owner, block): Place, name: &str) -> Vec<SymbolId> {
        let resolver = &self.resolver;
        let rules = resolver.rules(owner.file);
        if rules.has_method_sets && resolver.symbol(owner).kind != SymbolKind::Interface {
            let methods = self.implementations().methods(owner);
            let named = methods
                .iter()
                .filter(|id| resolver.symbol(**id).name == name);
            return named.copied().collect();
        }
        let holder = block.unwrap_or(owner);
        let owner_symbol = resolver.symbol(holder);
        let inside = resolver.table.named_in(holder.file, name).iter().copied();
        let inside = inside.filter(|id| resolver.parent(*id) == Some(holder));
        if !rules.types_are_reopened {
            return inside.collect();
        }
        let holder_of = |id: SymbolId| {
            let parent = resolver.parent(id)?;
            let (rules, around) = (resolver.rules(parent.file), resolver.symbol(parent));
            let is_block = around.kind == SymbolKind::Impl;
            let name = if is_block {
                &around.name
            } else {
                &around.qualified
            };
            Some((rules, is_block, name.as_str()))
        };
        let keys = [
            (rules, false, owner_symbol.qualified.as_str()),
            (rules, true, owner_symbol.name.as_str()),
        ];
        let all = resolver.sharing_any(name, |known| &known.holders, holder_of, &keys);
        let mut found: Vec<SymbolId> = all.into_iter().chain(inside).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn member_descent(&self, base: SymbolId) -> Descent {
        let owner = self
            .resolver
            .parent(base)
            .map(|id| self.resolver.symbol(id).kind);
        match owner {
            Some(SymbolKind::Interface | SymbolKind::Trait) => Descent::Implements,
            _ => Descent::Overrides,
        }
    }

    /// Says whether a member of an heir stands in for one of a base, of the same name.
    fn overrides(&self, heir: SymbolId, base: SymbolId) -> bool {
        let (own, over) = (self.resolver.symbol(heir), self.resolver.symbol(base));
        let rules = self.resolver.rules(base.file);
        may_stand_in(rules, own.kind, over.kind)
            && self.says_override(heir, base)
            && self.takes_the_same(heir, base)
    }

    /// Says whether the heads allow it: nothing private or static, and the words that a language asks for.
    fn says_override(&self, heir: SymbolId, base: SymbolId) -> bool {
        let (own, over) = (self.resolver.symbol(heir), self.resolver.symbol(base));
        let own_head = HeadWords::new(&own.signature, &own.name);
        let over_head = HeadWords::new(&over.signature, &over.name);
        if over_head.has("private") || over_head.has("static") != own_head.has("static") {
            return false;
        }
        let of_promise = self.member_descent(base) == Descent::Implements;
        let language = self.resolver.files[heir.file as usize].language;
        match (
            self.resolver.rules(base.file).overriding,
            name_rules(language).override_word,
        ) {
            (Overriding::Virtual, _) => own_head.says("override") || self.is_virtual(base),
            (Overriding::SameReceiver, _) => {
                own_head.before.ends_with("self.") == over_head.before.ends_with("self.")
            }
            (Overriding::ByWord, OverrideWord::OfClasses) => of_promise || own_head.has("override"),
            (Overriding::ByWord, OverrideWord::Always) => own_head.has("override"),
            (Overriding::ByWord, OverrideWord::Optional) => true,
        }
    }

    /// Says whether a member, or one of that name further up, is declared virtual.
    fn is_virtual(&self, id: SymbolId) -> bool {
        let name = &self.resolver.symbol(id).name;
        let owners: Vec<SymbolId> = self
            .owners(id)
            .into_iter()
            .map(|(owner, _)| owner)
            .collect();
        let further = self.supertypes(&owners).into_iter();
        let further = further.flat_map(|base| self.members_at((base.symbol, None), name));
        let mut declarations = self.same(id).into_iter().chain(further);
        declarations.any(|id| {
            let head = HeadWords::new(&self.resolver.symbol(id).signature, name);
            head.has("virtual") || head.says("override") || head.after.contains("= 0")
        })
    }

    /// Where functions are told apart by their parameters: as many, and the same where several fit.
    fn takes_the_same(&self, heir: SymbolId, base: SymbolId) -> bool {
        let resolver = &self.resolver;
        let overloads = resolver.rules(base.file).has_overloads;
        let arity = |id: SymbolId| {
            let symbol = resolver.symbol(id);
            signatures::arity(&symbol.signature, &symbol.name)
        };
        if !overloads {
            return true;
        }
        match (arity(heir), arity(base)) {
            (Some(own), Some(over)) if own != over => false,
            (Some(_), Some(_)) => !self.has_nearer(heir, base),
            _ => true,
        }
    }

    /// Says whether another member beside the heir's takes exactly what the base's takes, and this one not.
    fn has_nearer(&self, heir: SymbolId, base: SymbolId) -> bool {
        let types = |id: SymbolId| {
            let symbol = self.resolver.symbol(id);
            signatures::stated_types(&symbol.signature, &symbol.name)
        };
        let wanted = types(base);
        if wanted.is_none() || types(heir) == wanted {
            return false;
        }
        let parent = self.resolver.parent(heir);
        let name = &self.resolver.symbol(heir).name;
        let named = self.resolver.table.named_in(heir.file, name).iter();
        let beside = named
            .filter(|id| **id != heir && self.resolver.parent(**id) == parent && parent.is_some());
        beside.into_iter().any(|id| types(*id) == wanted)
    }
}

/// Says whether a member of a kind can stand in for one of another.
fn may_stand_in(rules: Rules, own: SymbolKind, over: SymbolKind) -> bool {
    let is_code = |kind| {
        matches!(
            kind,
            SymbolKind::Method | SymbolKind::Function | SymbolKind::Constructor
        )
    };
    let is_value = |kind| {
        matches!(
            kind,
            SymbolKind::Field | SymbolKind::Property | SymbolKind::Constant | SymbolKind::Variable
        )
    };
    let is_kept = |kind| is_code(kind) || is_value(kind);
    let mixes = rules.fields_stand_in_for_methods;
    // A constructor stands in for another only where it is called through the base's.
    let constructs = own == SymbolKind::Constructor;
    let may_construct = rules.constructors_are_overridden;
    is_kept(own)
        && is_kept(over)
        && (mixes || is_code(own) == is_code(over))
        && (!constructs || may_construct)
}

/// The words of a head around its name.
struct HeadWords<'s> {
    before: &'s str,
    after: &'s str,
}

impl<'s> HeadWords<'s> {
    fn new(signature: &'s str, name: &str) -> Self {
        let at = signature.find(name).unwrap_or(signature.len());
        let (before, after) = signature.split_at(at);
        Self { before, after }
    }

    /// Says whether a word stands before the name.
    fn has(&self, word: &str) -> bool {
        has_word(self.before, word)
    }

    /// Says whether a word stands before or behind the name.
    fn says(&self, word: &str) -> bool {
        self.has(word) || has_word(self.after, word)
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|found| found == word)
}

//! Tells the definitions of one name apart that a place can mean: those that it sees, those of a type or of its
//! objects, those that a block adds under the conditions of its own.

use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    languages::visibility::{Visibility, says},
    resolution::{
        dotted_expression::Step,
        namesakes::FEW,
        resolver::{Receiver, Resolution, Resolver, UseSite},
        signatures::closing,
    },
};

impl<'a> Resolver<'a> {
    /// Says whether what stands before a name is what its place expects: a dot alone stands there.
    pub(crate) fn is_implied(&self, file: u32, qualifier: &str) -> bool {
        self.rules(file).statics_stand_apart && is_place(qualifier)
    }

    /// Of members of one name those that the type has behind the type or behind a dot alone, those that an
    /// object has behind a value. All where none is of the kind.
    pub(super) fn of_receiver(&self, receiver: Receiver<'_>, ids: Vec<SymbolId>) -> Resolution {
        let apart = ids
            .first()
            .is_some_and(|id| self.rules(id.file).statics_stand_apart);
        if !apart {
            return Resolution::Definitions(ids);
        }
        let is_head = is_place(receiver.text);
        let of_type = |id: &SymbolId| self.is_of_type(*id);
        match receiver.meaning {
            Resolution::Instances(_) if is_head => {
                let ids: Vec<SymbolId> = ids.into_iter().filter(of_type).collect();
                match ids.is_empty() {
                    true => Resolution::Unknown,
                    false => Resolution::Definitions(ids),
                }
            }
            Resolution::Instances(_) if receiver.text != "Self" && !ids.iter().all(of_type) => {
                Resolution::Definitions(ids.into_iter().filter(|id| !of_type(id)).collect())
            }
            Resolution::Definitions(_) if ids.iter().any(of_type) => {
                Resolution::Definitions(ids.into_iter().filter(of_type).collect())
            }
            _ => Resolution::Definitions(ids),
        }
    }

    /// Of a type and an object of one name the type.
    pub(super) fn without_values(&self, ids: Vec<SymbolId>) -> Vec<SymbolId> {
        self.only(ids, false)
    }

    /// Of a type and an object of one name the object.
    fn as_value(&self, found: Resolution) -> Resolution {
        match found {
            Resolution::Definitions(ids) => Resolution::Definitions(self.only(ids, true)),
            other => other,
        }
    }

    /// The same for the head of an expression; a type alone may be what is made, `new Type`.
    pub(super) fn value_at_head(
        &self,
        found: Resolution,
        head: &Step,
        rest: &[Step],
    ) -> Resolution {
        match head.called || rest.is_empty() {
            true => found,
            false => self.as_value(found),
        }
    }

    /// The same for what stands before a dot and is the name itself: a variable of another may hold either.
    pub(super) fn named_value(&self, text: &str, owner: Resolution) -> Resolution {
        match &owner {
            Resolution::Definitions(ids) if ids.iter().all(|id| self.symbol(*id).name == text) => {
                self.as_value(owner)
            }
            _ => owner,
        }
    }

    /// Of members that an import's name can mean those of the type or object that its path ends with; of an
    /// object, where a type bears its name. All where there are none.
    pub(super) fn of_owner(&self, owner: &str, ids: Vec<SymbolId>) -> Vec<SymbolId> {
        let is_of = |id: &SymbolId, values: bool| {
            let parent = self.parent(*id).map(|parent| (parent, self.symbol(parent)));
            parent.is_some_and(|(parent, symbol)| {
                let is_value = || (self.rules(parent.file).is_value)(symbol);
                symbol.name == owner && (!values || is_value())
            })
        };
        for values in [true, false] {
            if ids.len() > 1 && ids.iter().any(|id| is_of(id, values)) {
                return ids.into_iter().filter(|id| is_of(id, values)).collect();
            }
        }
        ids
    }

    fn only(&self, ids: Vec<SymbolId>, values: bool) -> Vec<SymbolId> {
        let is_kept = |id: &SymbolId| (self.rules(id.file).is_value)(self.symbol(*id)) == values;
        match ids.len() > 1 && ids.iter().any(is_kept) {
            true => ids.into_iter().filter(is_kept).collect(),
            false => ids,
        }
    }

    /// Of several definitions those that a file sees: what another keeps to itself is not meant. All where it
    /// sees none.
    pub(super) fn seen_from(&self, file: u32, ids: Vec<SymbolId>) -> Vec<SymbolId> {
        let is_hidden = |id: &SymbolId| {
            let visibility = self.rules(id.file).visibility;
            id.file != file && visibility(self, *id) == Visibility::File
        };
        let are_few = (2..=FEW).contains(&ids.len());
        if !are_few || !ids.iter().any(is_hidden) || ids.iter().all(is_hidden) {
            return ids;
        }
        ids.into_iter().filter(|id| !is_hidden(id)).collect()
    }

    /// Of definitions in blocks that add to a type under several conditions those under the conditions of the
    /// block around a place. Unknown where that says none of them.
    pub(super) fn in_same_block(&self, site: UseSite, ids: Vec<SymbolId>) -> Resolution {
        let conditions: Vec<Option<&str>> = match ids.as_slice() {
            [first, _, ..] if self.rules(first.file).statics_stand_apart => {
                let blocks = ids.iter().map(|id| self.parent(*id));
                blocks.map(|block| self.conditions(block)).collect()
            }
            _ => return Resolution::Definitions(ids),
        };
        let differ = conditions.iter().any(|other| *other != conditions[0]);
        if !differ || conditions.contains(&None) {
            return Resolution::Definitions(ids);
        }
        let innermost = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(innermost, |id| self.parent(*id));
        let own = around.find_map(|id| self.conditions(Some(id)));
        let same = ids.into_iter().zip(conditions);
        let same = same.filter(|(_, stated)| own.is_some() && *stated == own);
        let same: Vec<SymbolId> = same.map(|(id, _)| id).collect();
        match same.is_empty() {
            true => Resolution::Unknown,
            false => Resolution::Definitions(same),
        }
    }

    /// The conditions under which a block adds to a type: what its head says behind `where`.
    fn conditions(&self, block: Option<SymbolId>) -> Option<&'a str> {
        let symbol = self.symbol(block?);
        let (_, conditions) = symbol.signature.split_once(" where ")?;
        (symbol.kind == SymbolKind::Impl).then(|| conditions.trim())
    }

    /// Says whether a type has a member, not its objects: what is static, a case, an initializer, a type.
    pub(crate) fn is_of_type(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        matches!(
            symbol.kind,
            SymbolKind::EnumMember | SymbolKind::Constructor
        ) || symbol.kind.has_members()
            || says(symbol, "static")
            || says(symbol, "class")
    }
}

/// Says whether a text is a place alone, `^:(Type)` or `^=(value)[]`, with no member behind it.
fn is_place(text: &str) -> bool {
    let Some(place) = text.strip_prefix('^') else {
        return false;
    };
    let behind = place.find('(').map(|open| {
        let end = closing(&place[open..]).unwrap_or(0);
        &place[open + end + 1..]
    });
    behind.is_none_or(|behind| behind.trim_matches(['[', ']']).is_empty())
}

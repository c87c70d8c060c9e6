//! Ruby: methods of a class and of its objects, which may bear one name. `Type.name` is one of the first, and so is
//! a bare name in one of them.

use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    resolution::resolver::{Receiver, Resolution, Resolver, UseSite},
};

/// The object that a method is called on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Class,
    Object,
}

impl Resolver<'_> {
    /// Of the members of a name those that what stands before it can mean, or the code around a bare name.
    pub(super) fn at_level(
        &self,
        site: UseSite,
        receiver: Option<Receiver<'_>>,
        ids: Vec<SymbolId>,
    ) -> Resolution {
        let levels: Vec<Option<Level>> = ids.iter().map(|id| self.level_of(*id)).collect();
        if levels.iter().any(Option::is_none) {
            return Resolution::Definitions(ids);
        }
        let is_self = receiver.is_none_or(|receiver| receiver.text == "self");
        let wanted = match receiver.map(|receiver| receiver.meaning) {
            _ if is_self => self.level_at(site),
            Some(Resolution::Definitions(owners)) => {
                let is_type = |id: &SymbolId| {
                    let kind = self.symbol(*id).kind;
                    kind.has_members() || kind == SymbolKind::Module
                };
                owners.iter().all(is_type).then_some(Level::Class)
            }
            Some(Resolution::Instances(_)) => Some(Level::Object),
            _ => None,
        };
        let Some(wanted) = wanted else {
            let is_one = levels.windows(2).all(|pair| pair[0] == pair[1]);
            return match is_one {
                true => Resolution::Definitions(ids),
                false => Resolution::Unknown,
            };
        };
        let keep = |id: &SymbolId| self.level_of(*id).is_none_or(|level| level == wanted);
        let fitting: Vec<SymbolId> = ids.iter().copied().filter(keep).collect();
        if !fitting.is_empty() {
            return Resolution::Definitions(fitting);
        }
        // What hides no member of the other kind that a base has.
        let owners: Vec<SymbolId> = ids.iter().filter_map(|id| self.parent(*id)).collect();
        let Some(first) = ids.first() else {
            return Resolution::Unknown;
        };
        let others = self.members_kept(&owners, &self.symbol(*first).name, &keep);
        match others.is_empty() {
            true => Resolution::Unknown,
            false => Resolution::Definitions(others),
        }
    }

    /// The level of a member; none for what a module lends, and for what is no method.
    fn level_of(&self, id: SymbolId) -> Option<Level> {
        let symbol = self.symbol(id);
        let owner = symbol.qualified.strip_suffix(symbol.name.as_str())?;
        let is_of_module = || {
            let owner = self.parent(id).map(|owner| self.symbol(owner).kind);
            owner == Some(SymbolKind::Module)
        };
        match symbol.kind {
            SymbolKind::Method | SymbolKind::Property | SymbolKind::Function
                if owner.ends_with('.') =>
            {
                Some(Level::Class)
            }
            SymbolKind::Method | SymbolKind::Property
                if owner.ends_with('#') && !is_of_module() =>
            {
                Some(Level::Object)
            }
            _ => None,
        }
    }

    /// The level of the method around a place; none in the body of a class, which may hold blocks that run anywhere.
    fn level_at(&self, site: UseSite) -> Option<Level> {
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        let method = around.find(|id| self.symbol(*id).kind.is_callable())?;
        match self.symbol(method).kind {
            SymbolKind::Constructor => Some(Level::Object),
            _ => self.level_of(method),
        }
    }
}

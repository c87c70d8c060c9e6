//! Java beside Kotlin: properties by the names of the methods that Java sees, `getName` of `name`.

use whyrank_syntax::SymbolKind;

use crate::{input::files::SymbolId, resolution::resolver::Resolver};

impl Resolver<'_> {
    /// The properties of types of Kotlin that a method reads or sets by its name.
    pub(super) fn properties_behind(&self, types: &[SymbolId], method: &str) -> Vec<SymbolId> {
        let is_kotlin = |id: &SymbolId| self.files[id.file as usize].language == "kotlin";
        if !types.iter().all(is_kotlin) {
            return Vec::new();
        }
        let names = properties(method).into_iter();
        let found = names.map(|name| self.members_kept(types, &name, &|id| self.is_property(*id)));
        found
            .into_iter()
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }

    fn is_property(&self, id: SymbolId) -> bool {
        let kind = self.symbol(id).kind;
        matches!(
            kind,
            SymbolKind::Field | SymbolKind::Variable | SymbolKind::Property
        )
    }

    /// Says whether Java reads or sets a property of Kotlin by a method of a name, or setting a name calls a method.
    pub(crate) fn is_accessor(&self, id: SymbolId, method: &str) -> bool {
        let is_setter = self.symbol(id).name.strip_suffix('=') == Some(method);
        if is_setter && self.rules(id.file).setters_have_names {
            return true;
        }
        let is_kotlin = self.files[id.file as usize].language == "kotlin";
        is_kotlin && self.is_property(id) && properties(method).contains(&self.symbol(id).name)
    }
}

/// The properties that a method may be of.
fn properties(method: &str) -> Vec<String> {
    let Some((is_set, rest)) = (method.strip_prefix("get").map(|rest| (false, rest)))
        .or_else(|| method.strip_prefix("set").map(|rest| (true, rest)))
    else {
        return match method.strip_prefix("is") {
            Some(rest) if rest.starts_with(char::is_uppercase) => vec![method.to_owned()],
            _ => Vec::new(),
        };
    };
    let mut chars = rest.chars();
    match chars.next().filter(|first| first.is_uppercase()) {
        Some(first) => {
            let plain = first.to_lowercase().chain(chars).collect();
            let flag = is_set.then(|| format!("is{rest}"));
            std::iter::once(plain).chain(flag).collect()
        }
        None => Vec::new(),
    }
}

//! What stands before a dot: text like `self.router` or `new Foo(a).bar` in, its type out.
//!
//! Types come from signatures alone (parameters, receivers, fields, results), never from flow.

use std::collections::HashSet;

use whyrank_syntax::SymbolKind;

use crate::{
    family::{Family, has_members, is_member},
    input::SymbolId,
    lookup::{Lookup, MAX_DEPTH, Meaning, Site, joined},
    symbol_table::parts,
    type_hint::{self, Hint},
};

impl Lookup<'_> {
    /// What an expression before a dot stands for.
    pub(crate) fn expression(&self, site: Site, text: &str, depth: u32) -> Meaning {
        if depth > MAX_DEPTH {
            return Meaning::Unknown;
        }
        let steps = steps(text);
        let Some((head, rest)) = steps.split_first() else {
            return Meaning::Unknown;
        };
        let (mut meaning, rest) = self
            .longest_module(site, head, rest)
            .unwrap_or_else(|| (self.head(site, &head.name, depth), rest));
        if rest.len() + 1 == steps.len() {
            meaning = self.after(meaning, head, depth);
        }
        for step in rest {
            meaning = self.member(&meaning, &step.name, depth + 1);
            meaning = self.after(meaning, step, depth);
        }
        self.value(meaning, depth)
    }

    /// `a.b.c` as bound by `import a.b.c`.
    fn longest_module<'s>(
        &self,
        site: Site,
        head: &Step,
        rest: &'s [Step],
    ) -> Option<(Meaning, &'s [Step])> {
        if !matches!(
            self.family(site.file),
            Family::Python | Family::Elixir | Family::Haskell
        ) {
            return None;
        }
        let bound = &self.scope(site.file).bound;
        (1..=rest.len()).rev().find_map(|n_more| {
            let names: Vec<&str> = std::iter::once(head.name.as_str())
                .chain(rest[..n_more].iter().map(|step| step.name.as_str()))
                .collect();
            let module = names.join(".");
            self.reads.in_file(site.file, &module);
            let bindings = bound.get(module.as_str())?;
            Some((
                self.bindings(bindings, &head.name, &mut HashSet::new()),
                &rest[n_more..],
            ))
        })
    }

    fn head(&self, site: Site, name: &str, depth: u32) -> Meaning {
        match name {
            "this" | "self" | "cls" | "Self" | "static" | "@" => return self.enclosing_type(site),
            "super" | "parent" | "base" => {
                if let Meaning::Instances(types) = self.enclosing_type(site) {
                    return self.bases_of(&types, depth);
                }
            }
            "crate" | "$crate" => return Meaning::Unknown,
            _ => {}
        }
        self.parameter(site, name, depth)
            .unwrap_or_else(|| self.bare(site, name))
    }

    /// The type around a place, as an instance.
    fn enclosing_type(&self, site: Site) -> Meaning {
        let mut at = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut owner = None;
        while let Some(id) = at {
            let symbol = self.symbol(id);
            if has_members(symbol.kind) {
                return Meaning::Instances(self.types_of_impl(id));
            }
            if owner.is_none() {
                owner = self
                    .owner_name(id)
                    .filter(|_| symbol.parent.is_none() || is_member(symbol.kind));
            }
            at = self.parent(id);
        }
        let Some(owner) = owner else {
            return Meaning::Unknown;
        };
        match self.bare(
            Site {
                file: site.file,
                enclosing: None,
            },
            owner,
        ) {
            Meaning::Definitions(ids) => Meaning::Instances(ids),
            _ => Meaning::Unknown,
        }
    }

    /// An `impl` block stands for its type.
    fn types_of_impl(&self, id: SymbolId) -> Vec<SymbolId> {
        if self.symbol(id).kind != SymbolKind::Impl {
            return vec![id];
        }
        let name = parts(&self.symbol(id).name).pop().unwrap_or_default();
        match self.bare(
            Site {
                file: id.file,
                enclosing: None,
            },
            &name,
        ) {
            Meaning::Definitions(ids) => ids,
            _ => vec![id],
        }
    }

    /// What a parameter or receiver of the functions around a place is; `None` when it is none.
    fn parameter(&self, site: Site, name: &str, depth: u32) -> Option<Meaning> {
        let mut at = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        while let Some(id) = at {
            let symbol = self.symbol(id);
            if matches!(
                symbol.kind,
                SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor
            ) && symbol.name != name
            {
                let hinted = self.hinted(id, name, depth);
                if hinted.is_some() {
                    return hinted;
                }
            }
            at = self.parent(id);
        }
        None
    }

    pub(crate) fn hinted(&self, id: SymbolId, name: &str, depth: u32) -> Option<Meaning> {
        let site = Site {
            file: id.file,
            enclosing: self.symbol(id).parent,
        };
        match type_hint::of_name(&self.symbol(id).signature, name) {
            Hint::Absent => None,
            Hint::Untyped => Some(Meaning::Unknown),
            Hint::Types(types) => Some(self.instances(site, &types, depth)),
            Hint::Value(value) => Some(self.expression(site, &value, depth + 1)),
        }
    }

    /// Values of the types of these names.
    fn instances(&self, site: Site, types: &[String], depth: u32) -> Meaning {
        let mut found = Vec::new();
        let mut external = false;
        for name in types {
            let meaning = match name.rsplit_once('.') {
                None => self.bare(site, name),
                Some((owner, last)) => {
                    let owner = self.expression(site, owner, depth + 1);
                    self.member(&owner, last, depth + 1)
                }
            };
            match meaning {
                Meaning::Definitions(ids) => found.extend(ids),
                Meaning::External => external = true,
                _ => {}
            }
        }
        found.retain(|id| has_members(self.symbol(*id).kind));
        match (found.is_empty(), external) {
            (false, _) => Meaning::Instances(found),
            (true, true) => Meaning::External,
            (true, false) => Meaning::Unknown,
        }
    }

    /// What calling the meaning of a step gives, if it is called.
    fn after(&self, meaning: Meaning, step: &Step, depth: u32) -> Meaning {
        if step.indexed {
            return Meaning::Unknown;
        }
        if step.name == "super" {
            return meaning;
        }
        match meaning {
            Meaning::Definitions(ids) if step.called => self.result_of(&ids, depth),
            Meaning::Modules(_) | Meaning::Instances(_) if step.called => Meaning::Unknown,
            meaning => meaning,
        }
    }

    fn result_of(&self, ids: &[SymbolId], depth: u32) -> Meaning {
        if depth > MAX_DEPTH {
            return Meaning::Unknown;
        }
        let mut meaning = Meaning::Unknown;
        for id in ids {
            let symbol = self.symbol(*id);
            let found = if has_members(symbol.kind) {
                Meaning::Instances(vec![*id])
            } else {
                let types = type_hint::returned(&symbol.signature);
                let owner = self
                    .parent(*id)
                    .filter(|parent| has_members(self.symbol(*parent).kind));
                match (types.first().map(String::as_str), owner) {
                    (Some("Self" | "this" | "self"), Some(owner)) => {
                        Meaning::Instances(self.types_of_impl(owner))
                    }
                    _ => self.instances(
                        Site {
                            file: id.file,
                            enclosing: symbol.parent,
                        },
                        &types,
                        depth + 1,
                    ),
                }
            };
            meaning = joined(meaning, found);
        }
        meaning
    }

    /// A variable or field stands for what it holds.
    pub(crate) fn value(&self, meaning: Meaning, depth: u32) -> Meaning {
        let Meaning::Definitions(ids) = &meaning else {
            return meaning;
        };
        let holds = |id: &SymbolId| {
            matches!(
                self.symbol(*id).kind,
                SymbolKind::Variable
                    | SymbolKind::Constant
                    | SymbolKind::Field
                    | SymbolKind::Property
                    | SymbolKind::EnumMember
            )
        };
        if depth > MAX_DEPTH || !ids.iter().all(holds) {
            return meaning;
        }
        for id in ids {
            let symbol = self.symbol(*id);
            if symbol.kind == SymbolKind::EnumMember
                && let Some(parent) = self.parent(*id)
            {
                return Meaning::Instances(vec![parent]);
            }
            match self.hinted(*id, &symbol.name, depth + 1) {
                Some(Meaning::Instances(types)) => return Meaning::Instances(types),
                Some(Meaning::External) => return Meaning::External,
                _ => {}
            }
        }
        meaning
    }
}

/// A part of a dotted expression.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    name: String,
    called: bool,
    indexed: bool,
}

/// Splits `new Foo(a).bar[0].baz` into its steps; none when it is not such an expression.
fn steps(text: &str) -> Vec<Step> {
    let mut text = text.trim();
    loop {
        let shorter = ["new ", "await ", "&mut ", "&", "*", "!", "return "]
            .iter()
            .find_map(|word| text.strip_prefix(word));
        let inner = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        match shorter.or(inner.filter(|inner| !inner.contains([')', '(']))) {
            Some(rest) => text = rest.trim(),
            None => break,
        }
    }
    let text = text
        .strip_prefix("@")
        .map_or_else(|| text.to_owned(), |rest| format!("@.{rest}"));
    let mut steps: Vec<Step> = Vec::new();
    let mut step = Step {
        name: String::new(),
        called: false,
        indexed: false,
    };
    let mut depth = 0u32;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '<' if depth > 0 => depth += 1,
            '(' | '{' => {
                step.called = true;
                depth += 1;
            }
            '[' => {
                step.indexed = true;
                depth += 1;
            }
            '<' => depth += 1,
            ')' | ']' | '}' | '>' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            '.' | ':' | '?' | '!' | '-' | '>' | '\\' | '#' => {
                if !step.name.is_empty() {
                    steps.push(std::mem::replace(
                        &mut step,
                        Step {
                            name: String::new(),
                            called: false,
                            indexed: false,
                        },
                    ));
                }
            }
            ' ' | ';' => {}
            c if c.is_alphanumeric() || matches!(c, '_' | '$' | '@') => step.name.push(c),
            _ => return Vec::new(),
        }
    }
    if !step.name.is_empty() {
        steps.push(step);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    pub(crate) fn an_expression_falls_into_steps() {
        let read = |text: &str| -> Vec<String> {
            let mark = |step: &super::Step| {
                let call = if step.called { "()" } else { "" };
                let index = if step.indexed { "[]" } else { "" };
                format!("{}{call}{index}", step.name)
            };
            steps(text).iter().map(mark).collect()
        };
        assert_eq!(read("new Foo(a, b).bar[0].baz"), ["Foo()", "bar[]", "baz"]);
        assert_eq!(read("crate::x::Y"), ["crate", "x", "Y"]);
        assert_eq!(read("(*self)"), ["self"]);
        assert_eq!(read("Foo::<T>::new(x)"), ["Foo", "new()"]);
        assert_eq!(read("this?.app!.router"), ["this", "app", "router"]);
        assert_eq!(read("a + b"), Vec::<String>::new());
    }
}

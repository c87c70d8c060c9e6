//! What a place in a call expects: the type of a parameter, what a function that is passed is given.
//!
//! In: a text that begins with `^`, as syntax writes it, and where it stands. `^N(callee)` is the
//! callee's N-th parameter, `^N^M(callee)` the M-th one of the function that it takes there,
//! `^:(Type)` a type, `^=(value)` what an expression is; `.name` and `[]` behind it are followed.

use whyrank_syntax::SymbolKind;

use crate::{
    family::{Family, has_members},
    held,
    input::SymbolId,
    lookup::{Lookup, MAX_DEPTH, Meaning, Site, joined},
    parameters::{FunctionType, function_type, parameter_type},
};

/// A place, read from its text.
enum Place<'s> {
    Argument(usize, &'s str),
    /// The parameter of a function that is passed.
    Given(usize, usize, &'s str),
    Typed(&'s str),
    Value(&'s str),
}

impl Lookup<'_> {
    /// A value that a place expects; `text` is what follows the `^`.
    pub(crate) fn expected(&self, site: Site, text: &str, depth: u32) -> Meaning {
        let Some((place, path)) = read(text).filter(|_| depth <= MAX_DEPTH) else {
            return Meaning::Unknown;
        };
        let mut meaning = match place {
            Place::Typed(text) => self.typed(site, text, depth + 1),
            Place::Value(text) => self.expression(site, text, depth + 1),
            Place::Argument(n, callee) => self.argument(site, callee, n, depth + 1),
            Place::Given(n, given, callee) => self.given(site, callee, (n, given), depth + 1),
        };
        for part in path.split('.') {
            let name = part.trim_end_matches("[]");
            if !name.is_empty() {
                let found = self.member(&meaning, name, depth + 1);
                meaning = self.value(found, depth + 1);
            }
            for _ in 0..(part.len() - name.len()) / 2 {
                meaning = self.indexed(meaning, depth + 1);
            }
        }
        meaning
    }

    fn argument(&self, site: Site, callee: &str, n: usize, depth: u32) -> Meaning {
        let functions = match self.callee(site, callee, depth) {
            Meaning::Definitions(ids) => self.called(&ids, depth),
            Meaning::External => return Meaning::External,
            _ => return Meaning::Unknown,
        };
        let mut meaning = Meaning::Unknown;
        for id in functions {
            let symbol = self.symbol(id);
            if let Some(text) = parameter_type(&symbol.signature, &symbol.name, n) {
                let inside = Site::inside(id.file, Some(id.symbol));
                meaning = joined(meaning, self.typed(inside, text, depth + 1));
            }
        }
        meaning
    }

    /// What a function gets that is passed to another.
    fn given(&self, site: Site, callee: &str, at: (usize, usize), depth: u32) -> Meaning {
        let (owner, method) = match callee.trim_end_matches(['?', '!']).rsplit_once('.') {
            Some((owner, method)) => (owner.trim_end_matches(['?', '!']), method),
            None => ("", callee),
        };
        match self.callee(site, callee, depth) {
            Meaning::Definitions(ids) => {
                let functions = self.called(&ids, depth);
                let found = functions.iter().map(|id| self.given_by(*id, at, depth + 1));
                return found.fold(Meaning::Unknown, joined);
            }
            Meaning::Instances(_) | Meaning::External | Meaning::Unknown if owner.is_empty() => {
                return Meaning::Unknown;
            }
            _ => {}
        }
        if at.1 > 0 || !held::hands_over(method) {
            return Meaning::Unknown;
        }
        match self.expression(site, owner, depth + 1) {
            Meaning::Elements(ids) => Meaning::Instances(ids),
            Meaning::External => Meaning::External,
            // What a wrapper or a scope function hands over is the value itself.
            Meaning::Instances(ids)
                if ids.iter().all(|id| {
                    matches!(
                        self.family(id.file),
                        Family::Rust | Family::Jvm | Family::Swift
                    )
                }) =>
            {
                Meaning::Instances(ids)
            }
            _ => Meaning::Unknown,
        }
    }

    /// The functions that are run when these definitions are called: constructors of types, what a
    /// variable's type says.
    fn called(&self, ids: &[SymbolId], depth: u32) -> Vec<SymbolId> {
        let mut functions = Vec::new();
        for id in ids {
            let symbol = self.symbol(*id);
            match symbol.kind {
                SymbolKind::TypeAlias => functions.push(*id),
                kind if has_members(kind) => {
                    let names = [
                        "constructor",
                        "__init__",
                        "__construct",
                        symbol.name.as_str(),
                    ];
                    functions.extend(names.iter().flat_map(|name| self.members_of(&[*id], name)));
                    // Kotlin: a class states its constructor's parameters itself.
                    functions.push(*id);
                }
                SymbolKind::Variable
                | SymbolKind::Field
                | SymbolKind::Constant
                | SymbolKind::Property
                    if parameter_type(&symbol.signature, &symbol.name, 0).is_none() =>
                {
                    if let Some(Meaning::Instances(types)) =
                        self.hinted(*id, &symbol.name, depth + 1)
                    {
                        functions.extend(types);
                    }
                }
                _ => functions.push(*id),
            }
        }
        functions
    }

    fn given_by(&self, id: SymbolId, (n, given): (usize, usize), depth: u32) -> Meaning {
        let symbol = self.symbol(id);
        let Some(text) = parameter_type(&symbol.signature, &symbol.name, n) else {
            return Meaning::Unknown;
        };
        let inside = Site::inside(id.file, Some(id.symbol));
        match function_type(text, &symbol.signature) {
            Some(function) => self.taken(inside, &function, given, depth),
            None => match self.typed(inside, text, depth + 1) {
                Meaning::Instances(types) => {
                    let found = types
                        .iter()
                        .map(|id| self.taken_by_type(*id, given, depth + 1));
                    found.fold(Meaning::Unknown, joined)
                }
                _ => Meaning::Unknown,
            },
        }
    }

    fn taken(&self, site: Site, function: &FunctionType<'_>, given: usize, depth: u32) -> Meaning {
        match function.parameters.get(given) {
            Some(text) => self.typed(site, text, depth + 1),
            None => Meaning::Unknown,
        }
    }

    /// A name for a function type, or an interface with one method.
    fn taken_by_type(&self, id: SymbolId, given: usize, depth: u32) -> Meaning {
        let symbol = self.symbol(id);
        let inside = Site::inside(id.file, Some(id.symbol));
        if symbol.kind == SymbolKind::TypeAlias {
            let function = symbol.signature.split_once('=');
            let function = function.and_then(|(_, text)| function_type(text, &symbol.signature));
            return function.map_or(Meaning::Unknown, |function| {
                self.taken(inside, &function, given, depth)
            });
        }
        let mut methods = self.methods_of(id);
        match (methods.next(), methods.next()) {
            (Some(only), None) if symbol.kind == SymbolKind::Interface => {
                let method = self.symbol(only);
                let text = parameter_type(&method.signature, &method.name, given);
                text.map_or(Meaning::Unknown, |text| self.typed(inside, text, depth + 1))
            }
            _ => Meaning::Unknown,
        }
    }

    fn methods_of(&self, id: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        let symbols = (0u32..).zip(&self.files[id.file as usize].facts.symbols);
        let of_type = symbols.filter(move |(_, symbol)| {
            symbol.parent == Some(id.symbol)
                && symbol.kind == SymbolKind::Method
                && !symbol.signature.starts_with("default ")
                && !symbol.signature.starts_with("static ")
        });
        of_type.map(move |(symbol, _)| SymbolId {
            file: id.file,
            symbol,
        })
    }
}

/// The place that a text means, and the path behind it.
fn read(text: &str) -> Option<(Place<'_>, &str)> {
    let open = text.find('(')?;
    let mut depth = 0u32;
    let close = text.char_indices().skip(open).find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    let (inside, path) = (&text[open + 1..close], &text[close + 1..]);
    let place = match &text[..open] {
        ":" => Place::Typed(inside),
        "=" => Place::Value(inside),
        numbers => match numbers.split_once('^') {
            Some((n, given)) => Place::Given(n.parse().ok()?, given.parse().ok()?, inside),
            None => Place::Argument(numbers.parse().ok()?, inside),
        },
    };
    Some((place, path))
}

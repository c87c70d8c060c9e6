//! What a place in a call expects: the type of a parameter, what a function that is passed is given.
//!
//! In: a text that begins with `^`, as syntax writes it, and where it stands. `^N(callee)` is the
//! callee's N-th parameter, `^N^M(callee)` the M-th one of the function that it takes there,
//! `^label:(callee)` the one of a label, `^_N:(callee)` the N-th one, which has none, `^:(Type)` a type, `^=(value)` what an expression is; `.name` and `[]` behind it are followed.

use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    resolution::{
        container_methods,
        parameters::{FunctionType, function_type, labelled_type, parameter_type},
        resolver::{MAX_DEPTH, Resolution, Resolver, UseSite, joined},
    },
};

/// A place, read from its text.
enum ExpectedPosition<'s> {
    Argument(usize, &'s str),
    /// A parameter by its label, `_N` for one that has none.
    Labelled(&'s str, &'s str),
    /// The parameter of a function that is passed.
    Given(usize, usize, &'s str),
    Typed(&'s str),
    Value(&'s str),
}

impl Resolver<'_> {
    /// A value that a place expects; `text` is what follows the `^`.
    pub(crate) fn expected(&self, site: UseSite, text: &str, depth: u32) -> Resolution {
        let Some((place, path)) = read(text).filter(|_| depth <= MAX_DEPTH) else {
            return Resolution::Unknown;
        };
        let mut resolution = match place {
            ExpectedPosition::Typed(text) => self.typed(site, text, depth + 1),
            ExpectedPosition::Value(text) => self.expression(site, text, depth + 1),
            ExpectedPosition::Argument(n, callee) => self.argument(site, callee, n, depth + 1),
            ExpectedPosition::Labelled(label, callee) => {
                self.labelled(site, callee, label, depth + 1)
            }
            ExpectedPosition::Given(n, given, callee) => {
                self.given(site, callee, (n, given), depth + 1)
            }
        };
        for part in path.split('.') {
            let name = part.trim_end_matches("[]");
            if !name.is_empty() {
                let found = self.member(&resolution, name, depth + 1);
                resolution = self.value(found, depth + 1);
            }
            for _ in 0..(part.len() - name.len()) / 2 {
                resolution = self.indexed(resolution, depth + 1);
            }
        }
        resolution
    }

    fn argument(&self, site: UseSite, callee: &str, n: usize, depth: u32) -> Resolution {
        let functions = match self.callee(site, callee, depth) {
            Resolution::Definitions(ids) => self.called(&ids, depth),
            Resolution::External => return self.given_out(site, callee, depth),
            _ => return Resolution::Unknown,
        };
        let mut resolution = Resolution::Unknown;
        for id in functions {
            let symbol = self.symbol(id);
            if let Some(text) = parameter_type(&symbol.signature, &symbol.name, n) {
                let inside = UseSite::inside(id.file, Some(id.symbol));
                resolution = joined(resolution, self.typed(inside, text, depth + 1));
            }
        }
        resolution
    }

    /// The values that the functions of a name take under a label, where the view has them all.
    fn labelled(&self, site: UseSite, callee: &str, label: &str, depth: u32) -> Resolution {
        let Resolution::Definitions(ids) = self.callee(site, callee, depth) else {
            return Resolution::Unknown;
        };
        let stated = |id: SymbolId| {
            let symbol = self.symbol(id);
            let text = labelled_type(&symbol.signature, &symbol.name, label)?;
            let inside = UseSite::inside(id.file, Some(id.symbol));
            Some(self.typed(inside, text, depth + 1))
        };
        let made = ids.iter().filter(|id| self.symbol(**id).kind.has_members());
        let made = made.flat_map(|id| self.members_of(&[*id], "init"));
        let made = made.filter(|id| self.symbol(*id).kind == SymbolKind::Constructor);
        let functions: Vec<SymbolId> = ids.iter().copied().chain(made).collect();
        let types = functions.into_iter().filter_map(stated);
        types.fold(Resolution::Unknown, joined)
    }

    /// What a method from outside gives through a parameter: an element where it is one of a container.
    fn given_out(&self, site: UseSite, callee: &str, depth: u32) -> Resolution {
        let (owner, method) = callee.rsplit_once('.').unwrap_or(("", callee));
        if owner.is_empty() || !container_methods::gives_out(method) {
            return Resolution::External;
        }
        match self.expression(site, owner.trim_end_matches(['?', '!']), depth + 1) {
            Resolution::Elements(ids) => Resolution::Instances(ids),
            Resolution::External => Resolution::External,
            _ => Resolution::Unknown,
        }
    }

    /// What a function gets that is passed to another.
    fn given(&self, site: UseSite, callee: &str, at: (usize, usize), depth: u32) -> Resolution {
        let (owner, method) = match callee.trim_end_matches(['?', '!']).rsplit_once('.') {
            Some((owner, method)) => (owner.trim_end_matches(['?', '!']), method),
            None => ("", callee),
        };
        match self.callee(site, callee, depth) {
            Resolution::Definitions(ids) => {
                let functions = self.called(&ids, depth);
                let found = functions.iter().map(|id| self.given_by(*id, at, depth + 1));
                return found.fold(Resolution::Unknown, joined);
            }
            Resolution::Instances(_) | Resolution::External | Resolution::Unknown
                if owner.is_empty() =>
            {
                return Resolution::Unknown;
            }
            _ => {}
        }
        if at.1 > 0 || !container_methods::hands_over(method) {
            return Resolution::Unknown;
        }
        match self.expression(site, owner, depth + 1) {
            Resolution::Elements(ids) => Resolution::Instances(ids),
            Resolution::External => Resolution::External,
            // What a wrapper or a scope function hands over is the value itself.
            Resolution::Instances(ids)
                if ids.iter().all(|id| self.rules(id.file).wrappers_hand_over) =>
            {
                Resolution::Instances(ids)
            }
            _ => Resolution::Unknown,
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
                kind if kind.has_members() => {
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
                    if let Some(Resolution::Instances(types)) =
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

    fn given_by(&self, id: SymbolId, (n, given): (usize, usize), depth: u32) -> Resolution {
        let symbol = self.symbol(id);
        let Some(text) = parameter_type(&symbol.signature, &symbol.name, n) else {
            return Resolution::Unknown;
        };
        let inside = UseSite::inside(id.file, Some(id.symbol));
        match function_type(text, &symbol.signature) {
            Some(function) => self.taken(inside, &function, given, depth),
            None => match self.typed(inside, text, depth + 1) {
                Resolution::Instances(types) => {
                    let found = types
                        .iter()
                        .map(|id| self.taken_by_type(*id, given, depth + 1));
                    found.fold(Resolution::Unknown, joined)
                }
                _ => Resolution::Unknown,
            },
        }
    }

    fn taken(
        &self,
        site: UseSite,
        function: &FunctionType<'_>,
        given: usize,
        depth: u32,
    ) -> Resolution {
        match function.parameters.get(given) {
            Some(text) => self.typed(site, text, depth + 1),
            None => Resolution::Unknown,
        }
    }

    /// A name for a function type, or an interface with one method.
    fn taken_by_type(&self, id: SymbolId, given: usize, depth: u32) -> Resolution {
        let symbol = self.symbol(id);
        let inside = UseSite::inside(id.file, Some(id.symbol));
        if symbol.kind == SymbolKind::TypeAlias {
            let function = symbol.signature.split_once('=');
            let function = function.and_then(|(_, text)| function_type(text, &symbol.signature));
            return function.map_or(Resolution::Unknown, |function| {
                self.taken(inside, &function, given, depth)
            });
        }
        let mut methods = self.methods_of(id);
        match (methods.next(), methods.next()) {
            (Some(only), None) if symbol.kind == SymbolKind::Interface => {
                let method = self.symbol(only);
                let text = parameter_type(&method.signature, &method.name, given);
                text.map_or(Resolution::Unknown, |text| {
                    self.typed(inside, text, depth + 1)
                })
            }
            _ => Resolution::Unknown,
        }
    }

    fn methods_of(&self, id: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        let symbols = (0u32..).zip(self.files[id.file as usize].symbols());
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
fn read(text: &str) -> Option<(ExpectedPosition<'_>, &str)> {
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
        ":" => ExpectedPosition::Typed(inside),
        "=" => ExpectedPosition::Value(inside),
        label if label.ends_with(':') => {
            ExpectedPosition::Labelled(label.trim_end_matches(':'), inside)
        }
        numbers => match numbers.split_once('^') {
            Some((n, given)) => {
                ExpectedPosition::Given(n.parse().ok()?, given.parse().ok()?, inside)
            }
            None => ExpectedPosition::Argument(numbers.parse().ok()?, inside),
        },
    };
    Some((place, path))
}

//! What comes before a dot: text like `self.router` or `new Foo(a).bar` in, its type out.
//!
//! Types come from what declarations state (parameters, fields, results, what a local is set to).

use std::collections::HashSet;

use whyrank_syntax::{CHOICE, OPEN, SymbolKind};

use crate::{
    input::files::SymbolId,
    resolution::{
        container_methods,
        dotted_expression::{FirstSteps, Step, is_literal, steps},
        resolver::{MAX_DEPTH, Receiver, Resolution, Resolver, UseSite, joined},
        signature_types::{self, StatedType},
        type_arguments, type_names,
    },
};

impl Resolver<'_> {
    /// Resolves an expression before a dot.
    pub(crate) fn expression(&self, site: UseSite, text: &str, depth: u32) -> Resolution {
        let meaning = self.effort.within(|| self.meaning(site, text, depth));
        meaning.unwrap_or(Resolution::Unknown)
    }

    fn meaning(&self, site: UseSite, text: &str, depth: u32) -> Resolution {
        let is_name = text.starts_with('`') && self.rules(site.file).backticks_quote_names;
        if !is_name && is_literal(text) {
            return Resolution::External;
        }
        if text == OPEN {
            return Resolution::Unknown;
        }
        if let Some(values) = text.strip_prefix(CHOICE) {
            return self.one_of(site, values, depth);
        }
        if let Some(entered) = self.entered(site, text, depth) {
            return entered;
        }
        let awaited = text.strip_prefix("await");
        if let Some(awaited) = awaited.filter(|rest| rest.starts_with(char::is_whitespace)) {
            let meaning = self.expression(site, awaited, depth + 1);
            return self.awaited(meaning);
        }
        if let Some(place) = text.strip_prefix('^') {
            return self.expected(site, place, depth + 1);
        }
        // A literal holds what each of its parts is.
        if let Some(held) = text.strip_prefix("[] ") {
            return match self.expression(site, held, depth + 1) {
                Resolution::Instances(ids) => Resolution::Elements(ids),
                Resolution::External => Resolution::External,
                _ => Resolution::Unknown,
            };
        }
        let is_at_root = self.begins_at_root(site.file, text);
        // A value that is cast has the type that is written.
        if let Some(stated) = text.strip_prefix(':').filter(|_| !is_at_root) {
            return self.typed(site, stated, depth + 1);
        }
        if let Some((_, stated)) = text.rsplit_once(" as ") {
            return self.typed(site, stated, depth + 1);
        }
        // `new List<Foo>()` holds what its type says.
        if let Some(made) = text
            .strip_prefix("new ")
            .and_then(type_arguments::container_made)
        {
            return self.typed(site, made, depth + 1);
        }
        self.value_of_steps(site, text, &steps(text), depth)
    }

    /// Resolves the called name of a call: the function, not its result.
    pub(crate) fn callee(&self, site: UseSite, text: &str, depth: u32) -> Resolution {
        let mut steps = steps(text);
        if let Some(last) = steps.last_mut() {
            last.called = false;
        }
        self.walked(site, text, &steps, depth)
    }

    pub(super) fn walked(
        &self,
        site: UseSite,
        text: &str,
        steps: &[Step],
        depth: u32,
    ) -> Resolution {
        // What begins with a dot is a part of what its place expects, which the text does not say.
        let is_known = depth <= MAX_DEPTH && !text.starts_with('.');
        let Some((head, rest)) = steps.split_first().filter(|_| is_known) else {
            return Resolution::Unknown;
        };
        let first = |n_steps: usize| FirstSteps {
            text,
            steps: &steps[..n_steps],
        };
        let spaced = (self.rules(site.file).by_leading_path)(self, site, text);
        let spaced = spaced.filter(|path| path.n_parts <= steps.len());
        let (mut resolution, rest, mut last) = match spaced {
            Some(path) => {
                let n_parts = path.n_parts.max(1);
                let last = &steps[n_parts - 1];
                let meaning = self.after(site, path.meaning, last, depth);
                (meaning, &steps[n_parts..], last)
            }
            None => match self.loaded(site, head, rest) {
                Some((meaning, rest)) => (meaning, rest, head),
                None => {
                    let meaning = match self.begins_at_root(site.file, text) {
                        true => self.at_root(site, &head.name),
                        false => {
                            let meant = self.head(site, &head.name, depth);
                            self.value_at_head(meant, head, rest)
                        }
                    };
                    let meaning = self.head_of_arity(meaning, head);
                    let meaning = match meaning {
                        Resolution::External if self.is_of_language(site, head) => meaning,
                        // A function is said to hold what it gives.
                        Resolution::Elements(ids) if head.called && !head.indexed => {
                            Resolution::Instances(ids)
                        }
                        Resolution::Unknown | Resolution::External
                            if head.called && self.makes_container(head) =>
                        {
                            self.made_of(site, head, depth)
                        }
                        meaning => self.called_after(site, first(1), meaning, depth),
                    };
                    (meaning, rest, head)
                }
            },
        };
        let n_head = steps.len() - rest.len();
        for (at, step) in (n_head..).zip(rest) {
            let before = self.held_after(site, first(at), resolution, depth);
            let receiver = Receiver {
                text: &std::mem::replace(&mut last, step).name,
                meaning: &before,
            };
            resolution = self.member_of_step(site, receiver, first(at + 1), depth + 1);
            if let Some(made) = self.made_by_type(&before, &resolution, step) {
                resolution = made;
                continue;
            }
            let is_given = match &before {
                Resolution::Elements(_) => !matches!(resolution, Resolution::Definitions(_)),
                // What passes its receiver on gives the value, not a function to be called.
                before => resolution == *before && *before != Resolution::External,
            };
            if self.is_made(&before, step) {
                resolution = match before {
                    Resolution::Definitions(ids) => Resolution::Instances(ids),
                    before => before,
                };
            } else if !is_given {
                resolution = self.called_after(site, first(at + 1), resolution, depth);
            } else if step.indexed {
                resolution = self.indexed(resolution, depth);
            } else if resolution == Resolution::External && self.gives_made(site, step) {
                resolution = Resolution::Unknown;
            }
        }
        resolution
    }

    /// What a function of a type gives that makes one: one that says `Self`, or one that a derived or
    /// foreign trait gives the type.
    fn made_by_type(
        &self,
        owner: &Resolution,
        meaning: &Resolution,
        step: &Step,
    ) -> Option<Resolution> {
        let (Resolution::Definitions(types) | Resolution::Instances(types)) = owner else {
            return None;
        };
        let is_type = |id: &SymbolId| self.symbol(*id).kind.has_members();
        if !step.called || step.indexed || types.is_empty() || !types.iter().all(is_type) {
            return None;
        }
        let makes_own = match meaning {
            Resolution::Definitions(ids) => ids.iter().all(|id| {
                let result = self.result_text(*id).map(type_names::types);
                result.is_some_and(|types| match types.as_slice() {
                    [only] => matches!(only.path.as_str(), "Self" | "static" | "this"),
                    _ => false,
                })
            }),
            Resolution::External | Resolution::Unknown => {
                matches!(owner, Resolution::Definitions(_))
                    && types
                        .iter()
                        .all(|id| self.rules(id.file).traits_give_members)
                    && container_methods::makes_own(&step.name)
            }
            _ => false,
        };
        makes_own.then(|| Resolution::Instances(types.clone()))
    }

    /// `Type.new` gives one.
    fn is_made(&self, owner: &Resolution, step: &Step) -> bool {
        step.name == "new"
            && matches!(owner, Resolution::Definitions(ids)
                if ids.iter().all(|id| self.rules(id.file).types_make_by_new))
    }

    /// The module that an expression begins with, and what follows it.
    fn loaded<'s>(
        &self,
        site: UseSite,
        head: &Step,
        rest: &'s [Step],
    ) -> Option<(Resolution, &'s [Step])> {
        let loaded = (self.rules(site.file).loaded_by_call)(self, site, head);
        let required = loaded.map(|meaning| (meaning, rest));
        required.or_else(|| self.longest_module(site, head, rest))
    }

    /// `a.b.c` as bound by `import a.b.c`.
    fn longest_module<'s>(
        &self,
        site: UseSite,
        head: &Step,
        rest: &'s [Step],
    ) -> Option<(Resolution, &'s [Step])> {
        if !self.rules(site.file).modules_have_dots {
            return None;
        }
        let bound = &self.scope(site.file).bound;
        (1..=rest.len()).rev().find_map(|n_more| {
            let names: Vec<&str> = std::iter::once(head.name.as_str())
                .chain(rest[..n_more].iter().map(|step| step.name.as_str()))
                .collect();
            let module = names.join(".");
            self.lookups.in_file(site.file, &module);
            let bindings = bound.get(module.as_str())?;
            Some((
                self.bindings(bindings, &head.name, &mut HashSet::new()),
                &rest[n_more..],
            ))
        })
    }

    fn head(&self, site: UseSite, name: &str, depth: u32) -> Resolution {
        let sigil = self.rules(site.file).sigil;
        let variable = name.strip_prefix(sigil).filter(|_| !sigil.is_empty());
        let name = variable.unwrap_or(name);
        match name {
            "this" if self.rules(site.file).this_may_be_parameter => {
                return self
                    .parameter(site, name, depth)
                    .unwrap_or_else(|| self.enclosing_type(site));
            }
            "this" => return self.this_value(site),
            "self" if self.is_set_here(site, name) => {}
            "self" | "cls" | "Self" | "static" | "@" => return self.enclosing_type(site),
            "$struct" => return self.anonymous_struct(site),
            _ if name == "super" || name == self.rules(site.file).base_word => {
                if let Resolution::Instances(types) = self.enclosing_type(site) {
                    return self.bases_of(&types, depth);
                }
            }
            _ if self.rules(site.file).path_heads.contains(&name) => return Resolution::Unknown,
            _ => {}
        }
        let stated = self
            .local(site, name, depth)
            .or_else(|| self.parameter(site, name, depth));
        if variable.is_some() {
            return stated.unwrap_or(Resolution::Unknown);
        }
        stated.unwrap_or_else(|| match self.bare(site, name) {
            Resolution::Unknown
                if matches!(name, "exports" | "module")
                    && self.rules(site.file).modules_are_objects =>
            {
                Resolution::Modules(vec![site.file])
            }
            Resolution::Unknown if self.is_from_outside(site.file, name) => Resolution::External,
            Resolution::Unknown => self.only_type(site, name),
            resolution => resolution,
        })
    }

    /// What a parameter or receiver of the functions around a place is; `None` when it is none.
    pub(crate) fn parameter(&self, site: UseSite, name: &str, depth: u32) -> Option<Resolution> {
        // `Type name` says nothing of a name `Type`.
        if self.rules(site.file).extends_from_outside && name.starts_with(char::is_uppercase) {
            return None;
        }
        let mut at = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        while let Some(id) = at {
            let symbol = self.symbol(id);
            let takes = symbol.kind.is_callable()
                || symbol.kind == SymbolKind::Class
                    && self.rules(site.file).classes_take_parameters;
            if takes && symbol.name != name {
                // Without a type it may be the name of a result.
                let hinted = self.hinted(id, name, depth);
                if hinted
                    .as_ref()
                    .is_some_and(|meaning| *meaning != Resolution::Unknown)
                {
                    return hinted;
                }
            }
            at = self.parent(id);
        }
        None
    }

    pub(crate) fn hinted(&self, id: SymbolId, name: &str, depth: u32) -> Option<Resolution> {
        let site = UseSite::inside(id.file, self.symbol(id).parent);
        match signature_types::of_name(&self.symbol(id).signature, name) {
            StatedType::Absent => None,
            StatedType::Untyped => Some(Resolution::Unknown),
            StatedType::Type(text)
                if text == "any" && self.rules(id.file).classes_are_structural =>
            {
                let (_, value) = self.symbol(id).signature.split_once(" = ")?;
                Some(self.expression(site, value, depth + 1))
            }
            StatedType::Type(text) => {
                let inside = UseSite::inside(id.file, Some(id.symbol));
                Some(self.typed(inside, &text, depth))
            }
            StatedType::Value(value) => Some(self.expression(site, &value, depth + 1)),
        }
    }

    /// What calling the meaning of a step gives, if it is called.
    pub(super) fn after(
        &self,
        site: UseSite,
        resolution: Resolution,
        step: &Step,
        depth: u32,
    ) -> Resolution {
        if step.name == "super" {
            return resolution;
        }
        let resolution = match resolution {
            Resolution::Definitions(ids) if step.called => self.result_of(&ids, depth),
            Resolution::Modules(files) if step.called => {
                let made = self.default_of(&files, &step.name);
                self.result_of(&made, depth)
            }
            // A value of its own type that is called gives who knows what.
            Resolution::Instances(ids) if step.called => self.called_value(&ids, depth),
            Resolution::External if step.called && self.may_give_own(site, step, depth) => {
                Resolution::Unknown
            }
            resolution => resolution,
        };
        let resolution = match resolution {
            Resolution::Definitions(ids) if step.called_again => self.result_of(&ids, depth),
            Resolution::Instances(ids) if step.called_again => self.called_value(&ids, depth),
            resolution => resolution,
        };
        if step.indexed {
            return self.indexed(resolution, depth);
        }
        resolution
    }

    pub(crate) fn result_of(&self, ids: &[SymbolId], depth: u32) -> Resolution {
        if depth > MAX_DEPTH {
            return Resolution::Unknown;
        }
        let mut resolution = Resolution::Unknown;
        for id in &self.without_values(ids.to_vec()) {
            let symbol = self.symbol(*id);
            let meaning = if self.is_replaced(*id, depth) {
                self.note_other();
                Resolution::Unknown
            } else if symbol.kind.has_members() {
                self.made_of_type(*id, depth)
            } else if symbol.kind == SymbolKind::Constructor {
                match self.parent(*id) {
                    Some(owner) => Resolution::Instances(vec![owner]),
                    None => Resolution::Unknown,
                }
            } else {
                self.result_of_function(*id, depth)
            };
            if meaning == Resolution::Unknown && ids.len() > 1 {
                self.note_other();
            }
            resolution = joined(resolution, meaning);
        }
        resolution
    }

    fn result_of_function(&self, id: SymbolId, depth: u32) -> Resolution {
        let symbol = self.symbol(id);
        let makes_own = || {
            let may_make = self.rules(id.file).functions_make_objects;
            may_make && symbol.name.starts_with(char::is_uppercase)
        };
        match self.result_text(id) {
            Some(text) => {
                match self.typed(UseSite::inside(id.file, Some(id.symbol)), text, depth + 1) {
                    // What a caller hands over, not a type from outside.
                    Resolution::External
                        if type_names::is_type_parameter(text) || self.gives_parameter(&[id]) =>
                    {
                        Resolution::Unknown
                    }
                    other => other,
                }
            }
            None if makes_own() => Resolution::Instances(vec![id]),
            None => {
                if self.is_overridden(id, depth) {
                    self.note_other();
                }
                self.returned_by(id, depth + 1)
            }
        }
    }

    /// A variable or field means what it holds.
    pub(crate) fn value(&self, resolution: Resolution, depth: u32) -> Resolution {
        let Resolution::Definitions(ids) = &resolution else {
            return resolution;
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
            return resolution;
        }
        for id in ids {
            let symbol = self.symbol(*id);
            let said = self.hinted(*id, &symbol.name, depth + 1);
            let said = said.unwrap_or(Resolution::Unknown);
            let set_to = self.with_settings(*id, said.clone(), depth);
            if set_to == Resolution::Unknown && said != set_to {
                return Resolution::Unknown;
            }
            if symbol.kind == SymbolKind::EnumMember
                && let Some(parent) = self.parent(*id)
            {
                return Resolution::Instances(vec![parent]);
            }
            let meaning = self.with_assigned(*id, set_to, depth);
            if meaning != Resolution::Unknown {
                return match meaning {
                    Resolution::External if self.gives_parameter(ids) => Resolution::Unknown,
                    other => other,
                };
            }
        }
        resolution
    }
}

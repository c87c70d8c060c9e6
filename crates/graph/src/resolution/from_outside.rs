//! What comes from outside of the view: names of the language and of libraries, and what their functions give.

use whyrank_syntax::name_rules;

use crate::resolution::{
    container_methods::{self, MethodResult},
    dotted_expression::{FirstSteps, Step, steps},
    resolver::{Resolution, Resolver, UseSite},
    type_names::split_top,
};

impl Resolver<'_> {
    /// Says whether a name that nothing in sight declares must be the language's own: `Math`, `str`.
    pub(crate) fn is_from_outside(&self, file: u32, name: &str) -> bool {
        let is_external = self.rules(file).is_undeclared_external;
        is_external(self, file, name)
            && !self.opens_unknown(file)
            && !self.scope(file).is_lost(name)
    }

    /// Says whether what a function from outside gives may be of the view: what it was handed, or is told.
    pub(super) fn may_give_own(&self, site: UseSite, step: &Step, depth: u32) -> bool {
        self.may_give_back(site, step) || self.names_own_type(site, step, depth)
    }

    /// Says whether what a function from outside gives may be what was handed to it before: a container has what
    /// was put into it, and where values have no types, so may anything.
    fn may_give_back(&self, site: UseSite, step: &Step) -> bool {
        let makes = step.name == "new" || step.name.starts_with(char::is_uppercase);
        let language = self.files[site.file as usize].language;
        name_rules(language).values_are_untyped && !makes
            || container_methods::of_container(&step.name) == MethodResult::Element
            || self.gives_made(site, step)
    }

    /// Says whether a call of a function from outside, by its path alone, may give a value of any type.
    pub(super) fn gives_any_type(&self, site: UseSite, first: FirstSteps<'_>) -> bool {
        let Some((last, path)) = first.steps.split_last() else {
            return false;
        };
        if path.iter().any(|step| step.called || step.indexed) {
            return false;
        }
        let scope = self.scope(site.file);
        let is_bound = |step: &Step| scope.bound.contains_key(&*step.name);
        let is_value = |step: &Step| step.name == "self" || scope.locals.contains_key(&*step.name);
        // A path begins with what is imported, or with a name that no value bears.
        let is_path = match path.first() {
            None => is_bound(last),
            Some(head) => is_bound(head) || !is_value(head),
        };
        let owner = path.last().map_or("", |step| &step.name);
        is_path && (self.rules(site.file).gives_any_type)(owner)
    }

    /// The same of the first call in an expression.
    pub(super) fn begins_with_any_type(&self, site: UseSite, text: &str) -> bool {
        let steps = steps(text);
        let first_call = steps.iter().position(|step| step.called);
        first_call.is_some_and(|at| {
            let steps = &steps[..=at];
            self.gives_any_type(site, FirstSteps { text, steps })
        })
    }

    /// Says whether a function from outside is told a type of the view, and so may give one of it: `of<Own>()`,
    /// `of(Own::class)`.
    fn names_own_type(&self, site: UseSite, step: &Step, depth: u32) -> bool {
        if !self.rules(site.file).extends_from_outside {
            return false;
        }
        let literal = step.given.split_once("::class");
        let literal = literal.or_else(|| step.given.split_once(".class"));
        let literal = literal.map(|(stated, _)| stated);
        let mut told = split_top(&step.arguments, ',').into_iter().chain(literal);
        told.any(|stated| {
            matches!(
                self.typed(site, stated, depth + 1),
                Resolution::Instances(_) | Resolution::Elements(_)
            )
        })
    }

    /// Says whether a function of the library makes a container, or one of what it gets.
    pub(super) fn makes_container(&self, step: &Step) -> bool {
        let is_told = !step.arguments.is_empty() || !step.given.is_empty();
        is_told && container_methods::makes_container(&step.name)
    }

    /// A container by what its type says that it holds, or by what it is made of.
    pub(super) fn made_of(&self, site: UseSite, step: &Step, depth: u32) -> Resolution {
        let parts = match step.given.as_str() {
            "" => vec![self.typed(site, last_of(&step.arguments), depth + 1)],
            given => split_top(given, ',')
                .into_iter()
                .map(|part| self.expression(site, part, depth + 1))
                .collect(),
        };
        let is_wrapper = matches!(step.name.as_str(), "Some" | "Option");
        match parts.split_first() {
            Some((first, others)) if others.iter().all(|other| other == first) => match first {
                Resolution::Instances(ids) if is_wrapper => Resolution::Instances(ids.clone()),
                Resolution::Instances(ids) => Resolution::Elements(ids.clone()),
                Resolution::External => Resolution::External,
                _ => Resolution::Unknown,
            },
            _ => Resolution::Unknown,
        }
    }

    /// Says whether a method gives what a function makes that it is handed.
    pub(super) fn gives_made(&self, site: UseSite, step: &Step) -> bool {
        let rules = self.rules(site.file);
        rules.extends_from_outside && container_methods::gives_made(&step.name)
    }

    /// Says whether a function from outside is one of the language, whose results are its own.
    pub(super) fn is_of_language(&self, site: UseSite, head: &Step) -> bool {
        !self.scope(site.file).bound.contains_key(head.name.as_str())
            && container_methods::of_container(&head.name) != MethodResult::Element
            && !self.gives_made(site, head)
    }
}

fn last_of(list: &str) -> &str {
    split_top(list, ',').last().copied().unwrap_or(list)
}

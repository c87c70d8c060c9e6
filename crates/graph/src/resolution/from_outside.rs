//! What comes from outside of the view: names of the language and of libraries, and what their functions give.

use whyrank_syntax::name_rules;

use crate::resolution::{
    container_methods::{self, MethodResult},
    dotted_expression::Step,
    resolver::{Resolver, UseSite},
};

impl Resolver<'_> {
    /// Says whether a name that nothing in sight declares must be the language's own: `Math`, `str`.
    pub(crate) fn is_from_outside(&self, file: u32, name: &str) -> bool {
        let is_external = self.rules(file).is_undeclared_external;
        is_external(self, file, name)
            && !self.opens_unknown(file)
            && !self.scope(file).is_lost(name)
    }

    /// Says whether what a function from outside gives may be what was handed to it before: a container has what
    /// was put into it, and where values have no types, so may anything.
    pub(super) fn may_give_back(&self, site: UseSite, step: &Step) -> bool {
        let makes = step.name == "new" || step.name.starts_with(char::is_uppercase);
        let language = self.files[site.file as usize].language;
        name_rules(language).values_are_untyped && !makes
            || container_methods::of_container(&step.name) == MethodResult::Element
    }

    /// Says whether a function from outside is one of the language, whose results are its own.
    pub(super) fn is_of_language(&self, site: UseSite, head: &Step) -> bool {
        !self.scope(site.file).bound.contains_key(head.name.as_str())
            && container_methods::of_container(&head.name) != MethodResult::Element
    }
}

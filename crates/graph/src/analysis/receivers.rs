//! Judges what stands before a name: whether it may hold another type, or comes from outside.

use whyrank_syntax::{Reference, name_rules};

use crate::{
    analysis::question::ReachQuestion,
    input::files::SymbolId,
    resolution::{
        resolver::{Resolution, UseSite},
        signature_types::{self, StatedType},
    },
};

impl ReachQuestion<'_, '_, '_> {
    /// Says whether objects have it, where a dot alone stands before the names of what a type has.
    pub(super) fn is_of_objects(&self) -> bool {
        self.rules().statics_stand_apart && !self.resolver().is_of_type(self.id)
    }

    /// Says whether a receiver whose type was inferred may hold another: without declared types, what a
    /// field or a parameter holds is up to anyone who sets it.
    pub(super) fn may_be_another(&self, file: u32, fact: &Reference) -> bool {
        let resolver = self.resolver();
        let names = name_rules(resolver.files[file as usize].language);
        let is_open = names.values_are_untyped;
        let is_related = self.rules() == resolver.rules(file);
        let qualifier = fact.qualifier.as_str();
        let qualifier = qualifier.trim_end_matches('$').trim_end_matches(':');
        let is_itself = matches!(qualifier, "self" | "this" | "cls" | "super" | "$this")
            && !resolver.is_set_here(UseSite::of(file, fact), qualifier);
        if !(is_open || names.locals_are_untyped)
            || !is_related
            || !self.is_member_like()
            || is_itself
            || qualifier.ends_with([')', ']'])
            || resolver.rules(file).types_make_by_new && qualifier.ends_with(".new")
        {
            return false;
        }
        let is_set_elsewhere = is_open && (qualifier.contains('.') || self.is_given(file, fact))
            || self.is_set_again(file, fact);
        let site = UseSite::of(file, fact);
        is_set_elsewhere
            && matches!(
                resolver.expression(site, qualifier, 0),
                Resolution::Instances(_)
            )
    }

    /// Says whether a receiver is a local that its function sets more than once: which of the values it holds
    /// depends on the way that was taken.
    fn is_set_again(&self, file: u32, fact: &Reference) -> bool {
        let resolver = self.resolver();
        let locals = &resolver.files[file as usize].facts().locals;
        let scope = resolver.scope(file);
        let sigil = name_rules(resolver.files[file as usize].language).sigil;
        let name = fact.qualifier.as_str();
        let set = scope.locals.get(name.strip_prefix(sigil).unwrap_or(name));
        let mut values = set
            .into_iter()
            .flatten()
            .map(|at| &locals[*at as usize])
            .filter(|local| local.enclosing == fact.enclosing && fact.line <= local.end_line)
            .map(|local| (local.kind, local.text.as_str()));
        let first = values.next();
        first.is_some_and(|first| values.any(|other| other != first))
    }

    /// Says whether a receiver is a parameter without a declared type.
    fn is_given(&self, file: u32, fact: &Reference) -> bool {
        let innermost = fact.enclosing.map(|symbol| SymbolId { file, symbol });
        let hints = self.proof.around(innermost).into_iter().map(|id| {
            let signature = &self.resolver().symbol(id).signature;
            signature_types::of_name(signature, &fact.qualifier)
        });
        let mut known = hints.filter(|hint| *hint != StatedType::Absent);
        matches!(
            known.next(),
            Some(StatedType::Untyped | StatedType::Value(_))
        )
    }

    /// Says whether a bare word of a file that no fact records can be none but a local.
    pub(super) fn is_unrecorded(&self, file: u32) -> bool {
        let (own, its) = (self.rules(), self.resolver().rules(file));
        own == its
            && !self.is_member_like()
            && !self.proof.mentions.partly_parsed.contains(&file)
            && (its.unrecorded_words_are_locals)(&self.resolver().files[file as usize])
    }

    /// Says whether the import behind a use leads nowhere, though a file of the view lies where it says:
    /// an alias that no configuration explains is no package from outside.
    pub(super) fn may_be_own(&self, file: u32, fact: &Reference) -> bool {
        let resolver = self.resolver();
        if !resolver.rules(file).paths_have_aliases {
            return false;
        }
        let is_part = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
        let head = fact.qualifier.split(|char| !is_part(char)).next();
        let head = head.filter(|head| !head.is_empty()).unwrap_or(&fact.name);
        let bound = resolver.scope(file).bound.get(head);
        let is_lost = bound.is_some_and(|bound| bound.iter().all(|it| it.files.is_empty()));
        let imports = &resolver.files[file as usize].facts().imports;
        let mut behind = imports
            .iter()
            .filter(|import| import.names.iter().any(|name| name.local == head));
        is_lost && behind.any(|import| self.proof.names_a_file(&import.module))
    }

    /// Says whether a type stands before a name whose namespace is known, and which is not of the view.
    fn is_outer_type(&self, file: u32, fact: &Reference) -> bool {
        let resolver = self.resolver();
        let before = fact.qualifier.trim_end_matches(':').trim_end_matches("::$");
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\\');
        resolver.rules(file).free_name.is_some()
            && !matches!(before, "self" | "static" | "parent")
            && before.chars().all(is_path)
            && resolver.expression(UseSite::of(file, fact), before, 0) == Resolution::External
    }

    /// Says whether what comes before a name certainly comes from outside of the view: an import, or
    /// a literal.
    pub(super) fn is_outside(&self, file: u32, fact: &Reference) -> bool {
        let is_part = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
        let qualifier = fact.qualifier.as_str();
        // PHP: what stands there is known to be of no namespace of the view.
        if qualifier.ends_with('\\') {
            return true;
        }
        if self.is_outer_type(file, fact) {
            return true;
        }
        let head = qualifier.split(|char| !is_part(char)).next().unwrap_or("");
        if head.is_empty() || head.starts_with(|char: char| char.is_ascii_digit()) {
            return qualifier.starts_with(['"', '\'']);
        }
        let bound = self.resolver().scope(file).bound.get(head);
        bound.is_some_and(|bound| bound.iter().all(|binding| binding.files.is_empty()))
            || self.rules().library_roots.contains(&head)
    }
}

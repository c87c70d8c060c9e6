//! Paths of Rust: what begins at the crate, and what shares a module's name.

use std::collections::HashSet;

use whyrank_syntax::{Import, Reference, ReferenceKind, Symbol, SymbolKind};

use super::{RULES, crate_of};
use crate::{
    input::files::SymbolId,
    resolution::{
        file_symbols::parts,
        resolver::{Receiver, Resolution, Resolver, UseSite, joined, without_impls},
        scope::Bound,
    },
};

impl Resolver<'_> {
    /// What bears a module's name beside it, unless the path goes on behind the name.
    pub(crate) fn beside_module(
        &self,
        site: UseSite,
        reference: &Reference,
    ) -> Option<Vec<SymbolId>> {
        let name = reference.name.as_str();
        let holders = if reference.qualifier.is_empty() {
            vec![site.file]
        } else {
            match self.expression(site, &reference.qualifier, 0) {
                Resolution::Modules(files) => files,
                _ => return None,
            }
        };
        let bound = |file: &u32| self.scope(*file).bound.get(name).into_iter().flatten();
        let named = holders.iter().flat_map(bound);
        let is_import = matches!(
            reference.kind,
            ReferenceKind::Import | ReferenceKind::ReExport
        );
        let named = named.filter(|binding| {
            // `mod job;` names the module alone.
            let is_meant = !is_import || binding.line == reference.line;
            is_meant && matches!(binding.what, Bound::Name(_))
        });
        let found = named.map(|binding| self.binding(binding, name, &mut HashSet::new()));
        match found.fold(Resolution::Unknown, joined) {
            Resolution::Definitions(ids) if !self.leads_on(site.file, reference) => Some(ids),
            _ => None,
        }
    }

    /// What a module of a local's name has: `uri::Parts` where a local `uri` is in sight. A value has no
    /// types and no free functions, so they tell the path from a member.
    pub(super) fn past_local(&self, site: UseSite, reference: &Reference) -> Option<Vec<SymbolId>> {
        let head = reference.qualifier.as_str();
        let is_name = !head.is_empty() && head.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_value = || {
            let local = self.local(site, head, 0);
            local.or_else(|| self.parameter(site, head, 0)).is_some()
        };
        if !is_name || !is_value() {
            return None;
        }
        let module = self.bare(site, head);
        if !matches!(module, Resolution::Modules(_)) {
            return None;
        }
        let is_free = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            symbol.kind.has_members() || symbol.kind == SymbolKind::Function
        };
        let receiver = Receiver {
            text: head,
            meaning: &module,
        };
        match self.member_at(site, receiver, &reference.name, 0) {
            Resolution::Definitions(ids) if ids.iter().all(is_free) => Some(ids),
            _ => None,
        }
    }

    /// The variant of an enum of the same file that a `use` brings by a bare name: `use Kind::*`,
    /// `use self::Kind::{A, B as C}`.
    pub(super) fn opened_variant(&self, site: UseSite, name: &str) -> Option<SymbolId> {
        let file = site.file;
        let imports = self.files[file as usize].facts().imports.iter();
        let may_give = |import: &&Import| {
            let mut names = import.names.iter();
            names.any(|bound| bound.name == "*" || bound.local == name)
        };
        let seen = imports.filter(may_give);
        let seen = seen.filter(|import| self.sees_line(site, import.line));
        let mut found = seen.flat_map(|import| {
            let holder = import.module.rsplit("::").next().unwrap_or_default();
            let named = import
                .names
                .iter()
                .filter_map(|bound| match bound.name.as_str() {
                    "*" => Some(name),
                    own => (bound.local == name).then_some(own),
                });
            let variants = named
                .flat_map(|own| self.table.named_in(file, own))
                .copied();
            variants.filter(move |id| {
                self.symbol(*id).kind == SymbolKind::EnumMember
                    && self
                        .parent(*id)
                        .is_some_and(|parent| self.symbol(parent).name == holder)
            })
        });
        found.next()
    }

    /// Says whether a `use` on a line holds where a name stands: within the same function or module.
    fn sees_line(&self, site: UseSite, line: u32) -> bool {
        let symbols = &self.files[site.file as usize].facts().symbols;
        let around = std::iter::successors(site.enclosing, |at| symbols[*at as usize].parent);
        let around: Vec<u32> = around.collect();
        let holds =
            |symbol: &Symbol| (symbol.span.start_line..=symbol.span.end_line).contains(&line);
        let scopes = (0u32..).zip(symbols).filter(|(_, symbol)| {
            let bounds = [SymbolKind::Function, SymbolKind::Method, SymbolKind::Module];
            bounds.contains(&symbol.kind) && symbol.span.start_line < symbol.span.end_line
        });
        // Each function around the `use`, and each module around either, is around both.
        let mut scopes = scopes.filter(|(at, symbol)| {
            let is_module = symbol.kind == SymbolKind::Module;
            holds(symbol) || is_module && around.contains(at)
        });
        scopes.all(|(at, symbol)| holds(symbol) && around.contains(&at))
    }

    /// Says whether a path goes on behind a name: `job` in `job::run()` is the module.
    fn leads_on(&self, file: u32, reference: &Reference) -> bool {
        let behind = reference.column + reference.name.len() as u32 + "::".len() as u32;
        let references = &self.files[file as usize].facts().references;
        let mut on_line = references
            .iter()
            .filter(|other| (other.line, other.column) == (reference.line, behind));
        on_line.any(|other| other.qualifier.ends_with(&reference.name))
    }

    /// `crate::a::N`, `super::N`, `self::N`: by the end of the module path.
    pub(super) fn by_module_path(&self, file: u32, reference: &Reference) -> Option<Vec<SymbolId>> {
        let qualifier = reference.qualifier.as_str();
        let (place, _) = qualifier.split_once("::").unwrap_or((qualifier, ""));
        let is_path = qualifier == "crate" || qualifier == "super" || qualifier.contains("::");
        if !is_path || !matches!(place, "crate" | "$crate" | "super" | "self") {
            return None;
        }
        self.lookups.anywhere(&reference.name);
        parts(qualifier)
            .iter()
            .for_each(|part| self.lookups.anywhere(part));
        let own_crate = |id: &SymbolId| {
            *self.rules(id.file) == RULES
                && crate_of(self.view_paths.path(id.file)) == crate_of(self.view_paths.path(file))
        };
        let mut found = self
            .table
            .definitions(&format!("{qualifier}::{}", reference.name));
        found.retain(own_crate);
        if parts(qualifier)
            .iter()
            .all(|part| matches!(part.as_str(), "crate" | "$crate" | "super" | "self"))
        {
            found.retain(|id| self.is_top_level(*id));
            if place != "crate" && found.iter().any(|id| id.file == file) {
                found.retain(|id| id.file == file);
            }
        }
        (!found.is_empty()).then(|| without_impls(self, found))
    }
}

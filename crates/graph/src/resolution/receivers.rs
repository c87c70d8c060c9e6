//! Kotlin: values whose members need nothing before them: what a function in braces runs on
//! (`value.apply { … }`), and what an extension extends.

use whyrank_syntax::{HintKind, RECEIVER};

use crate::{
    input::files::SymbolId,
    resolution::{
        parameters::{function_type, parameter_type},
        resolver::{Resolution, Resolver, UseSite},
        wanted::Wanted,
    },
};

/// Functions of the library that run what they get on the value that they are called on.
const RUN_ON_OWNER: [&str; 2] = ["apply", "run"];

impl Resolver<'_> {
    /// What the receivers around a place have under a bare name, the nearest first; none where no known one
    /// has it.
    pub(super) fn of_implicit_receivers(
        &self,
        site: UseSite,
        name: &str,
        wanted: Wanted,
        own: &[SymbolId],
    ) -> Option<Resolution> {
        let rules = self.rules(site.file);
        if !rules.functions_have_receivers || !self.is_kotlin(site.file) {
            return None;
        }
        let parent = own.first().and_then(|id| self.parent(*id));
        if parent.is_some_and(|parent| self.symbol(parent).kind.is_callable()) {
            return None;
        }
        self.lookups.anywhere(name);
        if self.table.named(name).is_empty() {
            return None;
        }
        let values = self.receivers(site);
        values.into_iter().find_map(|types| {
            let found = self.members_as(&types, name, wanted);
            let found = match found.is_empty() {
                true => self.seen_extensions(site, &types, name),
                false => found,
            };
            (!found.is_empty()).then_some(Resolution::Definitions(found))
        })
    }

    /// What `this` is: what a function around runs on or extends, else the type around.
    pub(super) fn this_value(&self, site: UseSite) -> Resolution {
        let may_differ =
            self.rules(site.file).functions_have_receivers && self.is_kotlin(site.file);
        let nearest = may_differ.then(|| self.receivers(site).into_iter().next());
        match nearest.flatten() {
            Some(types) => Resolution::Instances(types),
            None => self.enclosing_type(site),
        }
    }

    fn is_kotlin(&self, file: u32) -> bool {
        self.files[file as usize].language == "kotlin"
    }

    /// The types of the known receivers around a place, the nearest first.
    fn receivers(&self, site: UseSite) -> Vec<Vec<SymbolId>> {
        let mut nearest = Vec::new();
        let locals = &self.files[site.file as usize].facts().locals;
        let mut around: Vec<u32> = self.locals_seen(site, RECEIVER).collect();
        around.sort_unstable();
        for at in around.into_iter().rev() {
            let local = &locals[at as usize];
            let passed = local.text.strip_prefix('^');
            let passed = passed.and_then(|text| text.split_once("^^("));
            let value = match passed {
                _ if local.kind == HintKind::Nothing => Resolution::Unknown,
                Some((n, callee)) => {
                    let callee = callee.strip_suffix(')').unwrap_or(callee);
                    let place = crate::resolution::locals::place_of(site.file, at, local);
                    match self.runs_on(place, n.parse().unwrap_or(0), callee) {
                        Some(value) => value,
                        // Which of several functions is called decides what is nearer.
                        None => return nearest,
                    }
                }
                None => self.said(site.file, at, local, 0),
            };
            if let Resolution::Instances(types) = value {
                nearest.push(types);
            }
        }
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let outer = std::iter::successors(first, |id| self.parent(*id));
        let functions = outer.take_while(|id| !self.symbol(*id).kind.has_members());
        for id in functions {
            let Some(extended) = self.extended_text(id) else {
                continue;
            };
            if let Resolution::Definitions(types) =
                self.extended_type(UseSite::inside(id.file, self.symbol(id).parent), extended)
            {
                let is_type = |id: &SymbolId| self.symbol(*id).kind.is_type();
                if types.iter().all(is_type) {
                    nearest.push(types);
                }
            }
        }
        nearest
    }

    /// What a function runs on that is passed to a call as its `n`th argument; none where several may be called.
    fn runs_on(&self, site: UseSite, n: usize, callee: &str) -> Option<Resolution> {
        let (owner, method) = callee.rsplit_once('.').unwrap_or(("", callee));
        let owner = owner.trim_end_matches(['?', '!']);
        let of_owner = || match owner {
            "" => Resolution::Unknown,
            owner => self.expression(site, owner, 1),
        };
        let ids = match self.callee(site, callee, 1) {
            Resolution::Definitions(ids) => ids,
            _ if RUN_ON_OWNER.contains(&method) => return Some(of_owner()),
            _ => return Some(Resolution::Unknown),
        };
        // A property of the name takes no function.
        let function = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            let text = parameter_type(&symbol.signature, &symbol.name, n)?;
            Some((*id, function_type(text, &symbol.signature)?))
        };
        let taking: Vec<_> = ids.iter().filter_map(function).collect();
        let (id, function) = match &taking[..] {
            [] => return Some(Resolution::Unknown),
            [only] => only,
            _ => return None,
        };
        let Some(receiver) = function.receiver else {
            return Some(Resolution::Unknown);
        };
        if self.extended_text(*id) == Some(receiver) {
            return Some(of_owner());
        }
        Some(self.typed(UseSite::inside(id.file, Some(id.symbol)), receiver, 1))
    }
}

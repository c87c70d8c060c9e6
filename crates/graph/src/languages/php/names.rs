//! PHP: the namespace that a name means. One with `\` before it is whole; `B\C` goes on where an import of `A\B` or
//! the namespace around ends; a bare one is an import, or of the namespace around, and a function or a constant that
//! this lacks is of the root. Folders and files have no part in it.

use whyrank_syntax::{Family, FileFacts, Reference, SymbolKind};

use crate::{
    input::files::SymbolId,
    languages::rules::LeadingPath,
    resolution::{
        resolver::{Resolution, Resolver, UseSite},
        wanted::Wanted,
    },
};

/// The word that stands for the namespace around.
const OWN: &str = "namespace";

/// Words that begin an expression and name nothing.
const WORDS: [&str; 24] = [
    "array",
    "clone",
    "empty",
    "exit",
    "false",
    "fn",
    "function",
    "include",
    "include_once",
    "isset",
    "list",
    "match",
    "namespace",
    "new",
    "null",
    "parent",
    "print",
    "require",
    "require_once",
    "self",
    "static",
    "this",
    "true",
    "yield",
];

impl<'a> Resolver<'a> {
    /// Resolves a name that nothing stands before.
    pub(super) fn free_name(&self, site: UseSite, name: &str, wanted: Wanted) -> Resolution {
        self.in_any_case(name, wanted, |name| {
            self.free_name_as_written(site, name, wanted)
        })
    }

    fn free_name_as_written(&self, site: UseSite, name: &str, wanted: Wanted) -> Resolution {
        self.lookups.anywhere(name);
        let mut imported = self.imported_spaces(site.file, name).peekable();
        let is_imported = imported.peek().is_some();
        let mut is_of_other_kind = false;
        for (space, origin) in imported {
            let known = self.in_space(&space, origin, Wanted::Any);
            let meant = self.wanted(&known, wanted);
            if !meant.is_empty() {
                return Resolution::Definitions(meant);
            }
            is_of_other_kind |= !known.is_empty();
        }
        let spaces = self.spaces_around(site);
        let of_root = matches!(wanted, Wanted::Function | Wanted::Constant | Wanted::Any);
        let root = of_root.then_some("").into_iter();
        let around = spaces.iter().map(|space| (*space, wanted));
        let at_root = match wanted {
            // What is not said is no type.
            Wanted::Any => [Wanted::Function, Wanted::Constant].as_slice(),
            _ => std::slice::from_ref(&wanted),
        };
        let at_root = root.flat_map(|root| at_root.iter().map(move |wanted| (root, *wanted)));
        let mut meant = around
            .chain(at_root)
            .map(|(space, wanted)| self.in_space(space, name, wanted));
        match meant.find(|ids| !ids.is_empty()) {
            // The text does not say here which kind of name an import is of.
            Some(_) if is_imported && !is_of_other_kind => Resolution::Unknown,
            Some(ids) => Resolution::Definitions(ids),
            None => Resolution::External,
        }
    }

    /// Resolves a name behind a namespace; nothing where none stands before it.
    pub(super) fn in_written_space(&self, file: u32, reference: &Reference) -> Option<Resolution> {
        let space = reference.qualifier.strip_suffix('\\')?;
        let wanted = Wanted::of("php", reference);
        let site = UseSite::of(file, reference);
        Some(self.in_any_case(&reference.name, wanted, |name| {
            self.below(site, space, name, wanted)
        }))
    }

    /// Resolves a name in a namespace as it is written, without the `\` before the name.
    fn below(&self, site: UseSite, space: &str, name: &str, wanted: Wanted) -> Resolution {
        self.lookups.anywhere(name);
        let spaces = match space.strip_prefix('\\') {
            Some(whole) => vec![whole.to_owned()],
            None if space.is_empty() => vec![String::new()],
            None => self.spaces_meant(site, space),
        };
        let mut meant = spaces
            .iter()
            .map(|space| self.in_space(space, name, wanted));
        match meant.find(|ids| !ids.is_empty()) {
            Some(ids) => Resolution::Definitions(ids),
            None => Resolution::External,
        }
    }

    /// The name or path that an expression begins with.
    pub(super) fn headed_by_name(&self, site: UseSite, text: &str) -> Option<LeadingPath> {
        let text = text.trim();
        let made = text.strip_prefix("new");
        let made = made.filter(|rest| rest.starts_with([' ', '\\']));
        let is_made = made.is_some();
        let text = made.unwrap_or(text).trim_start();
        let end = text.find(|c| !is_path(c)).unwrap_or(text.len());
        let (path, rest) = text.split_at(end);
        let is_word = WORDS
            .binary_search(&path.to_ascii_lowercase().as_str())
            .is_ok();
        if path.is_empty() || is_word || rest.starts_with(' ') {
            return None;
        }
        let wanted = match rest.starts_with('(') && !is_made {
            true => Wanted::Function,
            false => Wanted::Type,
        };
        let meaning = match self.named_by(site, path, wanted) {
            // What a function from outside gives may have been handed to it.
            Resolution::External if wanted == Wanted::Function => Resolution::Unknown,
            Resolution::External if rest.is_empty() && !is_made => {
                match self.named_by(site, path, Wanted::Constant) {
                    Resolution::Definitions(ids) => Resolution::Definitions(ids),
                    _ => Resolution::External,
                }
            }
            other => other,
        };
        Some(LeadingPath {
            meaning,
            n_parts: path.split('\\').filter(|part| !part.is_empty()).count(),
        })
    }

    /// Resolves a name, with or without namespaces.
    fn named_by(&self, site: UseSite, path: &str, wanted: Wanted) -> Resolution {
        match path.rsplit_once('\\') {
            None => self.free_name(site, path, wanted),
            Some((space, name)) => {
                self.in_any_case(name, wanted, |name| self.below(site, space, name, wanted))
            }
        }
    }

    /// Finds a type as it is written, dots between its parts.
    pub(super) fn type_in_space(&self, site: UseSite, dotted: &str) -> Option<Vec<SymbolId>> {
        let path = dotted.replace('.', "\\");
        match self.named_by(site, &path, Wanted::Type) {
            Resolution::Definitions(ids) => Some(ids),
            Resolution::External => Some(Vec::new()),
            _ => None,
        }
    }

    /// Resolves a type or a function by its name in another case, where none bears it as it is written.
    fn in_any_case(
        &self,
        name: &str,
        wanted: Wanted,
        resolve: impl Fn(&str) -> Resolution,
    ) -> Resolution {
        let meant = resolve(name);
        let ignores_case = matches!(wanted, Wanted::Type | Wanted::Function);
        if meant != Resolution::External || !ignores_case {
            return meant;
        }
        let spellings = self.table.spellings(name).into_iter();
        let spelled = spellings.filter_map(|ids| Some(self.symbol(*ids.first()?).name.as_str()));
        let mut meant = spelled.filter(|other| *other != name).map(resolve);
        meant
            .find(|meant| *meant != Resolution::External)
            .unwrap_or(Resolution::External)
    }

    /// The namespaces and origins that the imports of a file give a name.
    fn imported_spaces<'s>(
        &'s self,
        file: u32,
        local: &'s str,
    ) -> impl Iterator<Item = (String, &'s str)> {
        let imports = &self.files[file as usize].facts().imports;
        let bound = self.scope(file).bound.get(local).into_iter().flatten();
        let statements = bound.flat_map(|binding| {
            let first = imports.partition_point(|import| import.line < binding.line);
            let behind = imports[first..].iter();
            behind.take_while(|import| import.line == binding.line)
        });
        statements.flat_map(move |import| {
            let names = import.names.iter().filter(move |name| name.local == local);
            let space = import.module.trim_matches('\\').to_owned();
            names.map(move |name| (space.clone(), name.name.as_str()))
        })
    }

    /// The namespaces that one written in a file can be.
    fn spaces_meant(&self, site: UseSite, space: &str) -> Vec<String> {
        let (head, rest) = space.split_once('\\').unwrap_or((space, ""));
        let imported = self.imported_spaces(site.file, head);
        let mut spaces: Vec<String> = imported
            .map(|(outer, name)| joined(&joined(&outer, name), rest))
            .collect();
        if spaces.is_empty() {
            let inner = if head == OWN { rest } else { space };
            let around = self.spaces_around(site).into_iter();
            spaces.extend(around.map(|own| joined(own, inner)));
        }
        spaces
    }

    /// The namespace around a place; all of its file where the place is not known.
    fn spaces_around(&self, site: UseSite) -> Vec<&'a str> {
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        let space = around.find(|id| self.symbol(*id).kind == SymbolKind::Namespace);
        match space {
            Some(id) => vec![self.symbol(id).qualified.as_str()],
            None if site.line > 0 || first.is_some() => vec![""],
            None => {
                let own = self.scope(site.file).spaces.iter().copied();
                own.chain([""]).collect()
            }
        }
    }

    fn wanted(&self, ids: &[SymbolId], wanted: Wanted) -> Vec<SymbolId> {
        let ids = ids.iter().copied();
        ids.filter(|id| wanted.keeps(self.symbol(*id).kind))
            .collect()
    }

    /// The definitions of a name in a namespace that no class has.
    fn in_space(&self, space: &str, name: &str, wanted: Wanted) -> Vec<SymbolId> {
        let space_of = |id: SymbolId| {
            let is_own = self.rules(id.file).family == Family::Php;
            is_own.then(|| self.space_of_free(id)).flatten()
        };
        let meant = self.sharing(name, |known| &known.names_by_space, space_of, space);
        self.wanted(&meant, wanted)
    }

    /// The namespace of what no class has; a function inside of another is of the namespace around.
    fn space_of_free(&self, id: SymbolId) -> Option<&'a str> {
        let symbol = self.symbol(id);
        let parent = self.parent(id);
        let kind_around = parent.map(|parent| self.symbol(parent).kind);
        let is_member = symbol.kind.is_member()
            || kind_around.is_some_and(SymbolKind::has_members)
            || symbol.kind == SymbolKind::Constant
                && kind_around.is_some_and(SymbolKind::is_callable);
        if is_member || symbol.kind == SymbolKind::Namespace {
            return None;
        }
        let mut around = std::iter::successors(parent, |id| self.parent(*id));
        let space = around.find(|id| self.symbol(*id).kind == SymbolKind::Namespace);
        Some(space.map_or("", |id| self.symbol(id).qualified.as_str()))
    }
}

/// The namespace that the head of a file says; empty for the root.
pub(super) fn own_space(facts: &FileFacts) -> &str {
    let mut spaces = facts.symbols.iter();
    let space = spaces.find(|symbol| symbol.kind == SymbolKind::Namespace);
    space.map_or("", |space| space.qualified.as_str())
}

fn joined(outer: &str, inner: &str) -> String {
    match (outer, inner) {
        ("", one) | (one, "") => one.to_owned(),
        (outer, inner) => format!("{outer}\\{inner}"),
    }
}

fn is_path(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\\')
}

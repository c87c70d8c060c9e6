//! The definitions that a package shows to its users.

use std::collections::HashSet;

use whyrank_syntax::{ReferenceKind, SymbolKind};

use crate::{
    analysis::roots::{around, is_shown},
    input::{files::SymbolId, paths},
    languages::{
        Rules,
        visibility::{is_upper, says},
    },
    references::{find_references::ReferenceHit, reference_query::ReferenceQuery},
};

/// Says whether a member's own head hides it, whatever it lies in.
fn hides_itself(uses: &ReferenceQuery<'_>, id: SymbolId) -> bool {
    let symbol = uses.resolver.symbol(id);
    let rules = uses.resolver.rules(id.file);
    let is_private = ["private", "internal", "fileprivate"]
        .iter()
        .any(|word| says(symbol, word));
    let is_shown =
        rules.shown_by.is_empty() || rules.shown_by.iter().any(|word| says(symbol, word));
    let is_small = rules.capitals_are_exported && !is_upper(&symbol.name);
    is_private || is_small || !is_shown || symbol.name.starts_with(['_', '#'])
}

/// The files and definitions that users of a package can name.
pub(crate) struct Surface {
    /// Files that users of the package cannot name.
    private: Vec<bool>,
    /// Definitions in them that a file outside passes on.
    passed_on: HashSet<SymbolId>,
}

impl Surface {
    pub(crate) fn new(uses: &ReferenceQuery<'_>) -> Self {
        Self::of(uses, uses.definitions())
    }

    /// The same, as far as these definitions go.
    pub(crate) fn of(uses: &ReferenceQuery<'_>, ids: impl Iterator<Item = SymbolId>) -> Self {
        let private = private_files(uses);
        let is_passed_on = |id: &SymbolId| {
            let hidden = private[id.file as usize] && uses.resolver.symbol(*id).exported;
            hidden && passes_on(uses, &private, *id)
        };
        let passed_on = ids.filter(is_passed_on).collect();
        Self { private, passed_on }
    }

    /// Says whether users of the package can name a definition.
    ///
    /// Members in blocks are shown with their type, wherever the block stands.
    pub(crate) fn shows(&self, uses: &ReferenceQuery<'_>, id: SymbolId) -> bool {
        let types = extended_types(uses, id);
        if types.is_empty() {
            return self.shows_place(uses, id) || self.is_shown_by_heir(uses, id);
        }
        let is_block = |id: &SymbolId| uses.resolver.symbol(*id).kind == SymbolKind::Impl;
        let mut inside = around(uses, id).take_while(|id| !is_block(id));
        inside.all(|id| is_shown(uses, id)) && types.iter().any(|id| self.shows_place(uses, *id))
    }

    /// Says whether a type that users can name inherits a member from one that they cannot.
    fn is_shown_by_heir(&self, uses: &ReferenceQuery<'_>, id: SymbolId) -> bool {
        let owner = uses.resolver.parent(id).filter(|_| !hides_itself(uses, id));
        let owner = owner.filter(|owner| uses.resolver.symbol(*owner).kind.has_members());
        owner.is_some_and(|owner| {
            let heirs = uses.subtypes(&[owner]);
            heirs.iter().any(|heir| self.shows_place(uses, heir.symbol))
        })
    }

    fn shows_place(&self, uses: &ReferenceQuery<'_>, id: SymbolId) -> bool {
        let file_shows = !self.private[id.file as usize];
        let mut top = id;
        let exported = around(uses, id).all(|id| {
            top = id;
            let symbol = uses.resolver.symbol(id);
            is_shown(uses, id) || symbol.kind == SymbolKind::Impl
        });
        exported && (file_shows || self.passed_on.contains(&top))
    }
}

/// Says of each file whether users of the package cannot name what it defines.
fn private_files(uses: &ReferenceQuery<'_>) -> Vec<bool> {
    let resolver = &uses.resolver;
    let programs = programs(uses);
    let n_files = resolver.files.len() as u32;
    let mut private: Vec<bool> = (0..n_files)
        .map(|file| {
            let path = resolver.files[file as usize].path;
            has_private_part(path)
                || (resolver.rules(file).is_hidden)(path)
                || programs.contains(&(resolver.rules(file), unit(uses, file)))
        })
        .collect();
    open_what_is_opened(uses, &mut private);
    private
}

/// Says whether a file that users can name passes on a definition of one that they cannot.
fn passes_on(uses: &ReferenceQuery<'_>, private: &[bool], id: SymbolId) -> bool {
    let hits = uses.all(&[id]);
    let passes = |kind, file: u32| match kind {
        ReferenceKind::ReExport => !private[file as usize],
        ReferenceKind::Import => !private[file as usize] && imports_for_others(uses, &hits, file),
        _ => false,
    };
    hits.iter().any(|hit| passes(hit.kind, hit.file))
}

/// Says whether users of the package can name a definition: its head and its place do not hide it.
pub fn is_public(uses: &ReferenceQuery<'_>, id: SymbolId) -> bool {
    Surface::of(uses, around(uses, id)).shows(uses, id)
}

/// The types of its own crate that the block around a member extends.
fn extended_types(uses: &ReferenceQuery<'_>, id: SymbolId) -> Vec<SymbolId> {
    let resolver = &uses.resolver;
    let mut around = around(uses, id).skip(1);
    let Some(block) = around.find(|id| resolver.symbol(*id).kind == SymbolKind::Impl) else {
        return Vec::new();
    };
    let crate_of = unit(uses, block.file);
    let named = resolver.table.named(&resolver.symbol(block).name);
    let named = named.iter().copied();
    named
        .filter(|id| {
            let kind = resolver.symbol(*id).kind;
            kind.has_members() && kind != SymbolKind::Impl && unit(uses, id.file) == crate_of
        })
        .collect()
}

/// Says whether a module imports a name to give it to others. An `__init__` imports to show, and so does a
/// file that makes no use of the name itself.
fn imports_for_others(uses: &ReferenceQuery<'_>, hits: &[ReferenceHit], file: u32) -> bool {
    let is_shown = || paths::base_name(uses.resolver.files[file as usize].path) == "__init__.py";
    let mut here = hits.iter().filter(|hit| hit.file == file);
    uses.resolver.rules(file).imports_are_names
        && (is_shown() || here.all(|hit| hit.kind == ReferenceKind::Import))
}

fn has_private_part(path: &str) -> bool {
    path.split('/').any(|part| {
        let stem = paths::without_extension(part);
        matches!(stem, "internal" | "private" | "bin" | "scripts")
            || (part.starts_with('_') && stem != "__init__" && stem != "__main__")
    })
}

/// `export *` and `from x import *` in a file that users see show what they open.
fn open_what_is_opened(uses: &ReferenceQuery<'_>, private: &mut [bool]) {
    let shown = (0..private.len() as u32).filter(|file| !private[*file as usize]);
    let mut next: Vec<u32> = shown.collect();
    while let Some(file) = next.pop() {
        if !uses.resolver.rules(file).opened_names_are_shown {
            continue;
        }
        let scope = uses.resolver.scope(file);
        let shown = match uses.resolver.rules(file).imports_are_private {
            true => &scope.passed_on,
            false => &scope.open,
        };
        for open in shown {
            if std::mem::replace(&mut private[*open as usize], false) {
                next.push(*open);
            }
        }
    }
}

/// Packages that are programs: nobody imports them.
fn programs(uses: &ReferenceQuery<'_>) -> HashSet<(Rules, String)> {
    let is_main = |id: &SymbolId| {
        let symbol = uses.resolver.symbol(*id);
        symbol.name == "main" && symbol.kind == SymbolKind::Function && symbol.parent.is_none()
    };
    let starts = |id: &SymbolId| (uses.resolver.rules(id.file).is_program)(&uses.resolver, id.file);
    let all = uses.definitions();
    all.filter(|id| is_main(id) && starts(id))
        .map(|id| (uses.resolver.rules(id.file), unit(uses, id.file)))
        .collect()
}

/// The folder of what is compiled as one.
fn unit(uses: &ReferenceQuery<'_>, file: u32) -> String {
    let path = uses.resolver.files[file as usize].path;
    (uses.resolver.rules(file).unit)(path).to_owned()
}

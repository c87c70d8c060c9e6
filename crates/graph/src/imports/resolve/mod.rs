//! From an import as written to the files that it means.

pub(crate) mod definers;
pub(crate) mod named;

use std::cell::RefCell;
use std::rc::Rc;

use whyrank_syntax::Import;

use crate::{
    input::{
        files::{FileInput, ManifestInput},
        view_paths::ViewPaths,
    },
    languages::{LanguageRules, Rules, go, php, python, rust, script},
};
use definers::{Neighbourhoods, UsedNames};

/// A file that an import means; `name_idx` when one of its names is that file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lead {
    pub(crate) file: u32,
    pub(crate) name_idx: Option<u32>,
}

impl Lead {
    pub(crate) fn to(file: u32) -> Self {
        Self {
            file,
            name_idx: None,
        }
    }
}

/// What the view's files and manifests say about where modules lie.
pub(crate) struct ImportResolver<'a> {
    pub(crate) places: ViewPaths<'a>,
    pub(crate) rules: Vec<Rules>,
    pub(crate) script: script::imports::ScriptRoots,
    pub(crate) python: python::imports::PythonRoots,
    pub(crate) go: go::imports::GoModules,
    pub(crate) rust: rust::imports::ModuleTree<'a>,
    pub(crate) php: php::imports::Autoload,
    pub(crate) named: named::NamedModules<'a>,
    pub(crate) together: Neighbourhoods<'a>,
    /// What the file at work uses.
    used: RefCell<Option<(u32, Rc<UsedNames<'a>>)>>,
}

impl<'a> ImportResolver<'a> {
    pub(crate) fn new(files: &'a [FileInput<'a>], manifests: &[ManifestInput<'_>]) -> Self {
        let places = ViewPaths::new(files);
        Self {
            rules: LanguageRules::of_each(files),
            script: script::imports::ScriptRoots::new(manifests),
            python: python::imports::PythonRoots::new(&places, manifests),
            go: go::imports::GoModules::new(manifests),
            rust: rust::imports::ModuleTree::new(&places, manifests),
            php: php::imports::Autoload::new(manifests),
            named: named::NamedModules::new(files),
            together: Neighbourhoods::default(),
            used: RefCell::default(),
            places,
        }
    }

    /// The files that an import of `file` means; none when it is not in the view.
    pub(crate) fn leads(&self, file: u32, import: &Import) -> Vec<Lead> {
        (self.rules[file as usize].imported_files)(self, file, import)
    }
}

impl<'a> ImportResolver<'a> {
    /// The names that a file uses, kept while its imports are resolved.
    pub(crate) fn used(&self, file: u32) -> Rc<UsedNames<'a>> {
        let mut known = self.used.borrow_mut();
        match &*known {
            Some((of, used)) if *of == file => Rc::clone(used),
            _ => {
                let facts = self.places.files[file as usize].facts();
                let used = Rc::new(UsedNames::new(facts));
                *known = Some((file, Rc::clone(&used)));
                used
            }
        }
    }
}

pub(crate) fn to_leads(files: impl IntoIterator<Item = u32>) -> Vec<Lead> {
    files.into_iter().map(Lead::to).collect()
}

/// The dotted paths that an import names: the module, and the module with each name added.
pub(crate) fn full_paths<'a>(
    import: &'a Import,
    separator: &'a str,
) -> Vec<(Vec<&'a str>, Option<u32>)> {
    let module: Vec<&str> = split(&import.module, separator).collect();
    if import.names.is_empty() {
        return vec![(module, None)];
    }
    let with_name = |(idx, name): (u32, &'a whyrank_syntax::ImportedName)| {
        let mut path = module.clone();
        let parts: Vec<&str> = split(&name.name, separator).collect();
        if !path.ends_with(&parts) {
            path.extend(parts);
        }
        (path, Some(idx))
    };
    (0u32..).zip(&import.names).map(with_name).collect()
}

pub(crate) fn split<'a>(path: &'a str, separator: &'a str) -> impl Iterator<Item = &'a str> {
    path.split(separator)
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

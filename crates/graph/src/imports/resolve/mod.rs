//! From an import as written to the files that it means.

pub(crate) mod definers;
mod lead;
pub(crate) mod named;

use std::cell::RefCell;
use std::rc::Rc;

use whyrank_syntax::Family;

use crate::{
    input::{
        files::{FileInput, ManifestInput},
        view_paths::ViewPaths,
    },
    languages::{dart, go, php, python, rust, script},
};
use definers::{Neighbourhoods, UsedNames};
pub(crate) use lead::{Lead, full_paths, split, to_leads};

/// What the view's files and manifests say about where modules lie.
pub(crate) struct ImportResolver<'a> {
    pub(crate) places: ViewPaths<'a>,
    pub(crate) families: Vec<Family>,
    pub(crate) script: script::imports::ScriptRoots,
    pub(crate) python: python::imports::PythonRoots,
    pub(crate) dart: dart::imports::DartPackages,
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
            families: files.iter().map(|file| Family::of(file.language)).collect(),
            script: script::imports::ScriptRoots::new(manifests),
            python: python::imports::PythonRoots::new(&places, manifests),
            dart: dart::imports::DartPackages::new(manifests),
            go: go::imports::GoModules::new(manifests),
            rust: rust::imports::ModuleTree::new(&places, manifests),
            php: php::imports::Autoload::new(manifests),
            named: named::NamedModules::new(files),
            together: Neighbourhoods::default(),
            used: RefCell::default(),
            places,
        }
    }

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

//! Languages whose modules are found by a declared name, or by a plain path.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use whyrank_syntax::{Family, SymbolKind};

use super::definers::{Definers, definers, kept};
use crate::input::{files::FileInput, paths, view_paths::ViewPaths};

/// Declared namespaces and modules: name, files that declare it.
pub(crate) struct NamedModules<'a> {
    files: &'a [FileInput<'a>],
    declared: HashMap<String, Vec<u32>>,
    /// The files of a module that define a name, made when the module is first asked for one.
    defining: RefCell<HashMap<String, Rc<Definers<'a>>>>,
    /// The same of types.
    defining_types: RefCell<HashMap<String, Rc<Definers<'a>>>>,
}

impl<'a> NamedModules<'a> {
    pub(super) fn new(files: &'a [FileInput<'a>]) -> Self {
        let mut declared: HashMap<String, Vec<u32>> = HashMap::new();
        for (file, input) in (0u32..).zip(files) {
            if !Family::of(input.language).rules().namespaces_span_files {
                continue;
            }
            for symbol in input.symbols() {
                if matches!(symbol.kind, SymbolKind::Namespace | SymbolKind::Module) {
                    let longest = [&symbol.qualified, &symbol.name]
                        .into_iter()
                        .max_by_key(|name| name.len())
                        .map(|name| name.replace("::", ".").replace('\\', "."));
                    let files = declared.entry(longest.unwrap_or_default()).or_default();
                    if files.last() != Some(&file) {
                        files.push(file);
                    }
                }
            }
        }
        Self {
            files,
            declared,
            defining: RefCell::default(),
            defining_types: RefCell::default(),
        }
    }

    /// The files of a module by the names that they define.
    fn defining(&self, module: &str) -> Rc<Definers<'a>> {
        let files = || self.declaring(module).iter().copied();
        let make = || definers(self.files, files(), |_| true);
        kept(&self.defining, module, make)
    }

    /// The files of a module by the types that they define.
    pub(crate) fn defining_types(&self, module: &str) -> Rc<Definers<'a>> {
        let files = || self.declaring(module).iter().copied();
        let make = || definers(self.files, files(), |symbol| symbol.kind.names_type());
        kept(&self.defining_types, module, make)
    }

    /// The files that declare a module.
    pub(crate) fn declaring(&self, name: &str) -> &[u32] {
        self.declared.get(name).map_or(&[], Vec::as_slice)
    }

    /// The first file that declares a namespace and defines a name in it.
    pub(crate) fn defining_in(&self, namespace: &str, name: &str) -> Option<u32> {
        self.defining(namespace).get(name)?.first().copied()
    }
}

/// A path relative to the file, then the end of a path; with the file's own extension if it has none.
pub(crate) fn by_path(places: &ViewPaths<'_>, file: u32, module: &str) -> Option<u32> {
    let own = paths::extension(places.path(file));
    let written = module.trim_matches(['"', '\'', '<', '>']);
    let plain = written.trim_start_matches("./").trim_start_matches("../");
    [written.to_owned(), format!("{written}.{own}")]
        .iter()
        .find_map(|path| places.file(&paths::join(places.folder_of(file), path)?))
        .or_else(|| {
            (plain.contains('.'))
                .then(|| places.nearest_ending_with(plain, file))
                .flatten()
        })
        .filter(|target| *target != file)
}

//! From an import as written to the files that it means, language by language.

mod definers;
mod go;
mod jvm;
mod named;
mod native;
mod php;
mod python;
mod rust;
mod script;

use std::cell::RefCell;
use std::rc::Rc;

use whyrank_syntax::Import;

use definers::{Neighbourhoods, UsedNames, those_defining};

use crate::input::{
    family::Family,
    files::{FileInput, ManifestInput},
    view_paths::ViewPaths,
};

/// A file that an import means; `name_idx` when one of its names is that file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lead {
    pub(crate) file: u32,
    pub(crate) name_idx: Option<u32>,
}

impl Lead {
    fn to(file: u32) -> Self {
        Self {
            file,
            name_idx: None,
        }
    }
}

/// What the view's files and manifests say about where modules lie.
pub(crate) struct ImportResolver<'a> {
    places: ViewPaths<'a>,
    families: Vec<Family>,
    script: script::ScriptRoots,
    python: python::PythonRoots,
    go: go::GoModules,
    rust: rust::ModuleTree<'a>,
    php: php::Autoload,
    named: named::NamedModules<'a>,
    together: Neighbourhoods<'a>,
    /// What the file at work uses.
    used: RefCell<Option<(u32, Rc<UsedNames<'a>>)>>,
}

impl<'a> ImportResolver<'a> {
    pub(crate) fn new(files: &'a [FileInput<'a>], manifests: &[ManifestInput<'_>]) -> Self {
        let places = ViewPaths::new(files);
        Self {
            families: files.iter().map(|file| Family::of(file.language)).collect(),
            script: script::ScriptRoots::new(manifests),
            python: python::PythonRoots::new(&places, manifests),
            go: go::GoModules::new(manifests),
            rust: rust::ModuleTree::new(&places, manifests),
            php: php::Autoload::new(manifests),
            named: named::NamedModules::new(files),
            together: Neighbourhoods::default(),
            used: RefCell::default(),
            places,
        }
    }

    /// The files that an import of `file` means; none when it is not in the view.
    pub(crate) fn leads(&self, file: u32, import: &Import) -> Vec<Lead> {
        let places = &self.places;
        match self.families[file as usize] {
            Family::Script => to_leads(self.script.resolve(places, file, &import.module)),
            Family::Python => self.python.resolve(places, file, import),
            Family::Go => to_leads(self.go_package(file, import)),
            Family::Rust => self.rust.resolve(places, file, import),
            Family::Jvm => self.jvm(file, import),
            Family::Native => to_leads(native::resolve(places, file, &import.module)),
            Family::Ruby => to_leads(named::ruby(places, file, import)),
            Family::Php => self.php(file, import),
            Family::Dotnet => self.named.dotnet(file, import, &self.used(file).all),
            Family::Elixir => self.named.elixir(import),
            Family::Lua => to_leads(named::lua(places, file, &import.module)),
            Family::Haskell => to_leads(named::haskell(places, file, &import.module)),
            Family::Swift => {
                // `import Target`: the sources of a package's target.
                let target = self.together.target(places, &import.module);
                to_leads(those_defining(&[target], &self.used(file).heads))
            }
            Family::Zig | Family::Other => to_leads(named::by_path(places, file, &import.module)),
        }
    }
}

impl<'a> ImportResolver<'a> {
    /// Of the files of a package of Go those whose names are used.
    fn go_package(&self, file: u32, import: &Import) -> Vec<u32> {
        let used = self.used(file);
        let (files, names) = self.go.resolve(&self.places, import, &used);
        match names {
            Some(names) if !files.is_empty() => {
                let package = self.together.package(&self.places, &files);
                those_defining(&[package], &names)
            }
            _ => files,
        }
    }

    /// The file of a class or function of PHP, else the files of a namespace whose names are used.
    fn php(&self, file: u32, import: &Import) -> Vec<Lead> {
        let found = self.php.resolve(&self.places, &self.named, file, import);
        if !found.is_empty() || php::names_a_file(import) {
            return found;
        }
        let below = self.named.php_below(&self.used(file), import);
        let mut leads: Vec<Lead> = below.into_iter().map(Lead::to).collect();
        leads.sort_unstable();
        leads.dedup();
        leads
    }

    /// The names that a file uses, kept while its imports are resolved.
    fn used(&self, file: u32) -> Rc<UsedNames<'a>> {
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

fn to_leads(files: impl IntoIterator<Item = u32>) -> Vec<Lead> {
    files.into_iter().map(Lead::to).collect()
}

/// The dotted paths that an import names: the module, and the module with each name added.
fn full_paths<'a>(import: &'a Import, separator: &'a str) -> Vec<(Vec<&'a str>, Option<u32>)> {
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

fn split<'a>(path: &'a str, separator: &'a str) -> impl Iterator<Item = &'a str> {
    path.split(separator)
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

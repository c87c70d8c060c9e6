//! Which files of a module, package or target define a name: made once for each of them, since every file that opens
//! one asks.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use whyrank_syntax::{Family, FileFacts, Reference, Symbol, SymbolKind};

use crate::{
    input::{files::FileInput, view_paths::ViewPaths},
    steps,
};

/// Files by the names that they define, each list in order.
pub(crate) type Definers<'a> = HashMap<&'a str, Vec<u32>>;

/// The files that define each name, of those symbols that count.
pub(crate) fn definers<'a>(
    files: &'a [FileInput<'a>],
    of: impl Iterator<Item = u32>,
    counts: impl Fn(&Symbol) -> bool,
) -> Definers<'a> {
    let mut made: Definers<'a> = HashMap::new();
    for file in of {
        for symbol in files[file as usize].symbols() {
            steps::count(1);
            if !counts(symbol) {
                continue;
            }
            let files = made.entry(symbol.name.as_str()).or_default();
            if files.last() != Some(&file) {
                files.push(file);
            }
        }
    }
    made
}

/// What is kept under a name, made where it is not there yet.
pub(crate) fn kept<T>(
    known: &RefCell<HashMap<String, Rc<T>>>,
    name: &str,
    make: impl FnOnce() -> T,
) -> Rc<T> {
    if let Some(found) = known.borrow().get(name) {
        return Rc::clone(found);
    }
    let made = Rc::new(make());
    known.borrow_mut().insert(name.to_owned(), Rc::clone(&made));
    made
}

/// Files that share a folder or target, with what they define at their top.
#[derive(Default)]
pub(crate) struct Together<'a> {
    pub(crate) files: Vec<u32>,
    tops: Definers<'a>,
}

impl<'a> Together<'a> {
    fn new(places: &ViewPaths<'a>, files: Vec<u32>) -> Self {
        let is_top = |symbol: &Symbol| symbol.parent.is_none();
        let tops = definers(places.files, files.iter().copied(), is_top);
        Self { files, tops }
    }

    /// Those that define a name at their top.
    pub(crate) fn defining(&self, name: &str) -> &[u32] {
        self.tops.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Of files that are together those that define one of the names at their top; all where none does.
pub(crate) fn those_defining(all: &[Rc<Together<'_>>], names: &HashSet<&str>) -> Vec<u32> {
    steps::count(names.len());
    let needed = all
        .iter()
        .flat_map(|together| names.iter().flat_map(|name| together.defining(name)));
    let needed: BTreeSet<u32> = needed.copied().collect();
    match needed.is_empty() {
        true => all
            .iter()
            .flat_map(|together| &together.files)
            .copied()
            .collect(),
        false => needed.into_iter().collect(),
    }
}

/// Folders and targets whose files are seen as one.
#[derive(Default)]
pub(crate) struct Neighbourhoods<'a> {
    folders: RefCell<HashMap<String, Rc<Together<'a>>>>,
    packages: RefCell<HashMap<String, Rc<Together<'a>>>>,
    declared: RefCell<Option<Packages<'a>>>,
    targets: RefCell<Option<Targets<'a>>>,
}

/// The package that a file declares.
type PackageName = fn(&str, &FileFacts) -> String;

/// The files of each package of a family.
type Packages<'a> = Rc<HashMap<String, Rc<Together<'a>>>>;

/// The files of each target.
type Targets<'a> = Rc<HashMap<&'a str, Rc<Together<'a>>>>;

impl<'a> Neighbourhoods<'a> {
    /// The files of a family in a folder.
    pub(crate) fn folder(
        &self,
        places: &ViewPaths<'a>,
        folder: &str,
        family: Family,
    ) -> Rc<Together<'a>> {
        let is_own = |file: &u32| Family::of(places.files[*file as usize].language) == family;
        let files = || places.in_folder(folder).iter().copied().filter(is_own);
        kept(&self.folders, folder, || {
            Together::new(places, files().collect())
        })
    }

    /// The files of a family that declare a package.
    pub(crate) fn declared(
        &self,
        places: &ViewPaths<'a>,
        package: &str,
        family: Family,
        package_name: PackageName,
    ) -> Option<Rc<Together<'a>>> {
        let mut known = self.declared.borrow_mut();
        let make = || declared_packages(places, family, package_name);
        let packages = known.get_or_insert_with(make);
        packages.get(package).map(Rc::clone)
    }

    /// Files that are a package together.
    pub(crate) fn package(&self, places: &ViewPaths<'a>, files: &[u32]) -> Rc<Together<'a>> {
        let folder = files.first().map_or("", |file| places.folder_of(*file));
        let make = || Together::new(places, files.to_vec());
        kept(&self.packages, folder, make)
    }

    /// The files of a family below `Sources/` and the target's name.
    pub(crate) fn target(
        &self,
        places: &ViewPaths<'a>,
        name: &str,
        family: Family,
    ) -> Rc<Together<'a>> {
        let mut known = self.targets.borrow_mut();
        let targets = known.get_or_insert_with(|| Rc::new(targets(places, family)));
        targets.get(name).map(Rc::clone).unwrap_or_default()
    }
}

fn targets<'a>(places: &ViewPaths<'a>, family: Family) -> HashMap<&'a str, Rc<Together<'a>>> {
    let mut found: HashMap<&'a str, Vec<u32>> = HashMap::new();
    for (file, input) in (0u32..).zip(places.files) {
        if Family::of(input.language) != family {
            continue;
        }
        let parts: Vec<&'a str> = input.path.split('/').collect();
        let folders = &parts[..parts.len() - 1];
        let below = folders.windows(2).filter(|pair| pair[0] == "Sources");
        for target in below.map(|pair| pair[1]) {
            let files = found.entry(target).or_default();
            if files.last() != Some(&file) {
                files.push(file);
            }
        }
    }
    let together = |(name, files)| (name, Rc::new(Together::new(places, files)));
    found.into_iter().map(together).collect()
}

/// The names that a file uses.
pub(crate) struct UsedNames<'a> {
    /// Without a qualifier, or as the head of one.
    pub(crate) heads: HashSet<&'a str>,
    pub(crate) all: HashSet<&'a str>,
    /// What stands behind a qualifier, by the qualifier's head.
    by_head: HashMap<&'a str, Vec<&'a Reference>>,
}

impl<'a> UsedNames<'a> {
    pub(crate) fn new(facts: &'a FileFacts) -> Self {
        let mut used = Self {
            heads: HashSet::new(),
            all: HashSet::new(),
            by_head: HashMap::new(),
        };
        for reference in &facts.references {
            let qualifier = reference.qualifier.as_str();
            used.all.insert(&reference.name);
            if qualifier.is_empty() {
                used.heads.insert(&reference.name);
                continue;
            }
            let end = qualifier.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let head = &qualifier[..end.unwrap_or(qualifier.len())];
            used.heads.insert(head);
            used.by_head.entry(head).or_default().push(reference);
        }
        let impls = facts
            .symbols
            .iter()
            .filter(|symbol| symbol.kind == SymbolKind::Impl);
        used.heads.extend(impls.map(|symbol| symbol.name.as_str()));
        used
    }

    /// The uses behind a qualifier that begins with a word.
    pub(crate) fn behind(&self, head: &str) -> &[&'a Reference] {
        let found = self.by_head.get(head).map_or(&[][..], Vec::as_slice);
        steps::count(found.len());
        found
    }
}

/// The packages that the files of a family declare. O(files and their definitions).
fn declared_packages<'a>(
    places: &ViewPaths<'a>,
    family: Family,
    package_name: PackageName,
) -> Packages<'a> {
    let mut files: HashMap<String, Vec<u32>> = HashMap::new();
    for (file, input) in (0u32..).zip(places.files) {
        if Family::of(input.language) == family {
            let package = input.with_facts(|facts| package_name(input.path, facts));
            files.entry(package).or_default().push(file);
        }
    }
    let together = files
        .into_iter()
        .map(|(package, files)| (package, Rc::new(Together::new(places, files))));
    Rc::new(together.collect())
}

//! Python: absolute from any package root, relative by dots, submodules among the names.

use std::collections::{BTreeMap, BTreeSet};

use whyrank_syntax::{Family, Import, ImportedName};

use crate::{
    imports::resolve::Lead,
    input::{files::ManifestInput, paths, view_paths::ViewPaths},
};

/// Folders below which a package begins.
const ROOTS: [&str; 4] = ["", "src", "lib", "python"];

/// Folders that hold packages because a manifest says so.
pub(crate) struct PythonRoots {
    roots: Vec<String>,
    /// By what name the files import the package whose folder is the root itself.
    root_package: Option<String>,
}

/// What a dotted name leads to.
enum Module {
    File(u32),
    /// A folder, with the file that runs when it is imported.
    Package(String, Option<u32>),
}

impl PythonRoots {
    pub(crate) fn new(places: &ViewPaths<'_>, manifests: &[ManifestInput<'_>]) -> Self {
        let mut roots: Vec<String> = ROOTS.map(str::to_owned).into();
        for manifest in manifests {
            if matches!(
                paths::base_name(manifest.path),
                "pyproject.toml" | "setup.py" | "setup.cfg"
            ) {
                let folder = paths::parent(manifest.path);
                roots.extend(ROOTS.iter().filter_map(|at| paths::join(folder, at)));
            }
        }
        roots.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        roots.dedup();
        Self {
            roots,
            root_package: root_package(places),
        }
    }

    pub(crate) fn resolve(&self, places: &ViewPaths<'_>, file: u32, import: &Import) -> Vec<Lead> {
        let Some(module) = self.module(places, file, &import.module) else {
            return Vec::new();
        };
        let mut leads: Vec<Lead> = Vec::new();
        match module {
            Module::File(target) => leads.push(Lead::to(target)),
            Module::Package(_, Some(init)) if import.names.is_empty() => leads.push(Lead::to(init)),
            Module::Package(folder, init) => {
                for (name_idx, name) in (0u32..).zip(&import.names) {
                    leads.extend(named(places, &folder, init, name_idx, name));
                }
            }
        }
        leads.retain(|lead| lead.file != file || lead.name_idx.is_some());
        leads.sort_unstable();
        leads.dedup();
        leads
    }

    fn module(&self, places: &ViewPaths<'_>, file: u32, written: &str) -> Option<Module> {
        let dots = written.len() - written.trim_start_matches('.').len();
        let relative = written[dots..].replace('.', "/");
        if dots > 0 {
            let up = "../".repeat(dots - 1);
            let folder = paths::join(places.folder_of(file), &up)?;
            return module_at(places, &folder, &relative);
        }
        self.absolute(places, file, &relative)
    }

    fn absolute(&self, places: &ViewPaths<'_>, file: u32, path: &str) -> Option<Module> {
        let mut folder = places.folder_of(file);
        let mut ancestors = vec![folder];
        while !folder.is_empty() {
            folder = paths::parent(folder);
            ancestors.push(folder);
        }
        let outside_packages = |root: &&str| !is_package(places, root);
        let known = self.roots.iter().map(String::as_str);
        known
            .clone()
            .filter(|root| ancestors.contains(root))
            .chain(ancestors.iter().copied().filter(outside_packages))
            .chain(known)
            .find_map(|root| module_at(places, root, path))
            .or_else(|| elsewhere(places, file, path))
            .or_else(|| beside_script(places, file, path))
            .or_else(|| self.in_root_package(places, path))
    }

    /// `requests.models` in a checkout of the folder `requests` alone.
    fn in_root_package(&self, places: &ViewPaths<'_>, path: &str) -> Option<Module> {
        let inside = path.strip_prefix(self.root_package.as_deref()?)?;
        match inside.strip_prefix('/') {
            Some(inside) => module_at(places, "", inside),
            None if inside.is_empty() => Some(Module::Package(String::new(), init_at(places, ""))),
            None => None,
        }
    }
}

/// The name of the package whose folder is the root: the one below which what files import lies here.
///
/// Two modules and three in four must be here: `os.path` finds a `path.py` anywhere.
fn root_package(places: &ViewPaths<'_>) -> Option<String> {
    init_at(places, "")?;
    let mut below: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for file in places.files {
        let is_python = Family::of(file.language) == Family::Python;
        for import in file.facts().imports.iter().filter(|_| is_python) {
            if let Some((top, inside)) = import.module.split_once('.')
                && !top.is_empty()
            {
                let inside = inside.replace('.', "/");
                below.entry(top).or_default().insert(inside);
            }
        }
    }
    let is_here = |inside: &&String| module_at(places, "", inside).is_some();
    let counted = below.into_iter().map(|(top, modules)| {
        let n_here = modules.iter().filter(is_here).count();
        (n_here, modules.len(), top)
    });
    let fitting = counted.filter(|(n_here, n, top)| {
        *n_here >= 2 && n_here * 4 >= n * 3 && module_at(places, "", top).is_none()
    });
    fitting.max().map(|(_, _, top)| top.to_owned())
}

/// `from package import name`: a name that the package binds is its own, else a submodule.
fn named(
    places: &ViewPaths<'_>,
    folder: &str,
    init: Option<u32>,
    name_idx: u32,
    name: &ImportedName,
) -> Option<Lead> {
    let bound = init.is_some_and(|init| binds(places, init, &name.name));
    let submodule = (!bound)
        .then(|| module_at(places, folder, &name.name))
        .flatten();
    match submodule {
        Some(Module::File(file) | Module::Package(_, Some(file))) => Some(Lead {
            file,
            name_idx: Some(name_idx),
        }),
        _ => init.map(Lead::to),
    }
}

/// Says whether a package's `__init__` defines the name or imports it out of a module.
fn binds(places: &ViewPaths<'_>, init: u32, name: &str) -> bool {
    let facts = places.files[init as usize].facts();
    facts
        .symbols
        .iter()
        .any(|symbol| symbol.parent.is_none() && symbol.name == name)
        || facts.imports.iter().any(|import| {
            !import.module.trim_start_matches('.').is_empty()
                && import
                    .names
                    .iter()
                    .any(|imported| imported.local == name && imported.name != "*")
        })
}

fn module_at(places: &ViewPaths<'_>, root: &str, path: &str) -> Option<Module> {
    let at = paths::join(root, path)?;
    let init = init_at(places, &at);
    if init.is_some() {
        return Some(Module::Package(at, init));
    }
    let stem =
        |extension: &str| (!path.is_empty()).then(|| places.file(&format!("{at}.{extension}")));
    if let Some(file) = ["py", "pyi", "pyx"]
        .iter()
        .find_map(|extension| stem(extension).flatten())
    {
        return Some(Module::File(file));
    }
    let has_sources = |file: &u32| paths::extension(places.path(*file)).starts_with("py");
    places
        .in_folder(&at)
        .iter()
        .any(has_sources)
        .then_some(Module::Package(at, None))
}

/// The file that runs when a folder is imported.
fn init_at(places: &ViewPaths<'_>, folder: &str) -> Option<u32> {
    ["__init__.py", "__init__.pyi"]
        .iter()
        .find_map(|name| places.file(&paths::join(folder, name)?))
}

fn is_package(places: &ViewPaths<'_>, folder: &str) -> bool {
    !folder.is_empty() && places.file(&format!("{folder}/__init__.py")).is_some()
}

/// A package below a folder that no manifest names.
fn elsewhere(places: &ViewPaths<'_>, file: u32, path: &str) -> Option<Module> {
    let top = path.split('/').next()?;
    let inits = places.ending_with(&format!("{top}/__init__.py"));
    let roots: Vec<u32> = inits
        .into_iter()
        .filter(|init| !is_package(places, paths::parent(places.folder_of(*init))))
        .collect();
    let root = paths::parent(places.folder_of(places.nearest(&roots, file)?));
    module_at(places, root, path)
}

/// A script sees the modules in its own folder.
fn beside_script(places: &ViewPaths<'_>, file: u32, path: &str) -> Option<Module> {
    match module_at(places, places.folder_of(file), path)? {
        Module::File(target) if target != file && is_script(places, file) => {
            Some(Module::File(target))
        }
        _ => None,
    }
}

fn is_script(places: &ViewPaths<'_>, file: u32) -> bool {
    paths::is_non_production(places.path(file))
}

/// Packages are folders with `__init__.py`; one module, or a folder without, only if the manifest
/// names it.
pub(super) fn provided_names(manifest: &ManifestInput<'_>, files: &[&str]) -> Vec<String> {
    let (folder, text) = (paths::parent(manifest.path), manifest.text);
    let mut names = Vec::new();
    let is_named = |name: &str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        words.any(|word| word.replace('-', "_").eq_ignore_ascii_case(name))
    };
    for root in ROOTS {
        let Some(root) = paths::join(folder, root) else {
            continue;
        };
        for path in files {
            let Some(rest) = paths::below(path, &root) else {
                continue;
            };
            let Some((top, inside)) = rest.split_once('/') else {
                let module = rest.strip_suffix(".py").filter(|name| is_named(name));
                let module = module.filter(|name| !matches!(*name, "setup" | "conftest"));
                names.extend(module.map(str::to_owned));
                continue;
            };
            let is_package = matches!(inside, "__init__.py" | "__init__.pyi");
            let is_source = inside.ends_with(".py") && is_named(top);
            let is_other = paths::is_non_production(path) || ROOTS.contains(&top);
            if (is_package || is_source) && !is_other {
                names.push(top.to_owned());
            }
        }
    }
    names
}

//! Rust: module trees from `mod` declarations; a `use` leads to the files that define what it names,
//! through re-exports and globs.

use std::collections::{HashMap, HashSet};

use whyrank_syntax::{Family, Import, ImportKind, Symbol, SymbolKind};

use crate::{
    imports::resolve::{Lead, full_paths, split},
    input::{files::ManifestInput, paths, view_paths::ViewPaths},
};

/// How many re-exports of re-exports are followed.
const MAX_HOPS: usize = 16;

/// Which file is which module.
pub(crate) struct ModuleTree<'a> {
    /// Parent file and module name (inline modules joined by `::`) to the child's file.
    children: HashMap<(u32, String), u32>,
    /// A file's parent file and the inline path in it that holds the `mod`.
    parents: HashMap<u32, (u32, Vec<&'a str>)>,
    /// Crate name as written in paths, root file of the library.
    libraries: Vec<(String, u32)>,
    /// Package folder, root file of its library.
    own_libraries: Vec<(String, u32)>,
    /// Names that manifests give to packages (`x = { package = "y" }`).
    renamed: Vec<(String, String)>,
    /// Names by file and the inline modules that define them.
    defined: HashMap<(u32, &'a str), Vec<Vec<&'a str>>>,
}

/// A module: a file and the inline modules in it.
#[derive(Clone)]
struct ModulePath {
    file: u32,
    inline: Vec<String>,
}

impl<'a> ModuleTree<'a> {
    pub(crate) fn new(places: &ViewPaths<'a>, manifests: &[ManifestInput<'_>]) -> Self {
        let mut tree = Self {
            children: HashMap::new(),
            parents: HashMap::new(),
            libraries: Vec::new(),
            own_libraries: Vec::new(),
            renamed: Vec::new(),
            defined: HashMap::new(),
        };
        tree.read_manifests(places, manifests);
        for (file, input) in (0u32..).zip(places.files) {
            if Family::of(input.language) != Family::Rust {
                continue;
            }
            for import in &input.facts().imports {
                if import.kind == ImportKind::ModuleDeclaration {
                    tree.declare(places, file, import);
                }
            }
            tree.read_definitions(file, input.symbols());
        }
        tree
    }

    fn read_definitions(&mut self, file: u32, symbols: &'a [Symbol]) {
        for symbol in symbols {
            if matches!(symbol.kind, SymbolKind::Impl | SymbolKind::Module) {
                continue;
            }
            let parent = |symbol: &&'a Symbol| Some(&symbols[symbol.parent? as usize]);
            let around: Vec<&Symbol> = std::iter::successors(parent(&symbol), parent).collect();
            if around.iter().all(|outer| outer.kind == SymbolKind::Module) {
                let inline = around
                    .iter()
                    .rev()
                    .map(|outer| outer.name.as_str())
                    .collect();
                let places = self
                    .defined
                    .entry((file, symbol.name.as_str()))
                    .or_default();
                places.push(inline);
            }
        }
    }

    fn read_manifests(&mut self, places: &ViewPaths<'_>, manifests: &[ManifestInput<'_>]) {
        for manifest in manifests {
            if paths::base_name(manifest.path) != "Cargo.toml" {
                continue;
            }
            let Ok(toml) = manifest.text.parse::<toml::Table>() else {
                continue;
            };
            self.read_renamed(&toml);
            let text = |section: &str, key: &str| toml.get(section)?.get(key)?.as_str();
            let folder = paths::parent(manifest.path);
            let root = paths::join(folder, text("lib", "path").unwrap_or("src/lib.rs"))
                .and_then(|path| places.file(&path));
            let name = text("lib", "name").or_else(|| text("package", "name"));
            if let (Some(root), Some(name)) = (root, name) {
                self.libraries.push((name.replace('-', "_"), root));
                self.own_libraries.push((folder.to_owned(), root));
            }
        }
        self.own_libraries
            .sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
    }

    fn read_renamed(&mut self, toml: &toml::Table) {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let listed = toml.get(section).and_then(toml::Value::as_table);
            for (alias, entry) in listed.into_iter().flatten() {
                if let Some(package) = entry.get("package").and_then(toml::Value::as_str) {
                    let names = (alias.replace('-', "_"), package.replace('-', "_"));
                    self.renamed.push(names);
                }
            }
        }
    }

    fn declare(&mut self, places: &ViewPaths<'a>, file: u32, import: &Import) {
        let inline = inline_modules(places, file, import.line);
        let name = import.module.as_str();
        // `#[path = "…"]` is written beside the name.
        let written = import
            .names
            .first()
            .and_then(|written| places.file(&paths::join(places.folder_of(file), &written.name)?));
        let Some(child) = written.or_else(|| module_file(places, file, &inline, name)) else {
            return;
        };
        let key: Vec<&str> = inline.iter().copied().chain([name]).collect();
        self.children.insert((file, key.join("::")), child);
        self.parents.entry(child).or_insert((file, inline));
    }

    pub(crate) fn resolve(&self, places: &ViewPaths<'_>, file: u32, import: &Import) -> Vec<Lead> {
        let inline = inline_modules(places, file, import.line);
        let here = ModulePath {
            file,
            inline: inline.iter().map(|part| (*part).to_owned()).collect(),
        };
        if import.kind == ImportKind::ModuleDeclaration {
            let child = self.step(places, &here, &import.module);
            let name_idx = (!import.names.is_empty()).then_some(0);
            return child
                .filter(|child| child.file != file)
                .map(|child| Lead {
                    file: child.file,
                    name_idx,
                })
                .into_iter()
                .collect();
        }
        let mut leads: Vec<Lead> = Vec::new();
        for (path, name_idx) in full_paths(import, "::") {
            let Some((place, used)) = self.walk(places, &here, &path) else {
                continue;
            };
            if used == path.len() {
                let name_idx = name_idx.filter(|_| place.inline.is_empty());
                leads.push(Lead {
                    file: place.file,
                    name_idx,
                });
                leads.extend(self.beside_module(places, &here, &path).map(Lead::to));
                continue;
            }
            let files = self.origins(places, &place, path[used], &mut HashSet::new());
            if files.is_empty() && used == 1 && self.is_guess(places, &here, path[0]) {
                continue;
            }
            let whole = files.is_empty().then_some(place.file);
            leads.extend(files.into_iter().chain(whole).map(Lead::to));
        }
        leads.retain(|lead| lead.file != file);
        leads.sort_unstable();
        leads.dedup();
        leads
    }

    /// The files that define what has a module's path and is none: `mod job; pub use job::job`.
    fn beside_module(
        &self,
        places: &ViewPaths<'_>,
        here: &ModulePath,
        path: &[&str],
    ) -> impl Iterator<Item = u32> + use<> {
        let found = path.split_last().and_then(|(name, around)| {
            let (place, used) = self.walk(places, here, around)?;
            let is_whole = used == around.len();
            is_whole.then(|| self.values(places, &place, name, &mut HashSet::new()))
        });
        found.into_iter().flatten()
    }

    /// The files that define what a module has under a name, re-exports followed.
    fn origins<'p>(
        &self,
        places: &ViewPaths<'p>,
        place: &ModulePath,
        name: &'p str,
        seen: &mut HashSet<(u32, &'p str)>,
    ) -> Vec<u32> {
        let found = self.values(places, place, name, seen);
        if !found.is_empty() {
            return found;
        }
        let child = self.step(places, place, name);
        child.map(|child| child.file).into_iter().collect()
    }

    /// The same without modules.
    fn values<'p>(
        &self,
        places: &ViewPaths<'p>,
        place: &ModulePath,
        name: &'p str,
        seen: &mut HashSet<(u32, &'p str)>,
    ) -> Vec<u32> {
        let is_here = |inline: &Vec<&str>| inline.iter().eq(place.inline.iter());
        let own = self.defined.get(&(place.file, name));
        if own.is_some_and(|own| own.iter().any(is_here)) {
            return vec![place.file];
        }
        if seen.len() > MAX_HOPS || !seen.insert((place.file, name)) {
            return Vec::new();
        }
        let imports = &places.files[place.file as usize].facts().imports;
        let mut found: Vec<u32> = Vec::new();
        for import in imports {
            let named = import.names.iter().filter(|bound| bound.local == name);
            let opened = import
                .names
                .iter()
                .filter(|bound| bound.name == "*" && bound.local == "*");
            for bound in named.chain(opened) {
                let is_glob = bound.local == "*";
                if inline_modules(places, place.file, import.line) != place.inline {
                    continue;
                }
                let wanted = if is_glob { name } else { bound.name.as_str() };
                found.extend(self.origins_of(
                    places,
                    place,
                    (import.module.as_str(), wanted),
                    seen,
                ));
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    fn origins_of<'p>(
        &self,
        places: &ViewPaths<'p>,
        here: &ModulePath,
        (module, name): (&'p str, &'p str),
        seen: &mut HashSet<(u32, &'p str)>,
    ) -> Vec<u32> {
        let path: Vec<&str> = split(module, "::").collect();
        match self.walk(places, here, &path) {
            Some((place, used)) if used == path.len() => self.origins(places, &place, name, seen),
            // `use Enum::Variant` lies where the enum does.
            Some((place, used)) => self.origins(places, &place, path[used], seen),
            None => Vec::new(),
        }
    }

    /// The module of the longest prefix and how many parts it took.
    fn walk(
        &self,
        places: &ViewPaths<'_>,
        here: &ModulePath,
        path: &[&str],
    ) -> Option<(ModulePath, usize)> {
        let path: Vec<&str> = path
            .iter()
            .map(|part| part.trim_start_matches("r#"))
            .collect();
        let (mut place, mut used) = self.start(places, here, &path)?;
        while let Some(part) = path.get(used) {
            match *part {
                "super" => place = self.up(places, &place)?,
                "self" => {}
                part => match self.step(places, &place, part) {
                    Some(child) => place = child,
                    None => break,
                },
            }
            used += 1;
        }
        Some((place, used))
    }

    fn start(
        &self,
        places: &ViewPaths<'_>,
        here: &ModulePath,
        path: &[&str],
    ) -> Option<(ModulePath, usize)> {
        let at_root = |file: u32| ModulePath {
            file,
            inline: Vec::new(),
        };
        match *path.first()? {
            "crate" | "$crate" => Some((at_root(self.root(places, here.file)), 1)),
            "self" => Some((here.clone(), 1)),
            "super" => Some((self.up(places, here)?, 1)),
            first => {
                if let Some(child) = self.step(places, here, first) {
                    return Some((child, 1));
                }
                let library = self
                    .library(places, here.file, first)
                    .or_else(|| beside_library(places, here.file))?;
                Some((at_root(library), 1))
            }
        }
    }

    /// Says whether a path leads to the library only because the file lies beside it.
    fn is_guess(&self, places: &ViewPaths<'_>, here: &ModulePath, first: &str) -> bool {
        !matches!(first, "crate" | "$crate" | "self" | "super")
            && self.step(places, here, first).is_none()
            && self.library(places, here.file, first).is_none()
    }

    /// A crate of the workspace by name; of two with one name the one whose package we are in.
    fn library(&self, places: &ViewPaths<'_>, file: u32, name: &str) -> Option<u32> {
        let renamed = self.renamed.iter().find(|(alias, _)| alias == name);
        let name = renamed.map_or(name, |(_, package)| package.as_str());
        let named = || {
            self.libraries
                .iter()
                .filter(|(library, _)| library == name)
                .map(|(_, root)| *root)
        };
        let own = self
            .own_libraries
            .iter()
            .find(|(folder, _)| is_inside(places.path(file), folder));
        own.and_then(|(_, root)| named().find(|named| named == root))
            .or_else(|| named().next())
    }

    fn step(&self, places: &ViewPaths<'_>, place: &ModulePath, name: &str) -> Option<ModulePath> {
        let key: Vec<&str> = place
            .inline
            .iter()
            .map(String::as_str)
            .chain([name])
            .collect();
        if let Some(child) = self.children.get(&(place.file, key.join("::"))) {
            return Some(ModulePath {
                file: *child,
                inline: Vec::new(),
            });
        }
        let symbols = places.files[place.file as usize].symbols();
        let is_inline = symbols.iter().any(|symbol| {
            symbol.kind == SymbolKind::Module
                && symbol.name == name
                && symbol.span.end_line > symbol.span.start_line
                && inline_modules(places, place.file, symbol.name_line) == key
        });
        is_inline.then(|| ModulePath {
            file: place.file,
            inline: key.into_iter().map(str::to_owned).collect(),
        })
    }

    fn up(&self, places: &ViewPaths<'_>, place: &ModulePath) -> Option<ModulePath> {
        if let Some((_, rest)) = place.inline.split_last() {
            return Some(ModulePath {
                file: place.file,
                inline: rest.to_vec(),
            });
        }
        if let Some((file, inline)) = self.parents.get(&place.file) {
            return Some(ModulePath {
                file: *file,
                inline: inline.iter().map(|part| (*part).to_owned()).collect(),
            });
        }
        by_convention(places, place.file).map(|file| ModulePath {
            file,
            inline: Vec::new(),
        })
    }

    fn root(&self, places: &ViewPaths<'_>, file: u32) -> u32 {
        let mut root = file;
        // A cycle of `mod` declarations cannot be longer than the files there are.
        for _ in 0..places.files.len() {
            match self.parents.get(&root) {
                Some((parent, _)) => root = *parent,
                None => break,
            }
        }
        if root != file || matches!(paths::base_name(places.path(root)), "lib.rs" | "main.rs") {
            return root;
        }
        let own = self.own_libraries.iter().find(|(folder, _)| {
            is_inside(
                places.path(file),
                &paths::join(folder, "src").unwrap_or_default(),
            )
        });
        let binary = places.path(file).contains("/bin/") || places.path(file).starts_with("bin/");
        own.filter(|_| !binary)
            .map_or(root, |(_, library)| *library)
    }
}

/// Tests, examples, benchmarks and the program of a package name its library, whatever its name.
fn beside_library(places: &ViewPaths<'_>, file: u32) -> Option<u32> {
    let path = places.path(file);
    let of_package = |folder: &str| places.file(&paths::join(folder, "src/lib.rs")?);
    ["tests/", "examples/", "benches/", "src/bin/"]
        .iter()
        .filter_map(|part| path.rfind(part).map(|at| &path[..at]))
        .find_map(|folder| of_package(folder.trim_end_matches('/')))
        .or_else(|| {
            let is_program = paths::base_name(path) == "main.rs";
            is_program.then(|| of_package(paths::parent(paths::parent(path))))?
        })
}

fn is_inside(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// The inline modules around a line, outermost first.
fn inline_modules<'a>(places: &ViewPaths<'a>, file: u32, line: u32) -> Vec<&'a str> {
    let symbols = places.files[file as usize].symbols();
    symbols
        .iter()
        .filter(|symbol| {
            let span = symbol.span;
            symbol.kind == SymbolKind::Module
                && span.end_line > span.start_line
                && symbol.name_line <= line
                && line <= span.end_line
        })
        .map(|symbol| symbol.name.as_str())
        .collect()
}

fn module_file(places: &ViewPaths<'_>, file: u32, inline: &[&str], name: &str) -> Option<u32> {
    let path = places.path(file);
    let folder = paths::parent(path);
    let own = match paths::base_name(path) {
        "mod.rs" | "lib.rs" | "main.rs" => folder,
        _ => paths::without_extension(path),
    };
    let below = |base: &str| {
        let at = paths::join(base, &inline.join("/"))?;
        [format!("{name}.rs"), format!("{name}/mod.rs")]
            .iter()
            .find_map(|end| places.file(&paths::join(&at, end)?))
    };
    // A crate root of another name (tests/x.rs, src/bin/x.rs) has its modules beside it.
    below(own)
        .or_else(|| below(folder))
        .filter(|child| *child != file)
}

/// The file that would declare a module that nothing declares.
fn by_convention(places: &ViewPaths<'_>, file: u32) -> Option<u32> {
    let path = places.path(file);
    let folder = match paths::base_name(path) {
        "mod.rs" => paths::parent(paths::parent(path)),
        _ => paths::parent(path),
    };
    let named = ["mod.rs", "lib.rs", "main.rs"].map(|name| paths::join(folder, name));
    named
        .into_iter()
        .chain([Some(format!("{folder}.rs"))])
        .find_map(|path| places.file(&path?))
}

//! Languages whose modules are found by a declared name, or by a plain path.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use whyrank_syntax::{Import, ImportKind, SymbolKind};

use super::definers::{Definers, UsedNames, definers, kept};
use super::{Lead, full_paths, to_leads};
use crate::input::{family::Family, files::FileInput, paths, view_paths::ViewPaths};

/// Declared namespaces and modules: name, files that declare it.
pub(super) struct NamedModules<'a> {
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
    fn defining_types(&self, module: &str) -> Rc<Definers<'a>> {
        let files = || self.declaring(module).iter().copied();
        let make = || definers(self.files, files(), |symbol| symbol.kind.names_type());
        kept(&self.defining_types, module, make)
    }

    fn declaring(&self, name: &str) -> &[u32] {
        self.declared.get(name).map_or(&[], Vec::as_slice)
    }

    /// `using A.B`: of the files that declare A.B those whose types are used here, else all.
    pub(super) fn dotnet(&self, file: u32, import: &Import, used: &HashSet<&str>) -> Vec<Lead> {
        let own_family = |target: &u32| {
            *target != file && Family::of(self.files[*target as usize].language) == Family::Dotnet
        };
        let defining = self.defining_types(&import.module);
        let needed = used.iter().filter_map(|name| defining.get(name)).flatten();
        let needed = needed.filter(|target| own_family(target));
        let needed: BTreeSet<u32> = needed.copied().collect();
        if !needed.is_empty() {
            return to_leads(needed);
        }
        let declaring = self.declaring(&import.module).iter().copied();
        to_leads(declaring.filter(own_family))
    }

    /// `alias A.B`, `import A.B`, `alias A.{B, C}`.
    pub(super) fn elixir(&self, import: &Import) -> Vec<Lead> {
        let mut leads = to_leads(self.declaring(&import.module).iter().copied());
        for (path, name_idx) in full_paths(import, ".") {
            let files = self.declaring(&path.join("."));
            leads.extend(files.iter().map(|file| Lead {
                file: *file,
                name_idx,
            }));
        }
        leads.sort_unstable();
        leads.dedup_by_key(|lead| lead.file);
        leads
    }

    /// `use A\B;` of a namespace: the files in it that define what this file names through it (`B\C`).
    pub(super) fn php_below(&self, used: &UsedNames<'_>, import: &Import) -> Vec<u32> {
        let through = |local: &str| {
            let inside = used.behind(local).iter().filter_map(|reference| {
                let path = format!("{}\\{}", reference.qualifier, reference.name);
                Some(path.strip_prefix(local)?.strip_prefix('\\')?.to_owned())
            });
            inside.collect::<HashSet<String>>()
        };
        let mut found: Vec<u32> = Vec::new();
        for name in &import.names {
            let space = format!("{}.{}", import.module, name.name).replace('\\', ".");
            for path in through(&name.local) {
                // `B\C::made` is C's.
                let parts: Vec<&str> = path.split('\\').collect();
                let ways = (1..=parts.len()).rev();
                let file = ways.into_iter().find_map(|n| {
                    let (name, inner) = parts[..n].split_last()?;
                    let space = [&[space.as_str()], inner].concat().join(".");
                    self.php(&space, name)
                });
                found.extend(file);
            }
        }
        found
    }

    /// The file that declares a PHP namespace and defines the name in it.
    pub(super) fn php(&self, namespace: &str, name: &str) -> Option<u32> {
        self.defining(namespace).get(name)?.first().copied()
    }
}

/// `require_relative` from the file, `require` below `lib`, other roots, or beside the file.
pub(super) fn ruby(places: &ViewPaths<'_>, file: u32, import: &Import) -> Option<u32> {
    let module = import.module.trim_end_matches(".rb");
    let beside = || paths::join(places.folder_of(file), &format!("{module}.rb"));
    let relative = import.kind == ImportKind::Include || module.starts_with('.');
    let near = relative
        .then(|| beside().and_then(|path| places.file(&path)))
        .flatten();
    if near.is_some() {
        return near;
    }
    let found = places.ending_with(&format!("{module}.rb"));
    let below_root = |file: &u32| {
        let root = places
            .path(*file)
            .strip_suffix(".rb")
            .and_then(|path| path.strip_suffix(module));
        root.is_some_and(|root| {
            let root = root.trim_end_matches('/');
            let name = paths::base_name(root);
            matches!(name, "" | "lib" | "test" | "spec") || paths::parent(root).ends_with("app")
        })
    };
    let rooted: Vec<u32> = found.iter().copied().filter(below_root).collect();
    places.nearest(&rooted, file)
}

/// `require 'a.b'`: a/b.lua or a/b/init.lua, nearest first.
pub(super) fn lua(places: &ViewPaths<'_>, file: u32, module: &str) -> Option<u32> {
    let path = module
        .trim_start_matches("./")
        .trim_end_matches(".lua")
        .replace('.', "/");
    ["", "lua", "src", "lib"]
        .iter()
        .flat_map(|root| ["", "/init"].map(|end| paths::join(root, &format!("{path}{end}.lua"))))
        .find_map(|candidate| places.file(&candidate?))
        .or_else(|| places.nearest_ending_with(&format!("{path}.lua"), file))
        .or_else(|| places.nearest_ending_with(&format!("{path}/init.lua"), file))
}

/// `import A.B`: A/B.hs.
pub(super) fn haskell(places: &ViewPaths<'_>, file: u32, module: &str) -> Option<u32> {
    let path = module.replace('.', "/");
    ["hs", "lhs", "hsc"]
        .iter()
        .find_map(|extension| places.nearest_ending_with(&format!("{path}.{extension}"), file))
}

/// A path relative to the file, then the end of a path; with the file's own extension if it has none.
pub(super) fn by_path(places: &ViewPaths<'_>, file: u32, module: &str) -> Option<u32> {
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

//! Languages whose modules are found by a declared name, or by a plain path.

use std::collections::{HashMap, HashSet};

use whyrank_syntax::{Import, ImportKind, SymbolKind};

use super::{Lead, full_paths, to_leads};
use crate::input::{family::Family, files::FileInput, paths, view_paths::ViewPaths};

/// Declared namespaces and modules: name, files that declare it.
pub(super) struct NamedModules<'a> {
    files: &'a [FileInput<'a>],
    declared: HashMap<String, Vec<u32>>,
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
        Self { files, declared }
    }

    fn declaring(&self, name: &str) -> &[u32] {
        self.declared.get(name).map_or(&[], Vec::as_slice)
    }

    /// `using A.B`: of the files that declare A.B those whose types are used here, else all.
    pub(super) fn dotnet(&self, file: u32, import: &Import) -> Vec<Lead> {
        let own_family = |target: &&u32| {
            **target != file && Family::of(self.files[**target as usize].language) == Family::Dotnet
        };
        let declaring: Vec<u32> = self
            .declaring(&import.module)
            .iter()
            .filter(own_family)
            .copied()
            .collect();
        let references = &self.files[file as usize].facts().references;
        let used: HashSet<&str> = references
            .iter()
            .map(|reference| reference.name.as_str())
            .collect();
        let defines_used = |target: &u32| {
            let symbols = self.files[*target as usize].symbols();
            symbols
                .iter()
                .any(|symbol| symbol.kind.names_type() && used.contains(symbol.name.as_str()))
        };
        let needed: Vec<u32> = declaring.iter().copied().filter(defines_used).collect();
        to_leads(if needed.is_empty() { declaring } else { needed })
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
    pub(super) fn php_below(&self, file: u32, import: &Import) -> Vec<u32> {
        let references = &self.files[file as usize].facts().references;
        let through = |local: &str| {
            let inside = references.iter().filter_map(|reference| {
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
        self.declaring(namespace).iter().copied().find(|file| {
            self.files[*file as usize]
                .symbols()
                .iter()
                .any(|symbol| symbol.name == name)
        })
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

/// `import Target`: the sources of a package's target.
pub(super) fn swift(places: &ViewPaths<'_>, module: &str) -> Vec<u32> {
    let inside = [format!("Sources/{module}/"), format!("/Sources/{module}/")];
    (0u32..)
        .zip(places.files)
        .filter(|(_, input)| input.path.starts_with(&inside[0]) || input.path.contains(&inside[1]))
        .filter(|(_, input)| Family::of(input.language) == Family::Swift)
        .map(|(file, _)| file)
        .collect()
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

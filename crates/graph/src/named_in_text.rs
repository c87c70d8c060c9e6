//! Python objects that a text names by their path: settings, entry points, mocks.

use crate::{
    input::SymbolId,
    lookup::{Lookup, Meaning, Site},
    paths,
};

/// Folders that hold packages, besides those around the file.
const ROOTS: [&str; 4] = ["", "src", "lib", "python"];

impl Lookup<'_> {
    /// What `module.name` in a text means: a definition of the view, or nothing that is known. A module
    /// that the view has must lie where an import would find it.
    pub(crate) fn named_in_text(&self, site: Site, module: &str, name: &str) -> Meaning {
        self.reads.anywhere(name);
        let parts: Vec<&str> = module.split('.').collect();
        let found = (1..=parts.len()).rev().find_map(|n| {
            let files = self.modules_at(site.file, &parts[..n]);
            let inner = parts[n..].iter().chain([&name]);
            let meaning = inner.fold(Meaning::Modules(files), |meaning, part| {
                self.member(&meaning, part, 0)
            });
            match meaning {
                Meaning::Definitions(ids) if !ids.is_empty() => Some(ids),
                _ => None,
            }
        });
        found.map_or(Meaning::External, |ids: Vec<SymbolId>| {
            Meaning::Definitions(ids)
        })
    }

    /// The files that are a module below one of the roots that a file sees.
    fn modules_at(&self, file: u32, parts: &[&str]) -> Vec<u32> {
        let first = self.places.folder_of(file);
        let around = std::iter::successors(Some(first), |folder| {
            (!folder.is_empty()).then(|| paths::parent(folder))
        });
        let mut roots: Vec<&str> = around.chain(ROOTS).collect();
        roots.sort_unstable();
        roots.dedup();
        let found = roots
            .into_iter()
            .flat_map(|root| self.module_at(root, parts));
        found.collect()
    }

    fn module_at(&self, root: &str, parts: &[&str]) -> Option<u32> {
        let at = paths::join(root, &parts.join("/"))?;
        self.reads.below(paths::parent(&at), paths::base_name(&at));
        // A folder that is a package holds no roots: whether it is one is looked up as well.
        self.reads
            .below(paths::parent(root), paths::base_name(root));
        let of_root = paths::join(root, "__init__.py")?;
        let is_package = !root.is_empty() && self.places.file(&of_root).is_some();
        let ends = [".py", ".pyi", "/__init__.py"];
        let mut files = ends
            .iter()
            .filter_map(|end| self.places.file(&format!("{at}{end}")));
        files.find(|_| !is_package)
    }
}

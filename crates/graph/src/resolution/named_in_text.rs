//! Python objects that a text names by their path: settings, entry points, mocks.

use crate::{
    input::{files::SymbolId, paths},
    resolution::resolver::{Resolution, Resolver, UseSite},
};

/// Folders that hold packages, besides those around the file.
const ROOTS: [&str; 4] = ["", "src", "lib", "python"];

impl Resolver<'_> {
    /// What `module.name` in a text means: a definition of the view, or nothing that is known. A module
    /// that the view has must lie where an import would find it.
    pub(crate) fn named_in_text(&self, site: UseSite, module: &str, name: &str) -> Resolution {
        self.lookups.anywhere(name);
        let parts: Vec<&str> = module.split('.').collect();
        let found = (1..=parts.len()).rev().find_map(|n| {
            let files = self.modules_at(site.file, &parts[..n]);
            let inner = parts[n..].iter().chain([&name]);
            let resolution = inner.fold(Resolution::Modules(files), |resolution, part| {
                self.member(&resolution, part, 0)
            });
            match resolution {
                Resolution::Definitions(ids) if !ids.is_empty() => Some(ids),
                _ => None,
            }
        });
        found.map_or(Resolution::External, |ids: Vec<SymbolId>| {
            Resolution::Definitions(ids)
        })
    }

    /// The files that are a module below one of the roots that a file sees.
    fn modules_at(&self, file: u32, parts: &[&str]) -> Vec<u32> {
        let first = self.view_paths.folder_of(file);
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
        self.lookups
            .below(paths::parent(&at), paths::base_name(&at));
        // A folder that is a package holds no roots: whether it is one is looked up as well.
        self.lookups
            .below(paths::parent(root), paths::base_name(root));
        let of_root = paths::join(root, "__init__.py")?;
        let is_package = !root.is_empty() && self.view_paths.file(&of_root).is_some();
        let ends = [".py", ".pyi", "/__init__.py"];
        let mut files = ends
            .iter()
            .filter_map(|end| self.view_paths.file(&format!("{at}{end}")));
        files.find(|_| !is_package)
    }
}

//! Go: module path from go.mod plus folder is the package; an import means those of its files,
//! tests left out, that define what is used of it.

use std::{borrow::Cow, collections::HashSet};

use whyrank_syntax::Import;

use super::definers::UsedNames;
use crate::input::{
    family::Family,
    files::ManifestInput,
    paths::{self, go_package},
    view_paths::ViewPaths,
};

/// The modules of the repository: path and folder, longest path first.
pub(super) struct GoModules {
    modules: Vec<(String, String)>,
}

impl GoModules {
    pub(super) fn new(manifests: &[ManifestInput<'_>]) -> Self {
        let mut modules: Vec<(String, String)> = manifests
            .iter()
            .filter(|manifest| paths::base_name(manifest.path) == "go.mod")
            .filter_map(|manifest| {
                let line = manifest
                    .text
                    .lines()
                    .find_map(|line| line.trim().strip_prefix("module "))?;
                let path = line.split("//").next()?.trim().trim_matches('"');
                Some((path.to_owned(), paths::parent(manifest.path).to_owned()))
            })
            .collect();
        modules.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        Self { modules }
    }

    /// The files of a package, and the names that a file uses of it; none where it uses what nobody names.
    pub(super) fn resolve<'n>(
        &self,
        places: &ViewPaths<'_>,
        import: &Import,
        used: &'n UsedNames<'_>,
    ) -> (Vec<u32>, Option<Cow<'n, HashSet<&'n str>>>) {
        let files = self.package(places, &import.module);
        let local = import.names.first().map(|name| name.local.as_str());
        let local = local.unwrap_or_else(|| go_package(&import.module));
        let names = match local {
            "_" => None,
            "." => Some(Cow::Borrowed(&used.heads)),
            local => {
                let of_package = used.behind(local).iter();
                let names = of_package.map(|reference| {
                    if reference.qualifier == local {
                        reference.name.as_str()
                    } else {
                        first_name(&reference.qualifier[local.len()..])
                    }
                });
                Some(Cow::Owned(names.collect()))
            }
        };
        (files, names)
    }

    fn package(&self, places: &ViewPaths<'_>, module: &str) -> Vec<u32> {
        for (path, folder) in &self.modules {
            let Some(rest) = module.strip_prefix(path.as_str()) else {
                continue;
            };
            if !rest.is_empty() && !rest.starts_with('/') {
                continue;
            }
            let files = paths::join(folder, rest).map(|at| package_files(places, &at));
            if let Some(files) = files.filter(|files| !files.is_empty()) {
                return files;
            }
        }
        let vendored = package_files(places, &format!("vendor/{module}"));
        if vendored.is_empty() && self.modules.is_empty() {
            by_longest_suffix(places, module)
        } else {
            vendored
        }
    }
}

/// `New` of `.New().Run`.
fn first_name(text: &str) -> &str {
    let text = text.trim_start_matches('.');
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    &text[..end.unwrap_or(text.len())]
}

fn package_files(places: &ViewPaths<'_>, folder: &str) -> Vec<u32> {
    let is_source = |file: &u32| {
        let input = &places.files[*file as usize];
        Family::of(input.language) == Family::Go && !input.path.ends_with("_test.go")
    };
    places
        .in_folder(folder)
        .iter()
        .copied()
        .filter(is_source)
        .collect()
}

/// Without go.mod: the one folder that ends as the import does, by two parts or more.
fn by_longest_suffix(places: &ViewPaths<'_>, module: &str) -> Vec<u32> {
    if !module
        .split('/')
        .next()
        .is_some_and(|host| host.contains('.'))
    {
        return Vec::new();
    }
    let mut rest = module;
    while let Some((_, tail)) = rest.split_once('/') {
        rest = tail;
        let exact = package_files(places, rest);
        if !exact.is_empty() {
            return exact;
        }
        if !rest.contains('/') {
            break;
        }
        if let [folder] = places.folders_ending_with(rest)[..] {
            return package_files(places, folder);
        }
    }
    Vec::new()
}

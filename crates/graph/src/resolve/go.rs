//! Go: module path from go.mod plus folder is the package; an import means its non-test files.

use crate::{family::Family, input::ManifestInput, paths, places::Places};

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

    pub(super) fn resolve(&self, places: &Places<'_>, module: &str) -> Vec<u32> {
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

fn package_files(places: &Places<'_>, folder: &str) -> Vec<u32> {
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
fn by_longest_suffix(places: &Places<'_>, module: &str) -> Vec<u32> {
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

//! Go: module path from go.mod plus folder is the package; an import means those of its files,
//! tests left out, that define what is used of it.

use std::{borrow::Cow, collections::HashSet};

use whyrank_syntax::{Family, Import};

use crate::{
    imports::resolve::definers::UsedNames,
    input::{files::ManifestInput, paths, view_paths::ViewPaths},
};

/// The modules of the repository: path and folder, longest path first.
pub(crate) struct GoModules {
    modules: Vec<(String, String)>,
}

impl GoModules {
    pub(crate) fn new(manifests: &[ManifestInput<'_>]) -> Self {
        let mut modules: Vec<(String, String)> = manifests
            .iter()
            .filter(|manifest| paths::base_name(manifest.path) == "go.mod")
            .filter_map(|manifest| {
                let path = module_path(manifest.text)?;
                Some((path.to_owned(), paths::parent(manifest.path).to_owned()))
            })
            .collect();
        modules.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        Self { modules }
    }

    /// The files of a package, and the names that a file uses of it; none where it uses what nobody names.
    pub(crate) fn resolve<'n>(
        &self,
        places: &ViewPaths<'_>,
        import: &Import,
        used: &'n UsedNames<'_>,
    ) -> (Vec<u32>, Option<Cow<'n, HashSet<&'n str>>>) {
        let files = self.package(places, &import.module);
        let local = import.names.first().map(|name| name.local.as_str());
        let local = local.unwrap_or_else(|| likely_name(&import.module));
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

/// The name that a package most likely has: without version, `go-` and `.vN`.
pub(super) fn likely_name(module: &str) -> &str {
    let mut parts = module.rsplit('/');
    let mut last = parts.next().unwrap_or(module);
    let is_version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    if is_version(last) {
        last = parts.next().unwrap_or(last);
    }
    let last = last
        .split_once(".v")
        .filter(|(_, v)| v.bytes().all(|b| b.is_ascii_digit()))
        .map_or(last, |(name, _)| name);
    last.strip_prefix("go-")
        .or_else(|| last.strip_suffix("-go"))
        .unwrap_or(last)
}

/// The path that a `go.mod` gives its module.
fn module_path(text: &str) -> Option<&str> {
    let mut lines = text.lines();
    let said = lines.find_map(|line| line.trim().strip_prefix("module "))?;
    Some(said.split("//").next()?.trim().trim_matches('"'))
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

/// The path of the module.
pub(super) fn provided_names(manifest: &ManifestInput<'_>, _: &[&str]) -> Vec<String> {
    module_path(manifest.text)
        .map(str::to_owned)
        .into_iter()
        .collect()
}

/// `replace old => new v1`, alone or in a block; a folder has the name that is imported.
pub(super) fn renamed_packages(text: &str) -> Vec<(String, String)> {
    let mut aliases = Vec::new();
    let mut is_in_block = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let rule = match line.strip_prefix("replace") {
            Some(rest) if rest.trim() == "(" => {
                is_in_block = true;
                continue;
            }
            Some(rest) if rest.starts_with(char::is_whitespace) => rest,
            _ if line.starts_with(')') => {
                is_in_block = false;
                continue;
            }
            _ if is_in_block => line,
            _ => continue,
        };
        let Some((old, new)) = rule.split_once("=>") else {
            continue;
        };
        let first = |side: &str| side.split_whitespace().next().map(str::to_owned);
        if let (Some(old), Some(new)) = (first(old), first(new))
            && !new.starts_with(['.', '/'])
            && old != new
        {
            aliases.push((old, new));
        }
    }
    aliases
}

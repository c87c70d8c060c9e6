//! Which files that look like tests or old code by their path are what the package ships: in a test
//! framework `testing/` is the product, and `compat/` is what code that runs goes through. Imports say so.

use super::roles::FileRole;
use std::collections::BTreeMap;
use whyrank_index::View;
use whyrank_syntax::Language;
use whyrank_system::test_paths::is_test_name;

/// Files that say that the folder they lie in is a package of its own.
const MANIFESTS: [&str; 8] = [
    "package.json",
    "Cargo.toml",
    "pyproject.toml",
    "setup.py",
    "go.mod",
    "build.gradle",
    "build.gradle.kts",
    "pubspec.yaml",
];
/// Folders that hold tests in one project and help for the tests of others in the next.
const PACKAGE_NAMES: [&str; 5] = ["testing", "test", "benchmark", "benchmarks", "bench"];
/// Folders of what keeps code running on other versions.
const COMPAT: [&str; 2] = ["compat", "_compat"];
/// What builds and sets up imports the set-up of tests too.
const SET_UP: [&str; 6] = [
    "setup.py",
    "noxfile.py",
    "gulpfile.js",
    "gruntfile.js",
    "rakefile",
    "build.rs",
];

/// Takes the role of tests, and that of old code from `compat`, from files that production code imports,
/// directly or through others, and from packages of tests that files outside use. O(files + imports).
pub(crate) fn settle(view: &View, roles: &mut [FileRole]) {
    if !roles.contains(&FileRole::Test) && !roles.contains(&FileRole::Legacy) {
        return;
    }
    let mut ships: Vec<u32> = packages(view, roles);
    ships
        .iter()
        .for_each(|file| roles[*file as usize] = FileRole::Source);
    let is_production = |file: &u32| {
        roles[*file as usize] == FileRole::Source && !sets_up(&view.files[*file as usize].path)
    };
    ships.extend((0..roles.len() as u32).filter(is_production));
    while let Some(file) = ships.pop() {
        for edge in view.graph.imports.imports(file) {
            let Some(target) = edge.target else {
                continue;
            };
            let role = &mut roles[target as usize];
            let ships_too = match role {
                FileRole::Test => is_used(view, target),
                FileRole::Legacy => has_part(&view.files[target as usize].path, &COMPAT),
                _ => false,
            };
            if ships_too {
                *role = FileRole::Source;
                ships.push(target);
            }
        }
    }
}

/// Whether an import by production code means use in production. Rust declares a module of tests
/// where the code stands.
fn is_used(view: &View, target: u32) -> bool {
    let file = &view.files[target as usize];
    file.language.name() != "rust" || !has_part(&file.path, &["tests", "test", "benches"])
}

fn sets_up(path: &str) -> bool {
    let lower = path.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    SET_UP.contains(&name) || name.contains(".config.") || name.contains(".conf.")
}

/// Whether a folder, or the file without its ending, has one of the names.
fn has_part(path: &str, names: &[&str]) -> bool {
    let mut parts = path.split(['/', '.']);
    parts.any(|part| names.contains(&part))
}

/// Files of packages whose folder is called as tests are: one with a manifest, or a part of a Python
/// package, that files outside import; or all there is.
fn packages(view: &View, roles: &[FileRole]) -> Vec<u32> {
    let mut by_folder: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (file, entry) in (0u32..).zip(&view.files) {
        let is_test = roles[file as usize] == FileRole::Test && is_code(entry.language);
        let name = entry.path.rsplit('/').next().unwrap_or(&entry.path);
        if is_test && !is_test_name(name) {
            for folder in folders_called_tests(&entry.path) {
                by_folder.entry(folder).or_default().push(file);
            }
        }
    }
    let n_shipped = (0u32..).zip(&view.files).filter(|(file, entry)| {
        roles[*file as usize] == FileRole::Source && is_code(entry.language)
    });
    let n_shipped = n_shipped.count();
    let mut found: Vec<u32> = Vec::new();
    for (folder, files) in by_folder {
        let is_package = is_package(view, folder) && is_imported_from_outside(view, folder, &files);
        if is_package || is_all_there_is(view, roles, folder, &files, n_shipped) {
            found.extend(files);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn is_code(language: Language) -> bool {
    language.is_code()
}

/// Folders of a path that are called `testing` and the like.
fn folders_called_tests(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.char_indices().filter(|(_, char)| *char == '/');
    ends.map(|(at, _)| &path[..at]).filter(|folder| {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        PACKAGE_NAMES.contains(&name)
    })
}

fn is_package(view: &View, folder: &str) -> bool {
    let has = |folder: &str, name: &str| view.file(&format!("{folder}/{name}")).is_some();
    let parent = folder.rsplit_once('/').map(|(parent, _)| parent);
    let in_python =
        || has(folder, "__init__.py") && parent.is_some_and(|parent| has(parent, "__init__.py"));
    MANIFESTS.iter().any(|manifest| has(folder, manifest)) || in_python()
}

fn is_imported_from_outside(view: &View, folder: &str, files: &[u32]) -> bool {
    let imports = &view.graph.imports;
    let mut importers = files.iter().flat_map(|file| imports.importers(*file));
    importers.any(|(file, _)| !is_below(&view.files[*file as usize].path, folder))
}

/// A folder whose files import each other and nothing that is shipped beside them, where less is.
fn is_all_there_is(
    view: &View,
    roles: &[FileRole],
    folder: &str,
    files: &[u32],
    n_shipped: usize,
) -> bool {
    let targets = files
        .iter()
        .flat_map(|file| view.graph.imports.imports(*file));
    let targets: Vec<u32> = targets.filter_map(|edge| edge.target).collect();
    let is_inside = |file: &u32| is_below(&view.files[*file as usize].path, folder);
    files.len() > n_shipped
        && targets.iter().any(is_inside)
        && targets
            .iter()
            .all(|file| roles[*file as usize] != FileRole::Source)
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

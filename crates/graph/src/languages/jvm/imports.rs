//! Java, Kotlin, Scala: a package is what heads declare, which mostly is the end of the file's path too.

use std::rc::Rc;

use whyrank_syntax::{Family, FileFacts, Import, PACKAGE};

use crate::{
    imports::resolve::{
        ImportResolver, Lead,
        definers::{Together, those_defining},
        full_paths, to_leads,
    },
    input::{files::ManifestInput, paths, view_paths::ViewPaths},
};

/// Folders below which a package begins.
const ROOTS: [&str; 8] = [
    "src/main/java/",
    "src/main/kotlin/",
    "src/main/scala/",
    "src/commonMain/kotlin/",
    "src/jvmMain/kotlin/",
    "src/main/groovy/",
    "src/java/",
    "src/",
];
const EXTENSIONS: [&str; 4] = ["java", "kt", "scala", "groovy"];

impl ImportResolver<'_> {
    /// The files of classes, or of packages whose names are used.
    pub(crate) fn classes(&self, file: u32, import: &Import) -> Vec<Lead> {
        let mut leads: Vec<Lead> = Vec::new();
        for (path, _) in full_paths(import, ".") {
            let found = match path.split_last() {
                Some((&("*" | "_"), package)) => match self.package(package) {
                    Some(package) => those_defining(&package, &self.used(file).heads),
                    None => class_file(&self.places, file, package)
                        .into_iter()
                        .collect(),
                },
                _ => match class_file(&self.places, file, &path) {
                    Some(file) => vec![file],
                    None => self.defining(&path),
                },
            };
            leads.extend(to_leads(found));
        }
        leads.sort_unstable();
        leads.dedup();
        leads
    }

    /// The files of a package that define a function or a class in a file of another name: one import brings
    /// them all, extensions of several types and what each platform has of its own. Of `a.b.C.Inner` those of `C`.
    fn defining(&self, path: &[&str]) -> Vec<u32> {
        let defining = |n_parts: usize| {
            let (name, package) = path[..n_parts].split_last()?;
            let package = self.package(package)?;
            let files = package.iter().flat_map(|together| together.defining(name));
            let files: Vec<u32> = files.copied().collect();
            (!files.is_empty()).then_some(files)
        };
        let lengths = (2..=path.len()).rev();
        lengths.into_iter().find_map(defining).unwrap_or_default()
    }

    /// The files whose heads declare a package.
    pub(super) fn declared(&self, package: &str) -> Option<Rc<Together<'_>>> {
        let family = Family::of("java");
        self.together
            .declared(&self.places, package, family, package_name)
    }

    /// Those files of a package that define what a file uses; all where none does.
    pub(super) fn used_of(&self, package: &Rc<Together<'_>>, file: u32) -> Vec<u32> {
        those_defining(&[Rc::clone(package)], &self.used(file).heads)
    }

    /// The files whose heads declare a package, wherever they lie; else those of the folders that its name
    /// leads to. `None` where there are none.
    fn package(&self, package: &[&str]) -> Option<Vec<Rc<Together<'_>>>> {
        if package.is_empty() {
            return None;
        }
        if let Some(declared) = self.declared(&package.join(".")) {
            return Some(vec![declared]);
        }
        let family = Family::of("java");
        let folders = self.places.folders_ending_with(&package.join("/"));
        let folders = folders
            .iter()
            .map(|folder| self.together.folder(&self.places, folder, family));
        let folders: Vec<Rc<Together<'_>>> = folders.collect();
        let is_any = folders.iter().any(|folder| !folder.files.is_empty());
        is_any.then_some(folders)
    }
}

/// The package that a file's head declares, else its folder as one.
pub(super) fn package_name(path: &str, facts: &FileFacts) -> String {
    let said = facts.locals.iter().find(|local| local.name == PACKAGE);
    let folder = paths::parent(path);
    said.map_or_else(|| below_sources(folder), |said| said.text.clone())
}

/// The folder as a package: what follows `java/`, `kotlin/` or `scala/`, so that tests are inside.
fn below_sources(folder: &str) -> String {
    let below = ["java/", "kotlin/", "scala/"]
        .iter()
        .find_map(|root| folder.rfind(root).map(|at| &folder[at + root.len()..]));
    below.unwrap_or(folder).replace('/', ".")
}

/// `a.b.C`, `a.b.C.Inner`, `a.b.C.method`: the file of the longest prefix that is a class.
fn class_file(places: &ViewPaths<'_>, from: u32, path: &[&str]) -> Option<u32> {
    (2.max(path.len().saturating_sub(2))..=path.len())
        .rev()
        .find_map(|n_parts| {
            let stem = path[..n_parts].join("/");
            EXTENSIONS.iter().find_map(|extension| {
                places.nearest_ending_with(&format!("{stem}.{extension}"), from)
            })
        })
}

/// The packages whose folders hold sources; those of one part are everybody's.
pub(super) fn provided_names(manifest: &ManifestInput<'_>, files: &[&str]) -> Vec<String> {
    let folder = paths::parent(manifest.path);
    let mut names = Vec::new();
    for path in files.iter().filter(|path| !paths::is_non_production(path)) {
        let Some(rest) = paths::below(path, folder) else {
            continue;
        };
        let is_source = [".java", ".kt", ".scala", ".groovy"];
        if !is_source.iter().any(|ending| rest.ends_with(ending)) {
            continue;
        }
        let package = ROOTS.iter().find_map(|root| {
            let at = rest
                .find(root)
                .filter(|at| *at == 0 || rest[..*at].ends_with('/'))?;
            Some(paths::parent(&rest[at + root.len()..]))
        });
        if let Some(package) = package.filter(|package| package.contains('/')) {
            names.push(package.replace('/', "."));
        }
    }
    names
}

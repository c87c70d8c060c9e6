//! Java, Kotlin, Scala: the package path is the end of the file's path.

use whyrank_syntax::Import;

use super::{Lead, full_paths, those_defining, to_leads, used_names};
use crate::input::{family::Family, view_paths::ViewPaths};

const EXTENSIONS: [&str; 4] = ["java", "kt", "scala", "groovy"];

pub(super) fn resolve(places: &ViewPaths<'_>, file: u32, import: &Import) -> Vec<Lead> {
    let mut leads: Vec<Lead> = Vec::new();
    for (path, name_idx) in full_paths(import, ".") {
        let found = match path.split_last() {
            Some((&("*" | "_"), package)) => package_files(places, package)
                .map(|files| {
                    let used = used_names(places.files[file as usize].facts());
                    those_defining(places, files, &used)
                })
                .or_else(|| class_file(places, file, package).map(|file| vec![file]))
                .unwrap_or_default(),
            _ => match class_file(places, file, &path) {
                Some(file) => vec![file],
                None => defining(places, &path),
            },
        };
        leads.extend(to_leads(found).into_iter().map(|lead| Lead {
            name_idx: None,
            ..lead
        }));
        let _ = name_idx;
    }
    leads.sort_unstable();
    leads.dedup();
    leads
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

/// The files of a package that define a function or a class in a file of another name: one import brings
/// them all, extensions of several types and what each platform has of its own.
fn defining(places: &ViewPaths<'_>, path: &[&str]) -> Vec<u32> {
    let Some((name, package)) = path.split_last() else {
        return Vec::new();
    };
    let files = package_files(places, package).unwrap_or_default();
    let defines = |file: &u32| {
        let symbols = places.files[*file as usize].symbols();
        symbols
            .iter()
            .any(|symbol| symbol.parent.is_none() && symbol.name == *name)
    };
    files.into_iter().filter(defines).collect()
}

fn package_files(places: &ViewPaths<'_>, package: &[&str]) -> Option<Vec<u32>> {
    if package.is_empty() {
        return None;
    }
    let folders = places.folders_ending_with(&package.join("/"));
    let files: Vec<u32> = folders
        .iter()
        .flat_map(|folder| places.in_folder(folder).iter().copied())
        .filter(|file| Family::of(places.files[*file as usize].language) == Family::Jvm)
        .collect();
    (!files.is_empty()).then_some(files)
}

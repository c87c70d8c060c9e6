//! Dart: `package:name/…` is below `lib` of the package of that name, everything else beside the file.

use crate::input::{files::ManifestInput, paths, view_paths::ViewPaths};

/// The file that describes a package.
pub(super) const MANIFEST: &str = "pubspec.yaml";

/// Packages by name, with their folders.
pub(crate) struct DartPackages(Vec<(String, String)>);

impl DartPackages {
    pub(crate) fn new(manifests: &[ManifestInput<'_>]) -> Self {
        let is_pubspec =
            |manifest: &&ManifestInput<'_>| paths::base_name(manifest.path) == MANIFEST;
        let packages = manifests.iter().filter(is_pubspec).filter_map(|pubspec| {
            let name = package_name(pubspec.text)?.to_owned();
            Some((name, paths::parent(pubspec.path).to_owned()))
        });
        Self(packages.collect())
    }

    /// The file that a URI means; none for the language's own libraries and those of other packages.
    pub(super) fn resolve(&self, places: &ViewPaths<'_>, file: u32, uri: &str) -> Option<u32> {
        let target = match uri.split_once(':') {
            Some(("package", path)) => self.in_package(places, file, path),
            Some(_) => None,
            None => places.file(&paths::join(places.folder_of(file), uri)?),
        };
        target.filter(|target| *target != file)
    }

    /// Of several packages of one name the one nearest to the file.
    fn in_package(&self, places: &ViewPaths<'_>, file: u32, path: &str) -> Option<u32> {
        let (name, rest) = path.split_once('/')?;
        let packages = self.0.iter().filter(|(of_package, _)| of_package == name);
        let files = packages.filter_map(|(_, folder)| {
            places.file(&paths::join(&paths::join(folder, "lib")?, rest)?)
        });
        places.nearest(&files.collect::<Vec<u32>>(), file)
    }
}

/// What other repositories import a package by.
pub(super) fn provided_names(manifest: &ManifestInput<'_>, _: &[&str]) -> Vec<String> {
    let name = package_name(manifest.text);
    name.map(|name| format!("package:{name}"))
        .into_iter()
        .collect()
}

/// The name that a pubspec.yaml states.
fn package_name(manifest: &str) -> Option<&str> {
    let mut lines = manifest.lines();
    let stated = lines.find_map(|line| line.strip_prefix("name:"))?;
    let name = stated.split('#').next()?.trim().trim_matches(['"', '\'']);
    (!name.is_empty()).then_some(name)
}

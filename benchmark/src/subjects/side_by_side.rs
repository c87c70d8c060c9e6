//! Several repositories in one folder, as somebody has them who greps across them.

use crate::checkouts::{Checkout, copy};
use std::path::Path;
use tempfile::TempDir;
use whyrank_eval::ReturnedPlace;

/// Copies of repositories, each in a folder of its own; gone when this is.
pub(super) struct SideBySide {
    folder: TempDir,
    /// Key of each repository; its folder is its index. The first is the one asked about.
    keys: Vec<String>,
}

impl SideBySide {
    /// Copies a repository and the others that its tasks speak of.
    ///
    /// # Errors
    /// In words, when a file cannot be read or written.
    pub(super) fn of(own: &Checkout, others: &[Checkout]) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut keys = Vec::new();
        for (at, checkout) in std::iter::once(own).chain(others).enumerate() {
            let target = folder.path().join(at.to_string());
            copy(&checkout.root, &target, &[])
                .map_err(|error| format!("{}: {error}", checkout.name))?;
            keys.push(checkout.name.clone());
        }
        Ok(Self { folder, keys })
    }

    /// The folder that holds all of them.
    pub(super) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Turns a place below that folder into one of a repository.
    pub(super) fn place(&self, found: ReturnedPlace) -> ReturnedPlace {
        let split = found.file.split_once('/');
        let place = split.and_then(|(folder, file)| Some((folder.parse::<usize>().ok()?, file)));
        let Some((at, file)) = place else {
            return found;
        };
        let elsewhere = self.keys.get(at).filter(|_| at > 0);
        ReturnedPlace {
            file: file.to_owned(),
            repo: elsewhere.cloned(),
            ..found
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_of_another_repository_says_which() {
        let home = tempfile::tempdir().unwrap();
        let checkout = |name: &str| {
            let root = home.path().join(name);
            std::fs::create_dir_all(root.join("src")).unwrap();
            std::fs::write(root.join("src/a.js"), name).unwrap();
            Checkout {
                name: name.to_owned(),
                root,
            }
        };
        let both = SideBySide::of(&checkout("one"), &[checkout("two")]).unwrap();
        let found = |file: &str| ReturnedPlace {
            file: file.to_owned(),
            ..ReturnedPlace::default()
        };
        let copied = std::fs::read_to_string(both.root().join("1/src/a.js")).unwrap();
        assert_eq!(copied, "two");
        let there = both.place(found("1/src/a.js"));
        assert_eq!(
            (there.file.as_str(), there.repo.as_deref()),
            ("src/a.js", Some("two"))
        );
        let here = both.place(found("0/src/a.js"));
        assert_eq!((here.file.as_str(), here.repo), ("src/a.js", None));
    }
}

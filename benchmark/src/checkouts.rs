//! Repositories of tasks: where they are at hand, or fetched with the user's own tools.

mod corpus;
mod fetch;
mod tree;

pub(crate) use corpus::id_of;

use crate::error::{BenchError, Result};
use crate::process::must;
use crate::watch::Watch;
use corpus::write_document;
use fetch::{FETCH_LIMIT, fetch, root_of};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
pub(crate) use tree::copy;
use tree::{blank, commit};
use whyrank_eval::suites::{CorpusDocument, Pin, Source};

/// Written last: a folder without it is half-fetched.
const COMPLETE: &str = ".whyrank-benchmark-complete";

/// A repository on disk.
#[derive(Clone, Debug)]
pub struct Checkout {
    /// Key in the tasks.
    pub name: String,
    /// Its root.
    pub root: PathBuf,
}

/// A folder of the user with checkouts in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Only for suites whose name holds this.
    pub suite: Option<String>,
    /// The folder.
    pub path: PathBuf,
}

impl Folder {
    /// Reads `FOLDER` or `SUITE=FOLDER`: suites may know different versions by one name.
    pub fn parse(text: &str) -> Self {
        match text.split_once('=') {
            Some((suite, path)) if !Path::new(text).exists() => Self {
                suite: Some(suite.to_owned()),
                path: absolute(path),
            },
            _ => Self {
                suite: None,
                path: absolute(text),
            },
        }
    }

    fn is_for(&self, suite: &str) -> bool {
        self.suite
            .as_ref()
            .is_none_or(|wanted| suite.contains(wanted.as_str()))
    }
}

/// Programs run inside checkouts, so paths must not hang on the working directory.
fn absolute(path: &str) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path))
}

/// Where checkouts are looked for, and put.
#[derive(Clone, Debug)]
pub struct Checkouts {
    /// Folders of the user with checkouts in them; some only for suites of a name.
    pub folders: Vec<Folder>,
    /// Where fetched ones are kept.
    pub cache: PathBuf,
}

impl Checkouts {
    /// Returns the repository of a pin: out of the cache, a folder of the user, or fetched now.
    ///
    /// # Errors
    /// In words: nothing at hand and no way to fetch it, a hash that differs, a full disk.
    pub fn obtain(
        &self,
        suite: &str,
        pin: &Pin,
        watch: &Watch,
    ) -> std::result::Result<Checkout, String> {
        let checkout = |root: PathBuf| Checkout {
            name: pin.name.clone(),
            root,
        };
        let at_hand = self.at_hand(suite, pin);
        if let Some(folder) = at_hand.as_ref().filter(|_| pin.blank.is_empty()) {
            return Ok(checkout(folder.clone()));
        }
        let kept = self.cache.join(self.cache_name(pin, at_hand.as_deref()));
        if kept.join(".git").join(COMPLETE).exists() {
            return Ok(checkout(kept));
        }
        watch.phase(format!("fetching {} {}", pin.name, pin.version));
        self.make(pin, at_hand.as_deref(), &kept, watch)
            .map_err(|why| {
                format!(
                    "{}: {why}",
                    format!("{} {}", pin.name, pin.version).trim_end()
                )
            })?;
        Ok(checkout(kept))
    }

    /// Returns a corpus as a repository: a file for each document, named by its id.
    ///
    /// # Errors
    /// In words, when it cannot be written.
    pub fn corpus(
        &self,
        pin: &Pin,
        documents: &[CorpusDocument],
        watch: &Watch,
    ) -> std::result::Result<Checkout, String> {
        let mut hash = Sha256::new();
        for document in documents {
            hash.update(document.id.as_bytes());
            hash.update(document.text.as_bytes());
        }
        let version = hex::encode(hash.finalize())[..12].to_owned();
        let root = self
            .cache
            .join(format!("corpus-{}@{version}", pin.folder_name()));
        let checkout = Checkout {
            name: pin.name.clone(),
            root: root.clone(),
        };
        if root.join(".git").join(COMPLETE).exists() {
            return Ok(checkout);
        }
        watch.phase(format!("writing the documents of {}", pin.name));
        drop(fs::remove_dir_all(&root));
        for (index, document) in documents.iter().enumerate() {
            write_document(&root, index, document).map_err(|error| error.to_string())?;
        }
        commit(&root, pin, watch)?;
        fs::write(root.join(".git").join(COMPLETE), "").map_err(|error| error.to_string())?;
        Ok(checkout)
    }

    /// A folder of the user that bears the pin's name, with its version rather than without.
    fn at_hand(&self, suite: &str, pin: &Pin) -> Option<PathBuf> {
        if let Source::Folder(path) = &pin.source
            && Path::new(path).is_dir()
        {
            return Some(PathBuf::from(path));
        }
        let bare = pin.name.rsplit([':', '/']).next().unwrap_or(&pin.name);
        let names = [
            format!("{bare}-{}", pin.version),
            pin.folder_name(),
            bare.to_owned(),
        ];
        let folders: Vec<&Folder> = self
            .folders
            .iter()
            .filter(|folder| folder.is_for(suite))
            .collect();
        let candidates = names
            .iter()
            .flat_map(|name| folders.iter().map(move |folder| folder.path.join(name)));
        let found = candidates.into_iter().find(|folder| folder.is_dir())?;
        // A whole clone, where the tasks are about a folder of it.
        let below = pin
            .root
            .as_ref()
            .map(|root| found.join(root))
            .filter(|below| below.is_dir());
        Some(match &pin.source {
            Source::Git(_) => below.unwrap_or(found),
            _ => found,
        })
    }

    fn cache_name(&self, pin: &Pin, at_hand: Option<&Path>) -> String {
        let mut recipe = format!("{:?} {:?} {:?}", pin.source, pin.root, pin.only);
        recipe += &format!("{:?} {at_hand:?}", pin.blank);
        let recipe = hex::encode(Sha256::digest(recipe));
        format!(
            "{}@{}-{}",
            pin.folder_name(),
            pin.version.replace(['/', ':'], "_"),
            &recipe[..8]
        )
    }

    /// Fetches beside the final place, so that what is there is whole.
    fn make(
        &self,
        pin: &Pin,
        at_hand: Option<&Path>,
        kept: &Path,
        watch: &Watch,
    ) -> std::result::Result<(), String> {
        let work = self.cache.join(format!(
            "fetching-{}-{}",
            pin.folder_name(),
            std::process::id()
        ));
        drop(fs::remove_dir_all(&work));
        fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
        let made = self.fill(pin, at_hand, &work, watch).and_then(|root| {
            drop(fs::remove_dir_all(kept));
            fs::rename(&root, kept).map_err(|error| format!("{}: {error}", kept.display()))
        });
        drop(fs::remove_dir_all(&work));
        made
    }

    fn fill(
        &self,
        pin: &Pin,
        at_hand: Option<&Path>,
        work: &Path,
        watch: &Watch,
    ) -> std::result::Result<PathBuf, String> {
        let source = match at_hand {
            Some(folder) => folder.to_owned(),
            None => {
                let unpacked = fetch(pin, work, watch)?;
                root_of(pin, &unpacked)?
            }
        };
        let root = work.join("checkout");
        copy(&source, &root, &pin.only).map_err(|error| format!("cannot copy: {error}"))?;
        blank(pin, &root)?;
        commit(&root, pin, watch)?;
        fs::write(root.join(".git").join(COMPLETE), "").map_err(|error| error.to_string())?;
        Ok(root)
    }
}

/// The tree of a commit, gone when this is.
pub(crate) struct Tree {
    pub(crate) checkout: Checkout,
    _folder: tempfile::TempDir,
}

impl Checkout {
    /// Lays out the tree of a commit in a folder of its own, as a repository with one commit.
    ///
    /// # Errors
    /// In words, when git does not know the commit or the folder cannot be written.
    pub(crate) fn at(&self, commit: &str, watch: &Watch) -> std::result::Result<Tree, String> {
        watch.phase(format!("laying out {} {commit:.12}", self.name));
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let root = folder
            .path()
            .join(Path::new(&self.name).file_name().unwrap_or_default());
        let target = root.to_string_lossy();
        let source = self.root.to_string_lossy();
        let git = |folder: &Path, args: &[&str]| {
            must(Command::new("git").args(args), folder, FETCH_LIMIT, watch).map(drop)
        };
        // Objects are shared, so that only the files are written.
        let clone = ["clone", "-q", "--shared", "--no-checkout", &source, &target];
        git(folder.path(), &clone)?;
        git(&root, &["checkout", "-q", "--detach", commit])?;
        Ok(Tree {
            checkout: Self {
                name: self.name.clone(),
                root,
            },
            _folder: folder,
        })
    }
}

/// A folder that exists.
pub(crate) fn folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|error| BenchError::io(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pin(source: Source) -> Pin {
        Pin {
            source,
            ..Pin::of_key("npm:thing", "1.0.0", "javascript")
        }
    }

    #[test]
    fn a_checkout_at_hand_is_taken_by_any_of_its_names() {
        let home = tempfile::tempdir().unwrap();
        for name in ["npm_thing", "thing", "thing-1.0.0"] {
            let folder = home.path().join(name);
            fs::create_dir_all(folder.join(name)).unwrap();
            let checkouts = Checkouts {
                folders: vec![Folder {
                    suite: None,
                    path: folder,
                }],
                cache: home.path().join("cache"),
            };
            let found = checkouts
                .obtain("", &pin(Source::Npm("thing".to_owned())), &Watch::default())
                .unwrap();
            assert!(found.root.ends_with(name));
        }
    }

    #[test]
    fn a_folder_can_be_for_one_suite() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("thing")).unwrap();
        let folder = Folder::parse(&format!("original={}", home.path().display()));
        let checkouts = Checkouts {
            folders: vec![folder],
            cache: home.path().join("cache"),
        };
        let pin = pin(Source::Folder("thing".to_owned()));
        assert!(
            checkouts
                .obtain("original express", &pin, &Watch::default())
                .is_ok()
        );
        assert!(checkouts.obtain("semble", &pin, &Watch::default()).is_err());
    }

    #[test]
    fn what_is_nowhere_says_what_to_do() {
        let home = tempfile::tempdir().unwrap();
        let checkouts = Checkouts {
            folders: Vec::new(),
            cache: home.path().join("cache"),
        };
        let error = checkouts
            .obtain(
                "",
                &pin(Source::Folder("thing".to_owned())),
                &Watch::default(),
            )
            .unwrap_err();
        assert!(error.contains("--repos"), "{error}");
        assert_eq!(
            fs::read_dir(home.path().join("cache")).unwrap().count(),
            0,
            "nothing half-made is left"
        );
    }

    #[test]
    fn blanked_lines_keep_their_numbers_and_the_user_s_folder_is_not_touched() {
        let home = tempfile::tempdir().unwrap();
        let theirs = home.path().join("all").join("thing");
        fs::create_dir_all(&theirs).unwrap();
        fs::write(theirs.join("a.js"), "// secret\nf()\n").unwrap();
        let blank = whyrank_eval::suites::Blank {
            file: "a.js".to_owned(),
            start: 1,
            end: 1,
        };
        let pin = Pin {
            blank: vec![blank],
            ..pin(Source::Npm("thing".to_owned()))
        };
        let checkouts = Checkouts {
            folders: vec![Folder {
                suite: None,
                path: home.path().join("all"),
            }],
            cache: home.path().join("cache"),
        };
        let found = checkouts.obtain("", &pin, &Watch::default()).unwrap();
        assert_eq!(
            fs::read_to_string(found.root.join("a.js")).unwrap(),
            "\nf()\n"
        );
        assert!(
            fs::read_to_string(theirs.join("a.js"))
                .unwrap()
                .contains("secret")
        );
        let again = checkouts.obtain("", &pin, &Watch::default()).unwrap();
        assert_eq!(again.root, found.root);
    }
}

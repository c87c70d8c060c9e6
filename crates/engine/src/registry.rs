//! Registered repositories: one JSON file with a copy, changed by one process at a time.

use crate::api::RepoId;
use crate::error::{EngineError, Result};
use crate::kept_list::{KeptList, Listed};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use whyrank_index::ViewKey;
use whyrank_source::Repository;
use whyrank_system::files;

/// A report that the person named: a file, or a folder of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedReport {
    #[serde(with = "path_text")]
    pub(crate) path: PathBuf,
    /// The contents that git tracked there when it was named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tracked: Vec<String>,
}

/// A registered working tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Registered {
    pub(crate) id: RepoId,
    pub(crate) name: String,
    #[serde(with = "path_text")]
    pub(crate) root: PathBuf,
    #[serde(with = "path_text")]
    pub(crate) common_dir: PathBuf,
    /// Whether saves are followed; `None` where nobody was ever asked, which is as good as yes. Lists of
    /// older versions say `watching` instead, `false` for whoever never chose: it is not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) watch: Option<bool>,
    /// The system's limit of watched folders was reached when it was last tried.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_past_limit: bool,
    /// The SCIP file that was named; `None` for the usual place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) scip: Option<PathBuf>,
    /// Coverage reports, profiles, traces and SCIP indexes that answers may read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) reports: Vec<NamedReport>,
}

impl Registered {
    /// The working tree that a path lies in, as nobody chose anything about it yet.
    fn around(path: &Path) -> Result<Self> {
        let repository = Repository::discover(path)?;
        let root = repository.root().to_owned();
        Ok(Self {
            id: short_hash(&root).into(),
            name: root.file_name().map_or_else(
                || root.to_string_lossy().into_owned(),
                |name| name.to_string_lossy().into_owned(),
            ),
            common_dir: repository.common_dir().to_owned(),
            root,
            watch: None,
            is_past_limit: false,
            scip: None,
            reports: Vec::new(),
        })
    }

    /// The key of its store: all working trees of a repository share one.
    pub(crate) fn store_key(&self) -> String {
        short_hash(&self.common_dir)
    }

    pub(crate) fn is_to_be_watched(&self) -> bool {
        self.watch.unwrap_or(true)
    }

    pub(crate) fn view_key(&self) -> ViewKey {
        ViewKey::Worktree(self.root.to_string_lossy().into_owned())
    }
}

/// A line of the file: a flipped bit in a path would name another folder, and look whole.
#[derive(Serialize, Deserialize)]
struct RegistryEntry {
    #[serde(flatten)]
    repo: Registered,
    /// Over what says which repository it is; lists of older versions have none.
    #[serde(default)]
    sum: Option<String>,
}

impl RegistryEntry {
    fn of(repo: &Registered) -> Self {
        Self {
            sum: Some(sum_of(repo)),
            repo: repo.clone(),
        }
    }

    fn checked(self) -> std::result::Result<Registered, String> {
        let sum = sum_of(&self.repo);
        match self.sum {
            Some(noted) if noted != sum => Err(format!(
                "the entry of {} does not fit its checksum (`sum`, which may be left out)",
                self.repo.root.display()
            )),
            _ => Ok(self.repo),
        }
    }
}

/// Over fields by name: one that a later version adds must not make today's lists look damaged.
fn sum_of(repo: &Registered) -> String {
    let mut digest = Sha256::new();
    for part in [repo.id.as_bytes(), repo.name.as_bytes()] {
        digest.update(part);
        digest.update([0]);
    }
    let paths = [Some(&repo.root), Some(&repo.common_dir), repo.scip.as_ref()];
    for path in paths.into_iter().flatten() {
        digest.update(path.as_os_str().as_encoded_bytes());
        digest.update([0]);
    }
    hex::encode(digest.finalize())[..12].to_owned()
}

fn short_hash(path: &Path) -> String {
    hex::encode(Sha256::digest(path.as_os_str().as_encoded_bytes()))[..12].to_owned()
}

impl Listed for Vec<Registered> {
    const NAME: &'static str = "list of repositories";
    const HINT: &'static str = "fix that file, or delete it and the copy beside it; indexes are kept and found again when a repository is added";

    fn parse(text: &str) -> std::result::Result<Self, String> {
        let entries: Vec<RegistryEntry> =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        entries.into_iter().map(RegistryEntry::checked).collect()
    }

    fn text(&self) -> String {
        let entries: Vec<RegistryEntry> = self.iter().map(RegistryEntry::of).collect();
        serde_json::to_string_pretty(&entries).expect("plain data serialises")
    }
}

/// The list of registered repositories.
pub(crate) struct Registry {
    list: KeptList,
    /// The repositories that clients of this process have open, and how many clients; in no file.
    open: Mutex<HashMap<RepoId, (Registered, usize)>>,
}

impl Registry {
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self {
            list: KeptList::new(data_dir, "repositories"),
            open: Mutex::default(),
        }
    }

    pub(crate) fn all(&self) -> Result<Vec<Registered>> {
        self.list.read()
    }

    /// The list, and what is wrong with its file where a copy stands in for it.
    pub(crate) fn checked(&self) -> Result<(Vec<Registered>, Option<EngineError>)> {
        self.list.read_with_problem()
    }

    /// A repository that is registered, or open.
    pub(crate) fn get(&self, id: &str) -> Result<Registered> {
        if let Some(repo) = self.all()?.into_iter().find(|repo| repo.id == id) {
            return Ok(repo);
        }
        let open = self.open.lock();
        let open = open.iter().find(|(open, _)| **open == *id);
        open.map_or_else(|| Err(unknown(id)), |(_, (repo, _))| Ok(repo.clone()))
    }

    /// Opens the working tree that a path lies in, once more.
    pub(crate) fn open(&self, path: &Path) -> Result<Registered> {
        let repo = Registered::around(path)?;
        let mut open = self.open.lock();
        let (repo, n_clients) = open.entry(repo.id.clone()).or_insert((repo, 0));
        *n_clients += 1;
        Ok(repo.clone())
    }

    /// Closes one that was opened, once; says whether nobody has it open any more.
    pub(crate) fn close(&self, id: &RepoId) -> bool {
        let mut open = self.open.lock();
        let Some((_, n_clients)) = open.get_mut(id) else {
            return false;
        };
        *n_clients -= 1;
        let is_last = *n_clients == 0;
        if is_last {
            open.remove(id);
        }
        is_last
    }

    pub(crate) fn is_open(&self, id: &str) -> bool {
        self.open.lock().keys().any(|open| *open == *id)
    }

    /// Registers the working tree that `path` lies in.
    pub(crate) fn add(&self, path: &Path) -> Result<Registered> {
        let repo = Registered::around(path)?;
        // What is known is not written again: a list on a read-only disk serves as it is.
        let is_same =
            |known: &Registered| known.id == repo.id && known.common_dir == repo.common_dir;
        let (repos, problem) = self.checked()?;
        if let (Some(known), None) = (repos.into_iter().find(is_same), problem) {
            return Ok(known);
        }
        self.change(|repos| {
            if let Some(known) = repos.iter_mut().find(|known| known.id == repo.id) {
                known.common_dir.clone_from(&repo.common_dir);
                return known.clone();
            }
            repos.push(repo.clone());
            repos.sort_by(|a, b| (&a.name, &a.root).cmp(&(&b.name, &b.root)));
            repo.clone()
        })
    }

    pub(crate) fn remove(&self, id: &str) -> Result<Registered> {
        let mut repos = self.all()?.into_iter();
        let repo = repos
            .find(|repo| repo.id == id)
            .ok_or_else(|| unknown(id))?;
        self.change(|repos| repos.retain(|known| known.id != id))?;
        Ok(repo)
    }

    pub(crate) fn set_watching(&self, id: &str, watching: bool) -> Result<()> {
        self.change(|repos| {
            for repo in repos.iter_mut().filter(|repo| repo.id == id) {
                repo.watch = Some(watching);
            }
        })
    }

    /// Keeps for other processes whether the system let a repository be watched.
    pub(crate) fn set_past_limit(&self, id: &str, is_past: bool) -> Result<()> {
        self.change(|repos| {
            for repo in repos.iter_mut().filter(|repo| repo.id == id) {
                repo.is_past_limit = is_past;
            }
        })
    }

    pub(crate) fn set_scip(&self, id: &str, file: Option<PathBuf>) -> Result<()> {
        self.change(|repos| {
            for repo in repos.iter_mut().filter(|repo| repo.id == id) {
                repo.scip.clone_from(&file);
            }
        })
    }

    pub(crate) fn set_reports(
        &self,
        id: &str,
        edit: impl FnOnce(&mut Vec<NamedReport>),
    ) -> Result<()> {
        self.change(|repos| {
            if let Some(repo) = repos.iter_mut().find(|repo| repo.id == id) {
                edit(&mut repo.reports);
            }
        })
    }

    fn change<T>(&self, edit: impl FnOnce(&mut Vec<Registered>) -> T) -> Result<T> {
        self.list.change(edit)
    }
}

pub(crate) fn unknown(id: &str) -> EngineError {
    EngineError::new(
        "unknown-repository",
        format!("no repository `{id}` is registered"),
        "see `whyrank repos list`, or give the path of one",
    )
}

/// Replaces a file as [`files::replace`] does.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<()> {
    files::replace(path, bytes).map_err(|error| EngineError::io(path, &error))
}

/// A path as text, or as its bytes where the system allows names that are no text.
mod path_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::path::{Path, PathBuf};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum StoredEntry {
        Text(PathBuf),
        Bytes(Vec<u8>),
    }

    pub(super) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        match path.to_str() {
            Some(text) => text.serialize(to),
            None => path.as_os_str().as_encoded_bytes().serialize(to),
        }
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<PathBuf, D::Error> {
        Ok(match StoredEntry::deserialize(from)? {
            StoredEntry::Text(path) => path,
            StoredEntry::Bytes(bytes) => of_bytes(bytes),
        })
    }

    #[cfg(unix)]
    fn of_bytes(bytes: Vec<u8>) -> PathBuf {
        use std::os::unix::ffi::OsStringExt as _;
        PathBuf::from(std::ffi::OsString::from_vec(bytes))
    }

    #[cfg(not(unix))]
    fn of_bytes(bytes: Vec<u8>) -> PathBuf {
        PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_changed_letter_is_damage_and_a_list_without_sums_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let registry = Registry::new(folder.path());
        let repo = Registered {
            id: "0123456789ab".into(),
            name: "shop".to_owned(),
            root: PathBuf::from("/code/shop"),
            common_dir: PathBuf::from("/code/shop/.git"),
            watch: None,
            is_past_limit: false,
            scip: None,
            reports: Vec::new(),
        };
        registry.change(|repos| repos.push(repo.clone())).unwrap();
        assert_eq!(registry.all().unwrap(), std::slice::from_ref(&repo));
        let path = folder.path().join("repositories.json");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("/code/shop\"", "/code/chop\"")).unwrap();
        assert_eq!(
            registry.all().unwrap(),
            std::slice::from_ref(&repo),
            "its copy is whole"
        );
        let (_, problem) = registry.checked().unwrap();
        assert!(problem.unwrap().message.contains("/code/chop"));
        let copy = folder.path().join("repositories.copy.json");
        fs::remove_file(&copy).unwrap();
        let error = registry.all().unwrap_err();
        assert_eq!(error.code, "registry-damaged");
        assert!(error.message.contains("/code/chop"), "{}", error.message);
        let older = text.lines().filter(|line| !line.contains("\"sum\""));
        let older = older.collect::<Vec<_>>().join("\n");
        fs::write(&path, older.replace(".git\",", ".git\"")).unwrap();
        assert_eq!(registry.all().unwrap(), [repo]);
    }

    #[test]
    fn a_list_that_was_deleted_or_overwritten_is_there_again_with_the_next_change() {
        let folder = tempfile::tempdir().unwrap();
        let registry = Registry::new(folder.path());
        let trees = ["shop", "depot"].map(|name| folder.path().join(name));
        for tree in &trees {
            git2::Repository::init(tree).unwrap();
        }
        let first = registry.add(&trees[0]).unwrap();
        let path = folder.path().join("repositories.json");
        for damage in [None, Some(""), Some("not JSON")] {
            match damage {
                None => fs::remove_file(&path).unwrap(),
                Some(text) => fs::write(&path, text).unwrap(),
            }
            assert_eq!(registry.get(&first.id).unwrap().root, first.root);
            assert!(registry.checked().unwrap().1.is_some());
            registry.set_watching(&first.id, true).unwrap();
            assert!(registry.checked().unwrap().1.is_none(), "{damage:?}");
            registry.set_past_limit(&first.id, false).unwrap();
        }
        registry.add(&trees[1]).unwrap();
        registry.remove(&first.id).unwrap();
        fs::remove_file(&path).unwrap();
        let kept = registry.all().unwrap();
        assert_eq!(kept.len(), 1, "who was removed does not come back");
        assert_ne!(kept[0].id, first.id);
    }

    #[test]
    fn who_was_never_asked_has_files_watched() {
        let folder = tempfile::tempdir().unwrap();
        let registry = Registry::new(folder.path());
        let older = r#"[{"id": "0123456789ab", "name": "shop", "root": "/shop",
            "common_dir": "/shop/.git", "watching": false}]"#;
        fs::write(folder.path().join("repositories.json"), older).unwrap();
        let is_watched = || registry.get("0123456789ab").unwrap().is_to_be_watched();
        assert!(is_watched(), "an older version wrote `false` unasked");
        for choice in [false, true] {
            registry.set_watching("0123456789ab", choice).unwrap();
            assert_eq!(is_watched(), choice);
        }
    }

    #[test]
    fn a_repository_that_is_known_is_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("shop");
        fs::create_dir_all(&tree).unwrap();
        git2::Repository::init(&tree).unwrap();
        let registry = Registry::new(folder.path());
        let first = registry.add(&tree).unwrap();
        let lock = folder.path().join("repositories.lock");
        fs::remove_file(&lock).unwrap();
        assert_eq!(registry.add(&tree).unwrap(), first);
        assert!(!lock.exists());
    }
}

//! Workspaces: names for repositories that are asked together. One JSON file beside the list of
//! repositories, with a sum and a copy, changed by one process at a time.
//!
//! A workspace holds ids: a repository that is forgotten and registered again is in it again. A
//! repository may have one by default: questions from within it that name none are asked of it.

use crate::api::RepoId;
use crate::error::{EngineError, Result};
use crate::kept_list::{KeptList, Listed};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// The word for every registered repository.
pub(crate) const ALL: &str = "all";
/// Letters of a name at most.
const MAX_NAME: usize = 64;

/// Repositories by the name of their workspace, sorted.
pub(crate) type ByName = BTreeMap<String, Vec<RepoId>>;

/// The file: a flipped bit would ask other repositories, and look whole.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Saved {
    workspaces: ByName,
    /// The workspace that a repository's questions are asked of.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    defaults: BTreeMap<RepoId, String>,
    sum: String,
}

impl Listed for Saved {
    const NAME: &'static str = "list of workspaces";
    const HINT: &'static str = "delete that file and the copy beside it, and set the workspaces again with `whyrank workspace set`";

    fn parse(text: &str) -> std::result::Result<Self, String> {
        let saved: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let fits = saved.own_sum() == saved.sum;
        fits.then_some(saved)
            .ok_or_else(|| "its checksum does not fit".to_owned())
    }

    fn text(&self) -> String {
        let summed = Self {
            sum: self.own_sum(),
            ..self.clone()
        };
        serde_json::to_string_pretty(&summed).expect("plain data serialises")
    }
}

/// The saved workspaces.
pub(crate) struct Workspaces {
    list: KeptList,
}

impl Workspaces {
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self {
            list: KeptList::new(data_dir, "workspaces"),
        }
    }

    pub(crate) fn all(&self) -> Result<ByName> {
        self.read().map(|saved| saved.workspaces)
    }

    /// The workspace that a repository has by default.
    pub(crate) fn default_of(&self, repo: &RepoId) -> Result<Option<String>> {
        self.read().map(|mut saved| saved.defaults.remove(repo))
    }

    fn read(&self) -> Result<Saved> {
        self.list.read()
    }

    /// Sets a workspace, in place of one of that name.
    pub(crate) fn set(&self, name: &str, mut repos: Vec<RepoId>) -> Result<()> {
        repos.sort();
        repos.dedup();
        self.change(|saved| {
            saved.workspaces.insert(name.to_owned(), repos);
        })
    }

    /// Sets the workspace that a repository has by default; `None` for none.
    pub(crate) fn set_default(&self, repo: &RepoId, name: Option<&str>) -> Result<()> {
        self.change(|saved| {
            match name {
                Some(name) => saved.defaults.insert(repo.clone(), name.to_owned()),
                None => saved.defaults.remove(repo),
            };
        })
    }

    /// Removes a workspace, also where it is one by default; says whether there was one.
    pub(crate) fn remove(&self, name: &str) -> Result<bool> {
        self.change(|saved| {
            saved.defaults.retain(|_, default| default != name);
            saved.workspaces.remove(name).is_some()
        })
    }

    fn change<T>(&self, edit: impl FnOnce(&mut Saved) -> T) -> Result<T> {
        self.list.change(edit)
    }
}

/// Checks that a name can stand where a repository's can: it is no path, and no list.
pub(crate) fn check_name(name: &str) -> Result<()> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    let is_plain = name.trim() == name && !name.is_empty() && !name.starts_with('.');
    if is_plain && name != ALL && name.chars().count() <= MAX_NAME && name.chars().all(fits) {
        return Ok(());
    }
    Err(EngineError::bad_argument(
        format!("`{name}` cannot be a workspace's name"),
        "use letters, digits, spaces, `-`, `_` and `.`; `all` means every repository",
    ))
}

impl Saved {
    /// What the file's sum should be. Without defaults it is that of files which know none.
    fn own_sum(&self) -> String {
        let mut json = serde_json::to_string(&self.workspaces).expect("plain data serialises");
        if !self.defaults.is_empty() {
            json += &serde_json::to_string(&self.defaults).expect("plain data serialises");
        }
        hex::encode(Sha256::digest(json))[..12].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn workspaces_are_kept_sorted_and_a_changed_letter_is_damage() {
        let folder = tempfile::tempdir().unwrap();
        let workspaces = Workspaces::new(folder.path());
        assert!(workspaces.all().unwrap().is_empty());
        let ids = ["b".into(), "a".into(), "b".into()];
        workspaces.set("shop", ids.to_vec()).unwrap();
        let kept = &workspaces.all().unwrap()["shop"];
        assert_eq!(*kept, [RepoId::from("a"), RepoId::from("b")]);
        let path = folder.path().join("workspaces.json");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("shop", "chop")).unwrap();
        assert!(workspaces.all().unwrap().contains_key("shop"), "its copy");
        fs::remove_file(folder.path().join("workspaces.copy.json")).unwrap();
        assert_eq!(workspaces.all().unwrap_err().code, "registry-damaged");
        fs::write(&path, text).unwrap();
        let home = RepoId::from("a");
        workspaces.set_default(&home, Some("shop")).unwrap();
        assert_eq!(
            workspaces.default_of(&home).unwrap().as_deref(),
            Some("shop")
        );
        assert_eq!(workspaces.default_of(&"b".into()).unwrap(), None);
        assert!(workspaces.remove("shop").unwrap() && !workspaces.remove("shop").unwrap());
        assert_eq!(workspaces.default_of(&home).unwrap(), None);
    }

    #[test]
    fn a_name_that_could_be_a_path_or_a_list_is_refused() {
        for name in ["", "all", "a/b", "a,b", ".hidden", " x", "~"] {
            assert!(check_name(name).is_err(), "{name}");
        }
        check_name("my shop-2.0").unwrap();
    }
}

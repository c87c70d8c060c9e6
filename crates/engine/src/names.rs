//! Names by which repositories are told apart where several are meant.

use crate::registry::Registered;

/// Gives each repository a name of its own, and sorts by it as by a folder's: of several `api` each is
/// `api@parent-folder`, and where that is not enough, its id stands behind.
pub(crate) fn told_apart(repos: Vec<Registered>) -> Vec<(String, Registered)> {
    let parent = |repo: &Registered| {
        let parent = repo.root.parent().and_then(|parent| parent.file_name());
        let parent = parent.map(|name| name.to_string_lossy().into_owned());
        format!("{}@{}", repo.name, parent.unwrap_or_default())
    };
    let is_alone = |names: &[String], name: &String| {
        let mut same = names.iter().filter(|known| *known == name);
        same.next().is_some() && same.next().is_none()
    };
    let short: Vec<String> = repos.iter().map(|repo| repo.name.clone()).collect();
    let longer: Vec<String> = repos.iter().map(parent).collect();
    let names = short.iter().zip(&longer).zip(&repos);
    let names: Vec<String> = names
        .map(|((short_name, long_name), repo)| {
            if is_alone(&short, short_name) {
                short_name.clone()
            } else if is_alone(&longer, long_name) {
                long_name.clone()
            } else {
                format!("{}@{}", repo.name, repo.id)
            }
        })
        .collect();
    let mut named: Vec<(String, Registered)> = names.into_iter().zip(repos).collect();
    named.sort_by(|a, b| (format!("{}/", a.0)).cmp(&format!("{}/", b.0)));
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn names_are_told_apart_by_their_parents_and_sorted_as_folders() {
        let repo = |id: &str, root: &str| Registered {
            id: id.into(),
            name: root.rsplit('/').next().unwrap().to_owned(),
            root: PathBuf::from(root),
            common_dir: PathBuf::from(root).join(".git"),
            watch: None,
            is_past_limit: false,
            scip: None,
            reports: Vec::new(),
        };
        let repos = [
            ("1", "/a/api"),
            ("2", "/b/api"),
            ("3", "/a/web"),
            ("4", "/a/api-x"),
        ];
        let named = told_apart(repos.map(|(id, root)| repo(id, root)).to_vec());
        let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["api-x", "api@a", "api@b", "web"]);
    }
}

//! Where a file stands at the forge of its repository: links that stay true, made from a remote's URL.

use crate::repository::commit_id;
use crate::{CommitId, Repository, SourceError};
use git2::{BranchType, Oid};

/// How a forge writes links to lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Forge {
    GitHub,
    GitLab,
    Bitbucket,
    Gitea,
}

/// Parts of names of hosts, and what runs there.
const HOSTS: [(&str, Forge); 6] = [
    ("github", Forge::GitHub),
    ("gitlab", Forge::GitLab),
    ("bitbucket.org", Forge::Bitbucket),
    ("codeberg.org", Forge::Gitea),
    ("gitea", Forge::Gitea),
    ("forgejo", Forge::Gitea),
];

/// A repository at a forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeRepository {
    forge: Forge,
    host: String,
    path: String,
}

/// A remote of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// Its name: `origin`.
    pub name: String,
    /// Its host, without who logs in there; empty where the URL names none.
    pub host: String,
    /// What it is, where its host is a forge that is known.
    pub forge: Option<ForgeRepository>,
}

impl ForgeRepository {
    /// Links to lines of a file as of a commit, both inclusive.
    pub fn permalink(&self, commit: CommitId, path: &str, (start, end): (u32, u32)) -> String {
        let Self {
            forge,
            host,
            path: repository,
        } = self;
        let file = encoded(path);
        let one = start == end;
        match forge {
            Forge::GitHub if one => {
                format!("https://{host}/{repository}/blob/{commit}/{file}#L{start}")
            }
            Forge::GitHub => {
                format!("https://{host}/{repository}/blob/{commit}/{file}#L{start}-L{end}")
            }
            Forge::GitLab if one => {
                format!("https://{host}/{repository}/-/blob/{commit}/{file}#L{start}")
            }
            Forge::GitLab => {
                format!("https://{host}/{repository}/-/blob/{commit}/{file}#L{start}-{end}")
            }
            Forge::Bitbucket if one => {
                format!("https://{host}/{repository}/src/{commit}/{file}#lines-{start}")
            }
            Forge::Bitbucket => {
                format!("https://{host}/{repository}/src/{commit}/{file}#lines-{start}:{end}")
            }
            Forge::Gitea if one => {
                format!("https://{host}/{repository}/src/commit/{commit}/{file}#L{start}")
            }
            Forge::Gitea => {
                format!("https://{host}/{repository}/src/commit/{commit}/{file}#L{start}-L{end}")
            }
        }
    }
}

impl Repository {
    /// Returns the remote that links go to: that of the branch, else `origin`, else the first.
    /// `None` without one.
    pub fn remote(&self) -> Option<Remote> {
        let git = self.git();
        let names = git.remotes().ok()?;
        let names: Vec<&str> = names.iter().flatten().flatten().collect();
        let of_branch = git.head().ok().and_then(|head| {
            let name = head.name().ok()?.to_owned();
            let remote = git.branch_upstream_remote(&name).ok()?;
            remote.as_str().ok().map(str::to_owned)
        });
        let wanted = of_branch.as_deref().unwrap_or("origin");
        let name = names
            .iter()
            .find(|name| **name == wanted)
            .or(names.first())?;
        let remote = git.find_remote(name).ok()?;
        let (host, path) = parts(remote.url().ok()?).unwrap_or_default();
        let forge = HOSTS.iter().find(|(part, _)| host.contains(part));
        Some(Remote {
            name: (*name).to_owned(),
            forge: forge
                .filter(|_| !path.is_empty())
                .map(|(_, forge)| ForgeRepository {
                    forge: *forge,
                    host: host.clone(),
                    path,
                }),
            host,
        })
    }

    /// Returns the newest commit that a remote is known to have, among `commit` and what it
    /// descends from along first parents, as far as the last fetch or push tells. `None` where it
    /// is not known to have any.
    ///
    /// # Errors
    ///
    /// `ReadCommit`.
    pub fn newest_at(
        &self,
        remote: &str,
        commit: CommitId,
    ) -> Result<Option<CommitId>, SourceError> {
        let git = self.git();
        let newest = || -> Result<Option<Oid>, git2::Error> {
            let commit = Oid::from_bytes(&commit.0)?;
            let prefix = format!("{remote}/");
            let mut best: Option<(usize, Oid)> = None;
            for branch in git.branches(Some(BranchType::Remote))? {
                let (branch, _) = branch?;
                let is_its = branch
                    .name_bytes()
                    .is_ok_and(|name| name.starts_with(prefix.as_bytes()));
                let Some(tip) = branch.get().target().filter(|_| is_its) else {
                    continue;
                };
                let Ok(base) = git.merge_base(commit, tip) else {
                    continue;
                };
                if base == commit {
                    return Ok(Some(commit));
                }
                let (ahead, _) = git.graph_ahead_behind(commit, base)?;
                if best.is_none_or(|(least, _)| ahead < least) {
                    best = Some((ahead, base));
                }
            }
            Ok(best.map(|(_, base)| base))
        };
        let found = newest().map_err(|source| SourceError::ReadCommit { commit, source })?;
        Ok(found.map(commit_id))
    }
}

/// Host and path of a remote's URL, without user, password, port and `.git`.
fn parts(url: &str) -> Option<(String, String)> {
    let (host, path) = match url.split_once("://") {
        Some(("https" | "http" | "ssh" | "git" | "git+ssh", rest)) => rest.split_once('/')?,
        Some(_) => return None,
        // As scp writes it: `git@host:owner/name`.
        None => url
            .split_once(':')
            .filter(|(host, _)| !host.contains('/'))?,
    };
    let host = host.rsplit('@').next()?.split(':').next()?.to_lowercase();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    (host.contains('.') && host.bytes().all(is_name)).then(|| (host, encoded(path)))
}

/// A path as a URL has it.
fn encoded(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(byte as char);
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remote_is_told_by_its_url_and_nobody_s_password_is_kept() {
        let host_and_path = |url: &str| parts(url).map(|(host, path)| format!("{host} {path}"));
        for url in [
            "https://github.com/o/r.git",
            "git@github.com:o/r.git",
            "ssh://git@github.com:22/o/r",
            "https://me:secret@github.com/o/r/",
        ] {
            assert_eq!(
                host_and_path(url).as_deref(),
                Some("github.com o/r"),
                "{url}"
            );
        }
        assert_eq!(parts("/srv/git/r.git"), None);
        assert_eq!(parts("file:///srv/git/r.git"), None);
        assert_eq!(parts("https://git hub.com/o/r"), None);
    }

    #[test]
    fn each_forge_writes_lines_in_its_own_way() {
        let commit = CommitId([0xab; 20]);
        let link = |forge: Forge, lines: (u32, u32)| {
            let at = ForgeRepository {
                forge,
                host: "h.org".to_owned(),
                path: "o/r".to_owned(),
            };
            let link = at.permalink(commit, "a b/c#.rs", lines);
            link.replace(&commit.to_string(), "SHA")
        };
        assert_eq!(
            link(Forge::GitHub, (3, 8)),
            "https://h.org/o/r/blob/SHA/a%20b/c%23.rs#L3-L8"
        );
        assert_eq!(
            link(Forge::GitLab, (3, 8)),
            "https://h.org/o/r/-/blob/SHA/a%20b/c%23.rs#L3-8"
        );
        assert_eq!(
            link(Forge::Bitbucket, (3, 3)),
            "https://h.org/o/r/src/SHA/a%20b/c%23.rs#lines-3"
        );
        assert_eq!(
            link(Forge::Gitea, (3, 8)),
            "https://h.org/o/r/src/commit/SHA/a%20b/c%23.rs#L3-L8"
        );
    }
}

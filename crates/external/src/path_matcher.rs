//! Which file of a view a path from elsewhere means.
//!
//! Paths come absolute, from another machine, relative to a package, as `file:` URLs, with a Go
//! module before them. The longest common end decides; what goes before it (`/build/repo`) is
//! learned from the paths that are clear and settles those that are not.

use crate::Budget;
use std::collections::HashMap;

/// Folders of other people's code: a path through one means a file of the view only if the view
/// has that folder, too.
const VENDORED: [&str; 4] = ["node_modules", "site-packages", "dist-packages", ".cargo"];

/// The outcome of matching a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathMatch {
    /// The file with this index.
    File(u32),
    /// One of these, and nothing tells which.
    Ambiguous(Vec<u32>),
    /// No file of the view.
    Nothing,
}

/// The paths of a view, by file name.
pub struct PathMatcher<'a> {
    paths: Vec<Vec<&'a str>>,
    by_name: HashMap<&'a str, Vec<u32>>,
    /// By folder and name: where one fits, no file that shares its name alone can be meant.
    by_pair: HashMap<(&'a str, &'a str), Vec<u32>>,
}

/// A file that a path may mean.
#[derive(Clone, Debug)]
struct PathCandidate {
    file: u32,
    n_common: usize,
    /// What comes before the common end: in the path, in the view.
    before: (String, String),
}

impl<'a> PathMatcher<'a> {
    /// Takes the paths of a view, from its root, `/` between parts.
    pub fn new(paths: impl Iterator<Item = &'a str>) -> Self {
        let paths: Vec<Vec<&str>> = paths.map(|path| path.split('/').collect()).collect();
        let mut by_name: HashMap<&str, Vec<u32>> = HashMap::new();
        let mut by_pair: HashMap<(&str, &str), Vec<u32>> = HashMap::new();
        for (file, parts) in (0u32..).zip(&paths) {
            if let Some(name) = parts.last() {
                by_name.entry(name).or_default().push(file);
            }
            if let [.., folder, name] = parts.as_slice() {
                by_pair.entry((*folder, *name)).or_default().push(file);
            }
        }
        Self {
            paths,
            by_name,
            by_pair,
        }
    }

    /// Matches each path, in their order.
    ///
    /// `root` is the view's folder on this machine, `folder` the one that the file with these paths
    /// lies in, relative to the root. O(paths × files of the same name), and within the budget: what it has
    /// no steps for is matched with nothing.
    pub fn all(
        &self,
        written: &[&str],
        root: &str,
        folder: &str,
        budget: &mut Budget<'_>,
    ) -> Vec<PathMatch> {
        let root = parts(root);
        let asked: Vec<Vec<String>> = written.iter().map(|path| parts(path)).collect();
        let candidates: Vec<Vec<PathCandidate>> = asked
            .iter()
            .map(|path| self.candidates(path, &root, budget))
            .collect();
        let mut votes: HashMap<&(String, String), u32> = HashMap::new();
        for found in &candidates {
            if let [only] = best(found).as_slice()
                && (only.n_common > 1 || only.before.0.is_empty())
            {
                *votes.entry(&only.before).or_default() += 1;
            }
        }
        let choices = candidates.iter();
        choices.map(|found| choose(found, &votes, folder)).collect()
    }

    fn candidates(
        &self,
        path: &[String],
        root: &[String],
        budget: &mut Budget<'_>,
    ) -> Vec<PathCandidate> {
        let inside = path.strip_prefix(root).filter(|_| !root.is_empty());
        let path = inside.unwrap_or(path);
        let Some(name) = path.last() else {
            return Vec::new();
        };
        let of_pair = match path {
            [.., folder, name] => self.by_pair.get(&(folder.as_str(), name.as_str())),
            _ => None,
        };
        let files = of_pair.or_else(|| self.by_name.get(name.as_str()));
        let files = files.map(Vec::as_slice).unwrap_or_default();
        if !budget.step(files.len() as u64) {
            return Vec::new();
        }
        let candidates = files.iter().filter_map(|file| self.candidate(*file, path));
        // A path below the root means that file and no other.
        candidates
            .filter(|found| inside.is_none() || found.before == Default::default())
            .collect()
    }

    fn candidate(&self, file: u32, path: &[String]) -> Option<PathCandidate> {
        let own = &self.paths[file as usize];
        let ends = own.iter().rev().zip(path.iter().rev());
        let n_common = ends.take_while(|(own, path)| *own == path).count();
        let before_path = &path[..path.len() - n_common];
        let before_own = &own[..own.len() - n_common];
        let is_vendored = before_path
            .iter()
            .any(|part| VENDORED.contains(&part.as_str()));
        (!is_vendored).then(|| PathCandidate {
            file,
            n_common,
            before: (before_path.join("/"), before_own.join("/")),
        })
    }
}

/// Those with the longest common end.
fn best(found: &[PathCandidate]) -> Vec<&PathCandidate> {
    let longest = found.iter().map(|one| one.n_common).max();
    let best = found.iter().filter(|one| Some(one.n_common) == longest);
    best.collect()
}

fn choose(
    found: &[PathCandidate],
    votes: &HashMap<&(String, String), u32>,
    folder: &str,
) -> PathMatch {
    let standing = |one: &PathCandidate| {
        let n_votes = votes.get(&one.before).copied().unwrap_or(0);
        (one.n_common, nearness(&one.before.1, folder), n_votes)
    };
    // Where only the file name fits, something else must speak for the file.
    let is_likely = |one: &&PathCandidate| {
        let (path, own) = (&one.before.0, &one.before.1);
        let whole = path.is_empty() || own.is_empty();
        match one.n_common {
            1 => votes.contains_key(&one.before) || (whole && votes.is_empty()) || path.is_empty(),
            _ => true,
        }
    };
    let likely: Vec<&PathCandidate> = found.iter().filter(is_likely).collect();
    let top = likely.iter().map(|one| standing(one)).max();
    let top: Vec<u32> = likely
        .iter()
        .filter(|one| Some(standing(one)) == top)
        .map(|one| one.file)
        .collect();
    match top.as_slice() {
        [] => PathMatch::Nothing,
        [file] => PathMatch::File(*file),
        _ => PathMatch::Ambiguous(top),
    }
}

/// How near a folder lies above another: 0 when it does not, more the deeper it is.
fn nearness(above: &str, folder: &str) -> usize {
    let is_above = above.is_empty()
        || folder
            .strip_prefix(above)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if is_above {
        1 + above.split('/').filter(|part| !part.is_empty()).count()
    } else {
        0
    }
}

/// The parts of a path: of a URL's path, without drive letters, `.` and `..` worked out.
fn parts(path: &str) -> Vec<String> {
    let is_url = path.starts_with("file:");
    let path = path.strip_prefix("file://").unwrap_or(path);
    let path = path
        .split(['?', '#'])
        .next()
        .filter(|_| is_url)
        .unwrap_or(path);
    let mut parts: Vec<String> = Vec::new();
    for part in path.split(['/', '\\']) {
        let is_drive = parts.is_empty() && part.len() == 2 && part.ends_with(':');
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ if is_drive => {}
            _ if is_url => parts.push(decoded(part)),
            _ => parts.push(part.to_owned()),
        }
    }
    parts
}

/// `%20` and its like as the characters that they encode.
fn decoded(part: &str) -> String {
    let bytes = part.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 3).and_then(|code| {
            let code = std::str::from_utf8(code).ok()?;
            u8::from_str_radix(code, 16).ok()
        });
        match (bytes[at], code) {
            (b'%', Some(byte)) => {
                plain.push(byte);
                at += 3;
            }
            (byte, _) => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

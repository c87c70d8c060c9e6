//! What is rewritten: the packages that come with the program, and repositories.

use std::path::Path;
use std::rc::Rc;

use whyrank_graph::ReferenceIndex;

use super::compare::Asked;
use super::view::{SourceFile, View};

/// A text larger than this is left out, as an index does.
const MAX_BYTES: u64 = 512 << 10;

/// A checkout whose files are rewritten.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) asked: Asked,
    /// Path and text of all files, those that no language reads too.
    pub(super) files: Vec<(String, String)>,
}

impl Package {
    fn new(name: &str, files: Vec<(String, String)>) -> Self {
        let is_manifest = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            let is_config = name.starts_with("tsconfig") && name.ends_with(".json");
            is_config
                || matches!(
                    name,
                    "package.json" | "go.mod" | "Cargo.toml" | "composer.json" | "pyproject.toml"
                )
        };
        let manifests = files.iter().filter(|(path, _)| is_manifest(path));
        let manifests = Rc::new(manifests.cloned().collect());
        let sources = files
            .iter()
            .filter_map(|(path, text)| SourceFile::new(path, text.clone()))
            .map(Rc::new);
        let view = View::new(sources.collect(), manifests, ReferenceIndex::default());
        Self {
            name: name.to_owned(),
            asked: Asked::new(view),
            files,
        }
    }

    /// The files that git knows of a repository.
    pub(super) fn of_repository(folder: &Path, paths: &[String]) -> Self {
        let mut paths: Vec<&String> = paths.iter().collect();
        paths.sort();
        let read = |path: &&String| {
            let whole = folder.join(path);
            let is_fit = std::fs::symlink_metadata(&whole)
                .is_ok_and(|it| it.is_file() && it.len() <= MAX_BYTES);
            let text = is_fit.then(|| std::fs::read_to_string(&whole).ok())??;
            Some(((*path).clone(), text))
        };
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        Self::new(&name, paths.iter().filter_map(read).collect())
    }
}

/// The packages that come with the program, one a language: `=== PATH` begins a file.
pub(super) fn packages(language: Option<&str>) -> Vec<Package> {
    PACKAGES
        .iter()
        .filter(|(name, _)| language.is_none_or(|language| language == *name))
        .map(|(name, text)| {
            let parts = text.trim_start_matches("=== ").split("\n=== ");
            let file = |part: &str| {
                let (path, text) = part.split_once('\n').unwrap_or((part, ""));
                (path.to_owned(), format!("{}\n", text.trim_end()))
            };
            Package::new(name, parts.map(file).collect())
        })
        .collect()
}

const PACKAGES: [(&str, &str); 14] = [
    ("typescript", include_str!("packages/typescript.txt")),
    ("javascript", include_str!("packages/javascript.txt")),
    ("python", include_str!("packages/python.txt")),
    ("go", include_str!("packages/go.txt")),
    ("rust", include_str!("packages/rust.txt")),
    ("java", include_str!("packages/java.txt")),
    ("kotlin", include_str!("packages/kotlin.txt")),
    ("csharp", include_str!("packages/csharp.txt")),
    ("php", include_str!("packages/php.txt")),
    ("ruby", include_str!("packages/ruby.txt")),
    ("scala", include_str!("packages/scala.txt")),
    ("swift", include_str!("packages/swift.txt")),
    ("cpp", include_str!("packages/cpp.txt")),
    ("c", include_str!("packages/c.txt")),
];

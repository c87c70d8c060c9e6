//! Which files are left out by their name and size alone, before anything is read.

use crate::types::blob_id;
use crate::{Repository, SkipReason};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::path::Path;
use whyrank_secrets::{RULES, holds_key, is_secret_path};

/// The setting of git's that names what is shown although it may hold secrets: patterns as in
/// `.gitignore`, one a value. It is the person's own; no clone brings it along.
const ALLOW: &str = "whyrank.allow";

/// How much longer a source text may be than another file: libraries exist that are one file of 1 to 3 MB.
pub const LONG_SOURCE_FACTOR: u64 = 4;
/// What is written by hand at such a length. Not scripts, which are bundled, nor headers, which are made by
/// machines.
const LONG_SOURCES: &[&str] = &[
    "c", "cc", "cpp", "cs", "cxx", "dart", "go", "ipynb", "java", "kt", "php", "py", "rb", "rs",
    "scala", "swift", "ts", "tsx",
];

/// What a listing leaves out besides the rules that hold for every repository.
#[derive(Clone, Debug)]
pub struct FileFilter {
    /// Larger files are skipped; source texts in the languages that people write long files in may have
    /// [four times](LONG_SOURCE_FACTOR) as much.
    pub max_file_bytes: u64,
    /// What is shown although it may hold secrets.
    allowed: Option<Gitignore>,
}

impl Default for FileFilter {
    fn default() -> Self {
        Self {
            max_file_bytes: 1 << 20,
            allowed: None,
        }
    }
}

impl FileFilter {
    fn allowing(patterns: &[String]) -> Self {
        let mut builder = GitignoreBuilder::new("");
        for pattern in patterns {
            if let Err(error) = builder.add_line(None, pattern) {
                tracing::warn!(%error, "a value of {ALLOW} makes no sense");
            }
        }
        let built = (!patterns.is_empty()).then(|| builder.build().ok());
        Self {
            allowed: built.flatten(),
            ..Self::default()
        }
    }

    /// Whether the person wants a file shown although it may hold secrets.
    pub(crate) fn allows(&self, path: &str) -> bool {
        self.allowed.as_ref().is_some_and(|allowed| {
            let found = allowed.matched_path_or_any_parents(Path::new(path), false);
            found.is_ignore()
        })
    }

    /// How large a file of a name may be, in bytes.
    pub(crate) fn limit_bytes(&self, path: &str) -> u64 {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        if has_extension(&name, LONG_SOURCES) {
            self.max_file_bytes * LONG_SOURCE_FACTOR
        } else {
            self.max_file_bytes
        }
    }

    /// Says why a file is left out, as far as its path and size tell.
    pub(crate) fn refuse(&self, path: &str, size_bytes: u64) -> Option<SkipReason> {
        let is_allowed = self.allows(path);
        let is_key = holds_key(path);
        let path = path.to_ascii_lowercase();
        let name = path.rsplit('/').next().unwrap_or(&path);
        if !is_allowed && (is_key || is_secret_path(&path)) {
            return Some(SkipReason::Secret);
        }
        if has_extension(name, BINARY_EXTENSIONS) {
            return Some(SkipReason::Binary);
        }
        if is_minified_name(name) {
            return Some(SkipReason::Minified);
        }
        let limit_bytes = self.limit_bytes(name);
        (size_bytes > limit_bytes).then_some(SkipReason::TooLarge {
            size_bytes,
            limit_bytes,
        })
    }
}

impl Repository {
    /// Returns what listings of this repository leave out.
    pub fn filter(&self) -> FileFilter {
        FileFilter::allowing(&self.allowed())
    }

    /// Names the rules by which files are judged: their number, and what the person allows. What was judged by
    /// others is judged again.
    pub fn judged_by(&self) -> String {
        match self.allowed().as_slice() {
            [] => format!("rules-{RULES}"),
            allowed => format!("rules-{RULES}-{}", blob_id(allowed.join("\n").as_bytes())),
        }
    }

    fn allowed(&self) -> Vec<String> {
        let git = self.git();
        let mut allowed = Vec::new();
        if let Ok(config) = git.config()
            && let Ok(entries) = config.multivar(ALLOW, None)
        {
            let _ = entries.for_each(|entry| allowed.extend(entry.value().map(str::to_owned)));
        }
        allowed
    }
}

const BINARY_EXTENSIONS: &[&str] = &[
    "7z", "a", "aac", "avi", "avif", "bmp", "bz2", "class", "dll", "dylib", "eot", "exe", "flac",
    "gif", "gz", "heic", "ico", "icns", "jar", "jpeg", "jpg", "lib", "m4a", "mkv", "mov", "mp3",
    "mp4", "o", "obj", "ogg", "otf", "pdf", "png", "pyc", "pyd", "rlib", "so", "sqlite", "tar",
    "tgz", "tif", "tiff", "ttf", "wasm", "wav", "webm", "webp", "whl", "woff", "woff2", "xz",
    "zip", "zst",
];

fn is_minified_name(name: &str) -> bool {
    [".min.js", ".min.mjs", ".min.css", ".map"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| extensions.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: Option<SkipReason>) {
        assert_eq!(FileFilter::default().refuse(path, 10), expected, "{path}");
    }

    #[test]
    fn names_of_secrets_are_refused_and_their_templates_are_not() {
        for path in [
            ".env",
            "app/.env.local",
            ".ENV",
            "prod.env",
            ".ssh/id_rsa",
            "tls/server.key",
            "a.PEM",
            "a.p12",
            "a.pfx",
            ".npmrc",
            ".netrc",
            "pass.kdbx",
            ".aws/credentials",
        ] {
            check(path, Some(SkipReason::Secret));
        }
        for path in [
            ".env.example",
            ".env.sample",
            ".env.template",
            "env",
            "src/env.rs",
            "vite-env.d.ts",
            "credentials.rs",
            "id_rsa.pub",
            "key",
            "src/key.rs",
            "credentials/mod.rs",
        ] {
            check(path, None);
        }
    }

    #[test]
    fn names_of_binaries_and_minified_files_are_refused() {
        check("logo.PNG", Some(SkipReason::Binary));
        check("lib/a.so", Some(SkipReason::Binary));
        check("o", None);
        check("main.ts", None);
        check("dist/app.min.js", Some(SkipReason::Minified));
        check("app.js.map", Some(SkipReason::Minified));
        check("src/map.rs", None);
        check("Cargo.lock", None);
    }

    #[test]
    fn the_size_limit_is_the_last_size_taken() {
        let filter = FileFilter {
            max_file_bytes: 4,
            ..FileFilter::default()
        };
        assert_eq!(filter.refuse("a", 4), None);
        let reason = SkipReason::TooLarge {
            size_bytes: 5,
            limit_bytes: 4,
        };
        assert_eq!(filter.refuse("a", 5), Some(reason));
    }
}

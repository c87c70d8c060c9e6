//! Which files are left out by their name and size alone, before anything is read.

use crate::SkipReason;
use crate::secrets::is_secret_path;

/// What a listing leaves out besides the rules that hold for every repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFilter {
    /// Larger files are skipped.
    pub max_file_bytes: u64,
}

impl Default for FileFilter {
    fn default() -> Self {
        Self {
            max_file_bytes: 1 << 20,
        }
    }
}

impl FileFilter {
    /// Says why a file is left out, as far as its path and size tell.
    pub(crate) fn refuse(&self, path: &str, size_bytes: u64) -> Option<SkipReason> {
        let path = path.to_ascii_lowercase();
        let name = path.rsplit('/').next().unwrap_or(&path);
        if is_secret_path(&path) {
            return Some(SkipReason::Secret);
        }
        if has_extension(name, BINARY_EXTENSIONS) {
            return Some(SkipReason::Binary);
        }
        if is_minified_name(name) {
            return Some(SkipReason::Minified);
        }
        let limit_bytes = self.max_file_bytes;
        (size_bytes > limit_bytes).then_some(SkipReason::TooLarge {
            size_bytes,
            limit_bytes,
        })
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
        let filter = FileFilter { max_file_bytes: 4 };
        assert_eq!(filter.refuse("a", 4), None);
        let reason = SkipReason::TooLarge {
            size_bytes: 5,
            limit_bytes: 4,
        };
        assert_eq!(filter.refuse("a", 5), Some(reason));
    }
}

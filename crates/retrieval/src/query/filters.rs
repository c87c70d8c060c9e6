//! What a search is narrowed to.

use crate::error::{Result, RetrievalError};
use crate::search_index::{FileRole, SearchIndex};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use roaring::RoaringBitmap;
use whyrank_index::ChunkRef;
use whyrank_syntax::ChunkKind;

/// A longer glob is no path, and takes minutes to compile.
const MAX_GLOB_BYTES: usize = 4096;

/// Filters of a search; empty lists do not narrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Globs on the path, or folders; a leading `!` excludes.
    pub paths: Vec<String>,
    /// Languages by name.
    pub languages: Vec<String>,
    /// Kinds, as [`chunk_kind_name`](crate::chunk_kind_name) writes them; `doc` means sections of prose too.
    pub kinds: Vec<String>,
    /// Leave out tests.
    pub no_tests: bool,
}

impl Filters {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the visible chunks that pass.
    ///
    /// # Errors
    /// The glob that is none.
    pub fn allowed(&self, index: &SearchIndex) -> Result<RoaringBitmap> {
        if self.is_empty() {
            return Ok(index.view.visible.as_ref().clone());
        }
        let paths = PathFilter::new(&self.paths)?;
        let mut allowed = RoaringBitmap::new();
        for (file_idx, file) in index.view.files.iter().enumerate() {
            let within = index.path_within(file_idx as u32);
            let passes = paths.passes_as([within, &file.path])
                && (self.languages.is_empty()
                    || self
                        .languages
                        .iter()
                        .any(|name| name == file.language.name()))
                && !(self.no_tests && index.roles[file_idx] == FileRole::Test);
            if passes {
                self.add_chunks(index, file_idx as u32, &mut allowed);
            }
        }
        Ok(allowed)
    }

    fn add_chunks(&self, index: &SearchIndex, file: u32, allowed: &mut RoaringBitmap) {
        let entry = &index.view.files[file as usize];
        for chunk in 0..entry.n_chunks {
            let (_, held, symbol) = index.view.chunk(ChunkRef { file, chunk });
            let place = ChunkRef { file, chunk };
            if self.no_tests && index.role_of(place) == FileRole::Test {
                continue;
            }
            let name = crate::chunk_kind_name(held.kind, symbol);
            // A section of prose has a heading for its definition; who asks for documents means it too.
            let is_one =
                |kind: &String| kind == name || (kind == "doc" && held.kind == ChunkKind::Doc);
            if self.kinds.is_empty() || self.kinds.iter().any(is_one) {
                allowed.insert(entry.first_chunk + chunk);
            }
        }
    }
}

/// Which paths pass: all where none is asked for, else those in one of the folders or globs.
pub struct PathFilter {
    include: GlobSet,
    exclude: GlobSet,
    includes_all: bool,
}

impl PathFilter {
    /// Reads folders and globs; a leading `!` excludes.
    ///
    /// # Errors
    /// The glob that is none.
    pub fn new(patterns: &[String]) -> Result<Self> {
        let (mut include, mut exclude) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        let mut includes_all = true;
        for pattern in patterns {
            let (target, glob) = match pattern.strip_prefix('!') {
                Some(glob) => (&mut exclude, glob),
                None => {
                    includes_all = false;
                    (&mut include, pattern.as_str())
                }
            };
            if glob.len() > MAX_GLOB_BYTES {
                return Err(RetrievalError::BadGlob {
                    glob: glob.chars().take(40).collect(),
                    message: format!("longer than {MAX_GLOB_BYTES} bytes"),
                });
            }
            for glob in expand(glob) {
                let built = GlobBuilder::new(&glob).literal_separator(true).build();
                target.add(built.map_err(|error| bad_glob(pattern, &error))?);
            }
        }
        let build = |set: GlobSetBuilder| set.build().map_err(|error| bad_glob("", &error));
        Ok(Self {
            include: build(include)?,
            exclude: build(exclude)?,
            includes_all,
        })
    }

    /// Says whether a path passes.
    pub fn passes(&self, path: &str) -> bool {
        self.passes_as([path])
    }

    /// Whether a file passes that has several paths: within its repository, and below its name.
    pub(crate) fn passes_as<'p>(&self, paths: impl IntoIterator<Item = &'p str> + Clone) -> bool {
        let mut asked = paths.clone().into_iter();
        let is_included = self.includes_all || asked.any(|path| self.include.is_match(path));
        is_included && !paths.into_iter().any(|path| self.exclude.is_match(path))
    }
}

/// A pattern without wildcards is a file or a folder; one without a slash matches at any depth.
fn expand(glob: &str) -> Vec<String> {
    let glob = glob.trim_start_matches("./").trim_end_matches('/');
    let is_plain = !glob.contains(['*', '?', '[', '{']);
    let mut globs = vec![glob.to_owned()];
    if is_plain {
        globs.push(format!("{glob}/**"));
    }
    // Routers name folders `[id]` and `{slug}`: who writes that means the folder, or the glob.
    let folder = glob.strip_suffix("/**").unwrap_or(glob);
    if !is_plain && !folder.contains(['*', '?']) {
        let folder = globset::escape(folder);
        globs.extend([format!("{folder}/**"), folder]);
    }
    if !glob.contains('/') {
        let deeper: Vec<String> = globs.iter().map(|glob| format!("**/{glob}")).collect();
        globs.extend(deeper);
    }
    globs
}

fn bad_glob(glob: &str, error: &globset::Error) -> RetrievalError {
    RetrievalError::BadGlob {
        glob: glob.to_owned(),
        message: error.kind().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_that_is_no_path_is_refused() {
        assert!(PathFilter::new(&["a".repeat(MAX_GLOB_BYTES + 1)]).is_err());
    }

    fn check(patterns: &[&str], path: &str, expected: bool) {
        let patterns: Vec<String> = patterns
            .iter()
            .map(|pattern| (*pattern).to_owned())
            .collect();
        assert_eq!(
            PathFilter::new(&patterns).unwrap().passes(path),
            expected,
            "{patterns:?} {path}"
        );
    }

    #[test]
    fn folders_files_and_globs() {
        check(&["src"], "src/a/b.rs", true);
        check(&["src/"], "lib/a.rs", false);
        check(&["*.rs"], "src/a/b.rs", true);
        check(&["src/*.rs"], "src/a/b.rs", false);
        check(&["src/**/*.rs"], "src/a/b.rs", true);
        check(&["!tests"], "tests/a.rs", false);
        check(&["!tests"], "src/a.rs", true);
        check(&["src", "!src/gen"], "src/gen/a.rs", false);
        for asked in [
            "src/[id]",
            "src/[id]/",
            "src/[id]/**",
            "[id]",
            "src/[id]/{slug}/page.tsx",
        ] {
            check(&[asked], "src/[id]/{slug}/page.tsx", true);
        }
        check(&["src/[id]"], "src/x/page.tsx", false);
        check(&["!src/[id]"], "src/[id]/page.tsx", false);
        check(&["src/{a,b}/*.rs"], "src/b/c.rs", true);
    }

    #[test]
    fn a_broken_glob_is_named() {
        let error = PathFilter::new(&["src/[".to_owned()]).err().unwrap();
        assert!(error.to_string().contains("src/["), "{error}");
    }
}

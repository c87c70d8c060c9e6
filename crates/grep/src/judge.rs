//! The bytes of a file that may be printed.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use whyrank_source::{FileFilter, Repository, SearchedText, searched_text};

/// Judges files of a folder by the rules of the repository around it.
pub(crate) struct Judge {
    folder: PathBuf,
    around: OnceLock<Around>,
}

/// The repository around, if there is one.
struct Around {
    root: Option<PathBuf>,
    filter: FileFilter,
}

impl Judge {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            around: OnceLock::new(),
        }
    }

    /// Reads a file and says what of it may be printed.
    pub(crate) fn judge(&self, path: &Path) -> io::Result<SearchedText> {
        let around = self.around.get_or_init(|| self.look_around());
        let full = self.folder.join(path);
        let below = around.root.as_ref().map(|root| full.strip_prefix(root));
        let below = below.and_then(Result::ok).unwrap_or(path);
        let name = below.to_string_lossy().replace('\\', "/");
        let name = name.strip_prefix("./").unwrap_or(&name);
        let mut bytes = Vec::new();
        File::open(path)?.read_to_end(&mut bytes)?;
        Ok(searched_text(name, &bytes, &around.filter))
    }

    fn look_around(&self) -> Around {
        match Repository::discover(&self.folder) {
            Ok(repository) => Around {
                root: Some(repository.root().to_owned()),
                filter: repository.filter(),
            },
            Err(_) => Around {
                root: None,
                filter: FileFilter::default(),
            },
        }
    }
}

//! One request: the open files as they were when it came, and whether its client still waits.

use crate::documents::{Document, OpenDocuments};
use crate::failure::Failure;
use crate::index_progress::words;
use crate::kept::Kept;
use crate::roots::ServedRepo;
use crate::shared::Shared;
use crate::shown::ShownFile;
use crate::uri::{path_of, uri_of};
use lsp_types::Uri;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use whyrank_engine::Engine;
use whyrank_engine::api::{FileNames, FileNamesRequest, FileOutline, IndexOptions, JobState};

/// The time that a request waits for a first index, and for files that were saved just now.
const PATIENCE_MS: u32 = 700;
const FRESH_MS: u32 = 300;

/// One request.
pub(crate) struct Ask<'a> {
    pub(crate) shared: &'a Shared,
    documents: Arc<OpenDocuments>,
    looked_after: Kept<()>,
    files: Kept<ShownFile>,
    names: Kept<FileNames>,
}

/// A file of a repository.
#[derive(Clone, Debug)]
pub(crate) struct RepoFile {
    pub(crate) repo: ServedRepo,
    /// Path in the repository.
    pub(crate) path: String,
    pub(crate) buffer: Option<Document>,
}

impl<'a> Ask<'a> {
    pub(crate) fn new(shared: &'a Shared, documents: Arc<OpenDocuments>) -> Self {
        Self {
            shared,
            documents,
            looked_after: Kept::default(),
            files: Kept::default(),
            names: Kept::default(),
        }
    }

    pub(crate) fn engine(&self) -> &'a Engine {
        &self.shared.engine
    }

    /// The file of an address, in an index that can be asked.
    ///
    /// # Errors
    ///
    /// A file that no repository serves; an index that is not there yet.
    pub(crate) fn file(&self, uri: &Uri) -> Result<RepoFile, Failure> {
        let Some(file) = self.known_file(uri) else {
            return Err(Failure::request(format!(
                "{} lies in no repository that Whyrank serves; open its folder, or run `whyrank repos add`",
                path_of(uri).map_or_else(
                    || uri.as_str().to_owned(),
                    |path| path.display().to_string()
                )
            )));
        };
        self.ready(&file.repo)?;
        Ok(file)
    }

    /// The same for requests that editors make unasked: nobody is told of files that are not served.
    pub(crate) fn known_file(&self, uri: &Uri) -> Option<RepoFile> {
        let path = path_of(uri)?;
        let (repo, inside) = self.shared.roots.locate(&path)?;
        let buffer = self.documents.get(&absolute(&repo, &inside)).cloned();
        Some(RepoFile {
            repo,
            path: inside,
            buffer,
        })
    }

    /// Another file of a repository.
    pub(crate) fn sibling(&self, repo: &ServedRepo, path: &str) -> RepoFile {
        RepoFile {
            repo: repo.clone(),
            path: path.to_owned(),
            buffer: self.documents.get(&absolute(repo, path)).cloned(),
        }
    }

    /// A file as the index has it and as the editor shows it. One that is not in the index shows what the
    /// editor holds.
    ///
    /// # Errors
    ///
    /// A file that neither has.
    pub(crate) fn shown(&self, file: &RepoFile) -> Result<Rc<ShownFile>, Failure> {
        self.files
            .once(&file.repo.id, &file.path, || self.read(file))
    }

    /// The meaning of the names of a file, as the index has it.
    ///
    /// # Errors
    ///
    /// Those of the engine.
    pub(crate) fn names(&self, repo: &ServedRepo, path: &str) -> Result<Rc<FileNames>, Failure> {
        let request = FileNamesRequest {
            repo: repo.id.clone(),
            path: path.to_owned(),
            as_of: None,
        };
        self.names.once(&repo.id, path, || {
            Ok(self.engine().names_in_file(&request)?)
        })
    }

    fn read(&self, file: &RepoFile) -> Result<ShownFile, Failure> {
        let indexed = self.engine().file_outline(&file.repo.id, &file.path)?;
        let outline = match (indexed, &file.buffer) {
            (Some(outline), _) => outline,
            (None, Some(Document::Text(_))) => FileOutline::default(),
            (None, _) => return Err(self.left_out(file)),
        };
        let uri = self.uri(&file.repo, &file.path)?;
        Ok(ShownFile::new(
            uri,
            outline,
            file.buffer.as_ref(),
            self.shared.encoding,
        ))
    }

    fn left_out(&self, file: &RepoFile) -> Failure {
        Failure::request(format!(
            "{} is not in the index of {}: ignored, binary, generated or very large files are left out, \
             and `whyrank status` counts why",
            file.path, file.repo.name
        ))
    }

    /// The address of a file, as the editor writes it.
    pub(crate) fn uri(&self, repo: &ServedRepo, path: &str) -> Result<Uri, Failure> {
        uri_of(&below(&repo.written_root, path))
            .ok_or_else(|| Failure::request(format!("{path} has no address")))
    }

    /// Waits a moment for an index to ask, and for what was saved just now.
    ///
    /// # Errors
    ///
    /// An index that is not there yet, with how far it is.
    pub(crate) fn ready(&self, repo: &ServedRepo) -> Result<(), Failure> {
        let ready = || self.made_ready(repo);
        self.looked_after.once(&repo.id, "", ready).map(|_| ())
    }

    fn made_ready(&self, repo: &ServedRepo) -> Result<(), Failure> {
        let engine = self.engine();
        if !engine.wait_searchable(&repo.id, PATIENCE_MS)? {
            let jobs = engine.jobs();
            let own = jobs.iter().find(|job| job.repo == repo.id);
            return Err(Failure::request(match own {
                Some(job) if matches!(job.state, JobState::Running | JobState::Paused) => format!(
                    "{} is being indexed ({}); ask again in a moment",
                    repo.name,
                    words(job)
                ),
                Some(job) => match &job.error {
                    Some(error) => format!("{} could not be indexed: {}", repo.name, error.message),
                    None => format!("{} has no index; `whyrank index` makes it", repo.name),
                },
                None => format!("{} has no index; `whyrank index` makes it", repo.name),
            }));
        }
        // Where files are behind, an update is under way; answers are of what is indexed.
        engine.freshen(&repo.id, FRESH_MS, IndexOptions::default())?;
        Ok(())
    }
}

/// The absolute path of a file of a repository, without links in its folder.
fn absolute(repo: &ServedRepo, path: &str) -> PathBuf {
    below(&repo.root, path)
}

fn below(root: &Path, path: &str) -> PathBuf {
    let parts = path.split('/');
    parts.fold(root.to_owned(), |path, part| path.join(part))
}

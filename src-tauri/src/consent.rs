//! What the person agreed to in dialogs of the shell: paths that the page may hand on, and acts.
//!
//! The page draws what repositories hold, so a word from it is no consent. A path counts when a
//! dialog of the shell gave it, when it was dropped on the window, or when the person says yes to a
//! question that names it. Must never take the page's word for what a question says.

use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tauri::{AppHandle, Runtime};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath, MessageDialogButtons};
use whyrank_engine::api::EngineErrorDto;
use whyrank_system::visible;

/// What a dialog lets the person choose; its words are the shell's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PathChoice {
    Repository,
    TaskFile,
    Checkouts,
    ModelFolder,
    MemoFile,
}

/// A question to the person.
pub(crate) struct ConsentQuestion {
    pub(crate) text: String,
    /// The word on the button that agrees.
    pub(crate) agree: &'static str,
}

type Ask = dyn Fn(&ConsentQuestion) -> bool + Send + Sync;

#[derive(Default)]
struct Granted {
    /// Files, and folders with all that lies in them.
    read: BTreeSet<PathBuf>,
    write: BTreeSet<PathBuf>,
    acts: BTreeSet<String>,
}

/// The handle that commands share.
#[derive(Clone)]
pub(crate) struct Consent {
    ask: Arc<Ask>,
    granted: Arc<Mutex<Granted>>,
}

impl Consent {
    /// `ask` blocks until the person has answered.
    pub(crate) fn new(ask: impl Fn(&ConsentQuestion) -> bool + Send + Sync + 'static) -> Self {
        Self {
            ask: Arc::new(ask),
            granted: Arc::default(),
        }
    }

    /// Asks in message boxes of the system.
    pub(crate) fn in_dialogs<R: Runtime>(app: AppHandle<R>) -> Self {
        Self::new(move |question| {
            let buttons = MessageDialogButtons::OkCancelCustom(
                question.agree.to_owned(),
                "Cancel".to_owned(),
            );
            let asked = app.dialog().message(&question.text).title("Whyrank");
            asked.buttons(buttons).blocking_show()
        })
    }

    /// Lets the page have a file read, or a folder with all in it.
    pub(crate) fn grant_read(&self, path: impl Into<PathBuf>) {
        self.granted().read.insert(real(&path.into()));
    }

    /// Lets the page have a file written.
    pub(crate) fn grant_write(&self, path: impl Into<PathBuf>) {
        self.granted().write.insert(path.into());
    }

    /// Returns the path where it may be read; asks where it was typed and not chosen.
    pub(crate) fn read(&self, path: &str) -> Result<PathBuf, EngineErrorDto> {
        let asked = whole(path)?;
        self.read_all(std::slice::from_ref(&asked))?;
        Ok(asked)
    }

    /// Returns once all paths may be read; one question names those that were not chosen.
    pub(crate) fn read_all(&self, paths: &[PathBuf]) -> Result<(), EngineErrorDto> {
        let open: Vec<&PathBuf> = paths.iter().filter(|path| !self.may_read(path)).collect();
        let lines: Vec<String> = open
            .iter()
            .map(|path| visible::line(&path.to_string_lossy()).into_owned())
            .collect();
        let (what, agree) = match lines.len() {
            0 => return Ok(()),
            1 => ("this", "Read it"),
            _ => ("these folders", "Read them"),
        };
        self.ask(&ConsentQuestion {
            text: format!("Let Whyrank read {what}?\n\n{}", lines.join("\n")),
            agree,
        })?;
        open.into_iter().for_each(|path| self.grant_read(path));
        Ok(())
    }

    fn may_read(&self, path: &Path) -> bool {
        // A repository brings links of its own: what lies behind one is not in the folder.
        let target = real(path);
        let granted = self.granted();
        granted.read.iter().any(|folder| target.starts_with(folder))
    }

    /// Returns the path where a dialog gave it to be written.
    pub(crate) fn write(&self, path: &str) -> Result<PathBuf, EngineErrorDto> {
        let asked = whole(path)?;
        if self.granted().write.contains(&asked) {
            Ok(asked)
        } else {
            Err(refusal(
                format!("{} was not chosen", asked.display()),
                "choose where to write it in the dialog",
            ))
        }
    }

    /// Returns once the person agreed; in this window it is not asked again.
    pub(crate) fn act(&self, question: &ConsentQuestion) -> Result<(), EngineErrorDto> {
        if self.granted().acts.contains(&question.text) {
            return Ok(());
        }
        self.ask(question)?;
        self.granted().acts.insert(question.text.clone());
        Ok(())
    }

    /// Returns once the person agreed, each time again.
    pub(crate) fn ask(&self, question: &ConsentQuestion) -> Result<(), EngineErrorDto> {
        if (self.ask)(question) {
            Ok(())
        } else {
            Err(refusal(
                "nothing was done, as you did not agree".to_owned(),
                "press the button again, and agree when Whyrank asks",
            ))
        }
    }

    fn granted(&self) -> MutexGuard<'_, Granted> {
        self.granted.lock()
    }
}

/// Asks for a file or folder; `None` when the person changed their mind.
pub(crate) fn choose<R: Runtime>(app: &AppHandle<R>, what: PathChoice) -> Option<PathBuf> {
    let dialog = app.dialog().file();
    let titled = |title: &str| dialog.set_title(title);
    chosen(match what {
        PathChoice::Repository => titled("Choose a repository").blocking_pick_folder(),
        PathChoice::TaskFile => titled("Choose a task file").blocking_pick_file(),
        PathChoice::Checkouts => titled("Choose a folder with checkouts").blocking_pick_folder(),
        PathChoice::ModelFolder => {
            titled("Choose the folder with the model's files").blocking_pick_folder()
        }
        PathChoice::MemoFile => titled("Choose an export of memory").blocking_pick_file(),
    })
}

/// Asks where to save a file of this name.
pub(crate) fn choose_to_save<R: Runtime>(app: &AppHandle<R>, name: &str) -> Option<PathBuf> {
    let name = Path::new(name);
    let mut dialog: FileDialogBuilder<R> = app.dialog().file().set_title("Save");
    if let Some(last) = name.file_name() {
        dialog = dialog.set_file_name(last.to_string_lossy());
    }
    if let Some(kind) = name.extension().and_then(|kind| kind.to_str()) {
        dialog = dialog.add_filter(kind.to_uppercase(), &[kind]);
    }
    chosen(dialog.blocking_save_file())
}

fn chosen(path: Option<FilePath>) -> Option<PathBuf> {
    path.and_then(|path| path.into_path().ok())
}

/// A path from the root that climbs nowhere.
pub(crate) fn whole(path: &str) -> Result<PathBuf, EngineErrorDto> {
    let path = PathBuf::from(path);
    let climbs = path.components().any(|part| part == Component::ParentDir);
    if path.is_absolute() && !climbs {
        Ok(path)
    } else {
        Err(EngineErrorDto {
            code: "bad-argument".to_owned(),
            message: format!("{} is not a whole path", path.display()),
            hint: "give it from the root on, without `..`".to_owned(),
        })
    }
}

/// Where a path leads, links followed; a path to nothing is itself.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn refusal(message: String, hint: &str) -> EngineErrorDto {
    EngineErrorDto {
        code: "not-agreed".to_owned(),
        message,
        hint: hint.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusing() -> Consent {
        Consent::new(|_| false)
    }

    fn code<T>(answer: Result<T, EngineErrorDto>) -> String {
        answer.err().map_or_else(String::new, |error| error.code)
    }

    #[test]
    fn a_path_from_the_page_counts_only_when_the_person_chose_it() {
        let consent = refusing();
        assert_eq!(code(consent.read("/home/me/.ssh")), "not-agreed");
        assert_eq!(code(consent.write("/home/me/.bashrc")), "not-agreed");
        consent.grant_read("/code/axum");
        consent.grant_write("/tmp/trace.json");
        assert!(consent.read("/code/axum/src").is_ok());
        assert!(consent.write("/tmp/trace.json").is_ok());
        assert_eq!(code(consent.read("/code/axum-private")), "not-agreed");
        assert_eq!(code(consent.read("/code/axum/../../etc")), "bad-argument");
        assert_eq!(code(consent.write("/code/axum/x")), "not-agreed");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_a_granted_folder_is_asked_about() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("in"), folder.path().join("out"));
        std::fs::create_dir_all(&inside).unwrap();
        std::fs::create_dir_all(&outside).unwrap();
        std::os::unix::fs::symlink(&outside, inside.join("link")).unwrap();
        let consent = refusing();
        consent.grant_read(&inside);
        let link = inside.join("link").to_string_lossy().into_owned();
        assert_eq!(code(consent.read(&link)), "not-agreed");
        assert!(consent.read(&inside.to_string_lossy()).is_ok());
    }

    #[test]
    fn a_question_names_what_it_is_about_and_is_asked_once() {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let consent = Consent::new(move |question| {
            log.lock().push(question.text.clone());
            true
        });
        assert!(consent.read("/typed/by hand\nAgreed already").is_ok());
        assert!(consent.read("/typed/by hand\nAgreed already").is_ok());
        let asked = asked.lock();
        let [text] = asked.as_slice() else {
            panic!("{asked:?}");
        };
        assert!(text.ends_with("/typed/by hand\\nAgreed already"), "{text}");
    }
}

//! A repository or a link named on the command line, of the first launch or a later one.

use crate::events::{LinkOpened, RepoOpened};
use crate::links::link_of;
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use tauri::{AppHandle, Manager};
use tauri_specta::Event;
use whyrank_engine::EngineError;
use whyrank_engine::api::{IndexOptions, RepoId};

/// The repository last named on a command line, kept for a window that was not listening yet.
#[derive(Default)]
pub(crate) struct Launched(Mutex<Option<RepoId>>);

/// The link last opened, until the page takes it.
#[derive(Default)]
pub(crate) struct OpenedLink(Mutex<Option<String>>);

impl OpenedLink {
    /// Hands the link over, once.
    pub(crate) fn take(&self) -> Option<String> {
        self.0.lock().take()
    }
}

impl Launched {
    /// Hands the repository over, once.
    pub(crate) fn take(&self) -> Option<RepoId> {
        self.0.lock().take()
    }

    fn put(&self, repo: &RepoId) {
        *self.0.lock() = Some(repo.to_owned());
    }
}

/// Opens the path or the link on this process's command line, if there is one.
pub(crate) fn open_from_args(app: &AppHandle) {
    let args: Vec<String> = std::env::args().collect();
    open_link_in(app, &args);
    let cwd = std::env::current_dir().unwrap_or_default();
    if let Some(path) = path_argument(&args, &cwd) {
        open(app.clone(), path, false);
    }
}

/// Brings the window to the front and opens the path or the link that the second launch named.
pub(crate) fn on_second_launch(app: &AppHandle, args: Vec<String>, cwd: String) {
    raise(app);
    open_link_in(app, &args);
    if let Some(path) = path_argument(&args, Path::new(&cwd)) {
        open(app.clone(), path, true);
    }
}

/// Brings the window to the front.
pub(crate) fn raise(app: &AppHandle) {
    if let Some(window) = app.get_webview_window("main") {
        let raised = window
            .show()
            .and_then(|()| window.unminimize())
            .and_then(|()| window.set_focus());
        if let Err(error) = raised {
            tracing::warn!("cannot raise the window: {error}");
        }
    }
}

fn open_link_in(app: &AppHandle, args: &[String]) {
    if let Some(link) = args.iter().skip(1).find_map(|arg| link_of(arg)) {
        open_link(app, link);
    }
}

/// Keeps a link for the page, and tells the page that there is one.
pub(crate) fn open_link(app: &AppHandle, link: &str) {
    *app.state::<OpenedLink>().0.lock() = Some(link.to_owned());
    if let Err(error) = LinkOpened.emit(app) {
        tracing::warn!("cannot tell the window about a link: {error}");
    }
}

fn open(app: AppHandle, path: PathBuf, by_second_launch: bool) {
    std::thread::spawn(move || match add_and_index(&app, &path) {
        Ok(repo) => {
            app.state::<Launched>().put(&repo);
            let opened = RepoOpened {
                repo,
                by_second_launch,
            };
            if let Err(error) = opened.emit(&app) {
                tracing::warn!("cannot tell the window about {}: {error}", path.display());
            }
        }
        Err(error) => tracing::error!("cannot open {}: {error}", path.display()),
    });
}

fn add_and_index(app: &AppHandle, path: &Path) -> Result<RepoId, EngineError> {
    let engine = crate::engine(app);
    let repo = engine.add_repo(path)?;
    engine.start_index(&repo.id, IndexOptions::default())?;
    Ok(repo.id)
}

/// The first argument that is not an option, made absolute.
fn path_argument(args: &[String], cwd: &Path) -> Option<PathBuf> {
    args.iter()
        .skip(1)
        .find(|arg| !arg.starts_with('-') && !arg.starts_with("whyrank:"))
        .map(|arg| cwd.join(arg))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(args: &[&str], expected: Option<&str>) {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        assert_eq!(
            path_argument(&args, Path::new("/home/me")),
            expected.map(PathBuf::from)
        );
    }

    #[test]
    fn a_path_argument_is_absolute_and_options_are_passed_over() {
        check(&["whyrank-desktop"], None);
        check(&["whyrank-desktop", "code"], Some("/home/me/code"));
        check(
            &["whyrank-desktop", "--verbose", "/srv/code"],
            Some("/srv/code"),
        );
        check(&["whyrank-desktop", "whyrank://search?q=x"], None);
    }

    #[test]
    fn a_launched_repository_is_handed_over_once() {
        let launched = Launched::default();
        launched.put(&"abc".into());
        assert_eq!(launched.take().as_deref(), Some("abc"));
        assert_eq!(launched.take(), None);
    }
}

//! Engine events, forwarded to the window as one typed event.

use crate::desktop::Desktop;
use crate::notifications::Notifications;
use serde::{Deserialize, Serialize};
use specta::Type;
use tauri::{AppHandle, Manager};
use tauri_specta::Event;
use whyrank_engine::Engine;
use whyrank_engine::api::{EngineEvent, RepoId};

/// Something happened in the engine.
#[derive(Clone, Debug, Serialize, Deserialize, Type, Event)]
pub(crate) struct EngineNotice(pub(crate) EngineEvent);

/// A repository was named on a command line: select it.
#[derive(Clone, Debug, Serialize, Deserialize, Type, Event)]
pub(crate) struct RepoOpened {
    /// The repository's id.
    pub(crate) repo: RepoId,
    /// Whether a second launch named it, and the window should go to it. The first launch's is on the
    /// screen that the window starts with; anyone who went elsewhere meanwhile is not called back.
    pub(crate) by_second_launch: bool,
}

/// A link was opened; the page takes it.
#[derive(Clone, Debug, Serialize, Deserialize, Type, Event)]
pub(crate) struct LinkOpened;

/// Sends every engine event to the window until the engine goes away.
pub(crate) fn forward(engine: &Engine, app: AppHandle) {
    let receiver = engine.subscribe();
    std::thread::spawn(move || {
        for event in receiver {
            app.state::<Notifications>().hear(&app, &event);
            app.state::<Desktop>().hear(&app, &event);
            if let Err(error) = EngineNotice(event).emit(&app) {
                tracing::warn!("cannot send an event to the window: {error}");
            }
        }
    });
}

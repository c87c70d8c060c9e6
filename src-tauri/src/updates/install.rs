//! The updater of a program that was built with a key: finds, checks, installs, hands over.
//!
//! Tauri's updater asks one address, downloads, and refuses what the key did not sign for exactly the
//! version that was announced. Nothing is sent but the request itself.

use super::handover::{Handover, Left, Turn};
use super::{UpdateOffer, UpdateProgress, UpdateState, UpdatedBy};
use parking_lot::{Mutex, MutexGuard};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tauri::utils::config::BundleType;
use tauri::utils::platform::bundle_type;
use tauri::{AppHandle, Manager};
use tauri_plugin_updater::{Error, Update, UpdaterExt};
use tauri_specta::Event;
use tokio::sync::Notify;
use whyrank_engine::api::EngineErrorDto;
use whyrank_engine::{EngineError, EnginePaths};
use whyrank_system::program::{Program, Running, SearchPath, Streams};

/// The public key that new versions are signed for, as minisign writes it.
pub(crate) const KEY: &str = env!(
    "WHYRANK_UPDATER_KEY",
    "the feature `updater` takes the public key in WHYRANK_UPDATER_KEY; docs/release.md says how"
);
/// Where the newest version is announced.
const ANNOUNCED_AT: &str = match option_env!("WHYRANK_UPDATER_ENDPOINT") {
    Some(endpoint) => endpoint,
    None => "https://github.com/whyrank/whyrank/releases/latest/download/latest.json",
};
/// For an answer about the newest version.
const PATIENCE: Duration = Duration::from_secs(30);
/// For a new version to be up; a cold disk and a first start of the page are in it.
const START_PATIENCE: Duration = Duration::from_secs(60);

type Answer<T> = Result<T, EngineErrorDto>;

/// What is known of a new version, and the way to stop its download.
pub(crate) struct Updates {
    handover: Handover,
    found: Mutex<Option<Update>>,
    stop: Notify,
}

/// Finishes or undoes an update that nobody waits for any more, before anything else starts; whether the
/// version before was started in this one's place.
pub(crate) fn settle() -> bool {
    // Held until this program ends: another start leaves the update to it.
    static TRYING: Mutex<Option<File>> = Mutex::new(None);
    let settled = EnginePaths::from_env()
        .map_err(io::Error::other)
        .and_then(|paths| {
            let program = installed()?;
            let left =
                Handover::at(&paths.state_dir).settle(&program, env!("CARGO_PKG_VERSION"))?;
            match left {
                Left::Nothing(trying) => {
                    *TRYING.lock() = trying;
                    Ok(false)
                }
                Left::BroughtBack => start(&program, silent()).map(|program| {
                    program.let_go();
                    true
                }),
            }
        });
    settled.unwrap_or_else(|error| {
        tracing::warn!("an update that was left cannot be settled: {error}");
        false
    })
}

impl Default for Updates {
    fn default() -> Self {
        let state_dir = EnginePaths::from_env().map(|paths| paths.state_dir);
        Self {
            handover: Handover::at(&state_dir.unwrap_or_else(|_| std::env::temp_dir())),
            found: Mutex::default(),
            stop: Notify::new(),
        }
    }
}

impl Updates {
    fn found(&self) -> MutexGuard<'_, Option<Update>> {
        self.found.lock()
    }
}

pub(crate) fn state(app: &AppHandle) -> UpdateState {
    UpdateState {
        by: updated_by(),
        failed: app.state::<Updates>().handover.take_failure(),
    }
}

fn updated_by() -> UpdatedBy {
    match bundle_type() {
        Some(BundleType::Deb | BundleType::Rpm) => UpdatedBy::PackageManager,
        _ => UpdatedBy::Itself,
    }
}

/// Asks whether there is a newer version.
pub(crate) async fn check(app: &AppHandle) -> Answer<Option<UpdateOffer>> {
    let endpoint = ANNOUNCED_AT.parse().map_err(|_| unreadable())?;
    let builder = app.updater_builder().timeout(PATIENCE);
    let updater = builder
        .endpoints(vec![endpoint])
        .and_then(|builder| builder.build());
    let found = updater.map_err(said)?.check().await.map_err(said)?;
    let offer = found.as_ref().map(|update| UpdateOffer {
        version: update.version.clone(),
        notes: update.body.clone().unwrap_or_default(),
    });
    *app.state::<Updates>().found() = found;
    Ok(offer)
}

/// Downloads what the last check found, puts it in this program's place and gives it its turn. Does
/// not return where that succeeds; until the signature is verified nothing is changed.
pub(crate) async fn install(app: &AppHandle) -> Answer<()> {
    let updates = app.state::<Updates>();
    let found = updates.found().clone();
    let update = found.ok_or_else(|| {
        EngineError::new(
            "no-update",
            "no newer version is known",
            "check for updates first",
        )
    })?;
    if updated_by() != UpdatedBy::Itself {
        let message = "a package manager installed this program";
        return Err(EngineError::new("no-updater", message, "update it with that").into());
    }
    let program = installed().map_err(|error| uninstalled(&error))?;
    let bytes = tokio::select! {
        bytes = download(app, &update) => bytes?,
        () = updates.stop.notified() => return Err(cancelled()),
    };
    let handover = updates.handover.clone();
    let app = app.clone();
    let handed = tauri::async_runtime::spawn_blocking(move || {
        handover
            .keep(&program)
            .map_err(|error| uninstalled(&error))?;
        let _waiting = handover
            .expect(&update.version)
            .map_err(|error| uninstalled(&error))?;
        if let Err(error) = update.install(&bytes) {
            let _ = handover.confirm();
            return Err(said(error));
        }
        hand_over(&app, &handover, program).map_err(|error| uninstalled(&error))
    });
    handed
        .await
        .map_err(|error| uninstalled(&io::Error::other(error)))?
}

/// Stops a download; what is installed stays.
pub(crate) fn cancel(app: &AppHandle) {
    app.state::<Updates>().stop.notify_waiters();
}

/// Says to the version before, which waits for it, that this one is up.
pub(crate) fn page_is_up(app: &AppHandle) {
    if let Err(error) = app.state::<Updates>().handover.confirm() {
        tracing::warn!("the update cannot be confirmed: {error}");
    }
}

async fn download(app: &AppHandle, update: &Update) -> Answer<Vec<u8>> {
    let mut progress = UpdateProgress {
        done_bytes: 0.0,
        total_bytes: None,
    };
    let mut told = 0.0;
    let each = |n_bytes: usize, total: Option<u64>| {
        progress.done_bytes += n_bytes as f64;
        progress.total_bytes = total.map(|bytes| bytes as f64);
        if progress.done_bytes - told >= f64::from(1 << 18) {
            told = progress.done_bytes;
            let _ = progress.emit(app);
        }
    };
    update.download(each, || ()).await.map_err(said)
}

/// What is replaced: the AppImage, the folder of the app on macOS, else the program itself.
fn installed() -> io::Result<PathBuf> {
    #[cfg(target_os = "linux")]
    if let Some(image) = tauri::Env::default().appimage {
        return Ok(PathBuf::from(image));
    }
    let program = tauri::utils::platform::current_exe()?;
    let is_app = |path: &&std::path::Path| path.extension().is_some_and(|kind| kind == "app");
    let folder = program.ancestors().find(is_app);
    Ok(folder.map_or(program.clone(), PathBuf::from))
}

/// Starts the new version and ends this one; where it does not start, the one before comes back.
fn hand_over(app: &AppHandle, handover: &Handover, program: PathBuf) -> io::Result<()> {
    // Else the new one would find this one, hand its arguments over and end.
    tauri_plugin_single_instance::destroy(app);
    for window in app.webview_windows().values() {
        let _ = window.hide();
    }
    let turn = match start(&program, silent()) {
        Ok(running) => handover.wait(running, START_PATIENCE)?,
        Err(error) => {
            tracing::error!("the new version cannot be started: {error}");
            Turn::Missed
        }
    };
    if turn == Turn::Missed {
        handover.bring_back(&program)?;
        start(&program, silent())?.let_go();
    }
    app.exit(0);
    Ok(())
}

/// Starts what is installed, with this program's arguments.
fn start(program: &Path, streams: Streams) -> io::Result<Running> {
    let path = match program.extension() {
        Some(kind) if kind == "app" => tauri::utils::platform::current_exe()?,
        _ => program.to_owned(),
    };
    Program::new(path, std::env::current_dir().unwrap_or_else(|_| "/".into()))
        .args(std::env::args_os().skip(1))
        .with_whole_environment()
        .start(&SearchPath::outside_of_here(), streams)
}

fn silent() -> Streams {
    Streams {
        stdin: std::process::Stdio::null(),
        stdout: std::process::Stdio::null(),
        stderr: std::process::Stdio::inherit(),
    }
}

fn said(error: Error) -> EngineErrorDto {
    let (code, hint) = match &error {
        Error::Minisign(_)
        | Error::Base64(_)
        | Error::SignatureUtf8(_)
        | Error::MissingSignedVersion
        | Error::SignedVersionMismatch { .. } => (
            "update-signature",
            "nothing was changed; do not install this file by hand, and tell the project",
        ),
        Error::TargetNotFound(_) | Error::TargetsNotFound(_) => (
            "no-update",
            "the new version is not made for this system; see the release's page",
        ),
        Error::Reqwest(_) | Error::Network(_) | Error::ReleaseNotFound => (
            "offline",
            "check the connection and try again; what is installed goes on",
        ),
        _ => ("update-failed", "what is installed goes on; try again"),
    };
    EngineError::new(code, format!("no update: {error}"), hint).into()
}

fn uninstalled(error: &io::Error) -> EngineErrorDto {
    let hint = "check that this program's folder can be written";
    EngineError::new(
        "update-failed",
        format!("the update was not installed: {error}"),
        hint,
    )
    .into()
}

fn cancelled() -> EngineErrorDto {
    EngineError::new(
        "cancelled",
        "the download was stopped",
        "nothing was changed",
    )
    .into()
}

fn unreadable() -> EngineErrorDto {
    let hint = "build it with an address in WHYRANK_UPDATER_ENDPOINT";
    EngineError::new(
        "update-failed",
        "the address of updates cannot be read",
        hint,
    )
    .into()
}

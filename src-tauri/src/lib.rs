//! The desktop shell: a window over the engine.
//!
//! Commands are one line each and hold no retrieval logic; engine events go to the window through
//! one forwarding thread. `bindings.rs` writes the TypeScript that the window is checked against.

mod agents;
mod bindings;
mod commands;
mod consent;
mod desktop;
mod drawing;
mod events;
mod fresh;
mod idle;
mod launch;
mod links;
mod notifications;
mod palette_key;
mod shell;
#[cfg(all(test, target_os = "linux"))]
mod tests;
mod tray;
mod updates;

use agents::Agents;
use consent::Consent;
use desktop::Desktop;
use shell::Shell;
use std::process::ExitCode;
use tauri::{App, DragDropEvent, Manager, WebviewWindowBuilder, Window, WindowEvent};
use tauri_plugin_window_state::StateFlags;
use tracing_subscriber::EnvFilter;
use whyrank_benchmark::Bench;
use whyrank_engine::{Engine, EngineError, EnginePaths};

/// Opens the window and blocks until it is closed; a path on the command line is added and indexed.
pub fn run() -> ExitCode {
    drawing::choose();
    log_to_stderr();
    if updates::settle() {
        return ExitCode::SUCCESS;
    }
    match open_engine() {
        Ok((engine, paths)) => run_window(engine, paths),
        Err(error) => {
            tracing::error!("cannot open the engine: {error}");
            ExitCode::FAILURE
        }
    }
}

fn log_to_stderr() {
    let filter = EnvFilter::try_from_env("WHYRANK_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
}

fn open_engine() -> Result<(Engine, EnginePaths), EngineError> {
    let paths = EnginePaths::from_env()?;
    Ok((Engine::open(paths.clone())?, paths))
}

fn run_window(engine: Engine, paths: EnginePaths) -> ExitCode {
    let builder = bindings::builder();
    let agents = Agents::new(engine.clone(), &paths);
    let desktop = Desktop::open(&paths);
    let place = place(&paths);
    let bench = Bench::new(engine.clone(), paths);
    // First, so that a second launch ends before it does anything else.
    let one = tauri_plugin_single_instance::init(launch::on_second_launch);
    let window = tauri::Builder::default().plugin(one);
    #[cfg(feature = "updater")]
    let window = window.plugin(
        tauri_plugin_updater::Builder::new()
            .pubkey(updates::KEY)
            .build(),
    );
    let outcome = window
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_global_shortcut::Builder::new().build())
        .plugin(place)
        .manage(engine.clone())
        .manage(agents.clone())
        .manage(bench.clone())
        .manage(launch::Launched::default())
        .manage(launch::OpenedLink::default())
        .manage(notifications::Notifications::default())
        .manage(updates::Updates::default())
        .manage(desktop)
        .on_menu_event(|app, event| tray::on_menu(app, &event))
        .on_window_event(on_window_event)
        .invoke_handler(builder.invoke_handler())
        .setup(move |app| {
            builder.mount_events(app);
            let consent = Consent::in_dialogs(app.handle().clone());
            grant_named(&consent);
            app.manage(Shell {
                engine: engine.clone(),
                bench,
                agents,
                consent,
            });
            open_window(app)?;
            events::forward(&engine, app.handle().clone());
            follow(&engine);
            apply_choices(app);
            launch::open_from_args(app.handle());
            Ok(())
        })
        .build(tauri::generate_context!());
    match outcome {
        Ok(app) => {
            app.run(on_run_event);
            ExitCode::SUCCESS
        }
        Err(error) => {
            tracing::error!("the window could not be opened: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The one window, in the colour that its page had last: nothing flashes until it paints.
fn open_window(app: &App) -> tauri::Result<()> {
    let configured = app.config().app.windows.iter();
    for config in configured.filter(|window| !window.create) {
        let window = WebviewWindowBuilder::from_config(app.handle(), config)?.build()?;
        app.state::<Desktop>().prime(&window)?;
    }
    Ok(())
}

/// Keeps size and place of the window for the next start.
fn place(paths: &EnginePaths) -> tauri::plugin::TauriPlugin<tauri::Wry> {
    let file = paths.state_dir.join("window.json");
    let kept =
        StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED | StateFlags::FULLSCREEN;
    tauri_plugin_window_state::Builder::new()
        // An absolute name: everything of ours lies below `WHYRANK_HOME`.
        .with_filename(file.to_string_lossy())
        .with_state_flags(kept)
        .build()
}

/// The tray may have to be asked for on the bus: the window does not wait for it.
fn apply_choices(app: &App) {
    let app = app.handle().clone();
    let desktop = app.state::<Desktop>().inner().clone();
    std::thread::spawn(move || desktop.apply(&app));
}

/// Links come as arguments of a launch, except on macOS; there a press on the dock's icon comes here too.
#[cfg(target_os = "macos")]
fn on_run_event(app: &tauri::AppHandle, event: tauri::RunEvent) {
    match event {
        tauri::RunEvent::Opened { urls } => {
            let links: Vec<String> = urls.iter().map(ToString::to_string).collect();
            if let Some(link) = links.iter().find_map(|link| links::link_of(link)) {
                launch::raise(app);
                launch::open_link(app, link);
            }
        }
        tauri::RunEvent::Reopen { .. } => launch::raise(app),
        _ => {}
    }
}

#[cfg(not(target_os = "macos"))]
fn on_run_event(_: &tauri::AppHandle, _: tauri::RunEvent) {}

fn on_window_event(window: &Window, event: &WindowEvent) {
    match event {
        // Dropping something on the window lets it read that.
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            let shell = window.state::<Shell>();
            paths.iter().for_each(|path| shell.consent.grant_read(path));
        }
        WindowEvent::CloseRequested { api, .. } if window.state::<Desktop>().hides(window) => {
            api.prevent_close();
        }
        _ => {}
    }
}

/// More folders that the window may read, given at its start: for tests, which see no system dialog.
fn grant_named(consent: &Consent) {
    let named = std::env::var_os("WHYRANK_WINDOW_READS").unwrap_or_default();
    let folders = std::env::split_paths(&named).filter(|path| path.is_absolute());
    folders.for_each(|folder| consent.grant_read(folder));
}

/// Follows what changes on its own: files, and what agents remember.
fn follow(engine: &Engine) {
    engine.encode_memos_in_background();
    if let Err(error) = engine.follow_memory() {
        tracing::warn!("{error}");
    }
    let engine = engine.clone();
    // A large tree takes a while to be watched.
    std::thread::spawn(move || engine.follow_repositories());
}

/// The engine that the commands share.
fn engine<R: tauri::Runtime>(manager: &impl Manager<R>) -> Engine {
    manager.state::<Engine>().inner().clone()
}

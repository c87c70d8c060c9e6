//! The entry in the desktop's tray: what is being indexed, and the way back to the window. A desktop
//! without a tray gets none, and no error.

use crate::launch;
use crate::links::PALETTE;
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use tauri::menu::{Menu, MenuBuilder, MenuEvent, MenuItem, MenuItemBuilder};
use tauri::tray::{MouseButton, MouseButtonState, TrayIcon, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Wry};
use whyrank_engine::api::{JobProgress, JobState, RepoId};

/// More jobs are counted, not listed.
const MOST_LISTED: usize = 6;
const REPOSITORY: &str = "repository:";
const MORE: &str = "more";
const PAUSE: &str = "pause";
const RESUME: &str = "resume";
const OPEN: &str = "open";
const COMMANDS: &str = "commands";
const QUIT: &str = "quit";

/// The icon, where it is wanted and there is a tray.
#[derive(Default)]
pub(crate) struct Tray {
    /// Held while the main thread is waited for, which must therefore never ask for it.
    shown: Mutex<Option<Shown>>,
    is_visible: AtomicBool,
}

struct Shown {
    icon: TrayIcon,
    rows: Vec<Row>,
    items: Vec<MenuItem<Wry>>,
    names: HashMap<RepoId, String>,
}

/// A line of the menu that can be pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    id: String,
    text: String,
}

impl Row {
    fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            text: text.into(),
        }
    }
}

impl Tray {
    /// Shows the icon or takes it away.
    pub(crate) fn set(&self, app: &AppHandle, is_wanted: bool) {
        let mut shown = self.shown();
        let is_visible = is_wanted && missing().is_none();
        let outcome = match shown.as_mut() {
            None if is_visible => show(app).map(|new| *shown = Some(new)),
            None => Ok(()),
            // Once built it is hidden, not dropped: only the main thread may drop it.
            Some(old) => old
                .icon
                .set_visible(is_visible)
                .and_then(|()| old.update(app)),
        };
        if let Err(error) = &outcome {
            tracing::warn!("the tray icon is not as it should be: {error}");
        }
        self.is_visible
            .store(is_visible && outcome.is_ok(), Ordering::Relaxed);
    }

    /// Says whether there is an icon that the person can see.
    pub(crate) fn is_shown(&self) -> bool {
        self.is_visible.load(Ordering::Relaxed) && missing().is_none()
    }

    /// Takes a job's progress into the menu.
    pub(crate) fn hear(&self, app: &AppHandle, job: &JobProgress) {
        let mut shown = self.shown();
        let Some(shown) = shown.as_mut() else { return };
        if !shown.names.contains_key(&job.repo) {
            shown.names = names(app);
        }
        if let Err(error) = shown.update(app) {
            tracing::debug!("the tray menu stays as it was: {error}");
        }
    }

    fn shown(&self) -> MutexGuard<'_, Option<Shown>> {
        self.shown.lock()
    }
}

impl Shown {
    fn update(&mut self, app: &AppHandle) -> tauri::Result<()> {
        let rows = rows(&crate::engine(app).jobs(), &self.names);
        if rows == self.rows {
            return Ok(());
        }
        let ids = |rows: &[Row]| -> Vec<String> { rows.iter().map(|row| row.id.clone()).collect() };
        if ids(&rows) == ids(&self.rows) {
            // An open menu stays open.
            let changed = rows.iter().zip(&self.rows).zip(&self.items);
            for ((row, _), item) in changed.filter(|((row, old), _)| row.text != old.text) {
                item.set_text(&row.text)?;
            }
        } else {
            let (menu, items) = menu(app, &rows)?;
            self.icon.set_menu(Some(menu))?;
            self.items = items;
        }
        self.icon.set_tooltip(rows.first().map(|row| &row.text))?;
        self.rows = rows;
        Ok(())
    }
}

fn show(app: &AppHandle) -> tauri::Result<Shown> {
    let names = names(app);
    let rows = rows(&crate::engine(app).jobs(), &names);
    let (menu, items) = menu(app, &rows)?;
    let mut icon = TrayIconBuilder::with_id("whyrank")
        .menu(&menu)
        .tooltip("Whyrank")
        .show_menu_on_left_click(cfg!(target_os = "macos"))
        .on_tray_icon_event(|icon, event| {
            if is_press(&event) {
                launch::raise(icon.app_handle());
            }
        });
    if let Some(image) = app.default_window_icon() {
        icon = icon.icon(image.clone());
    }
    Ok(Shown {
        icon: icon.build(app)?,
        rows,
        items,
        names,
    })
}

/// Does what a line of the menu says.
pub(crate) fn on_menu(app: &AppHandle, event: &MenuEvent) {
    let id = event.id().as_ref();
    match id {
        PAUSE | RESUME => hold(app, id == PAUSE),
        OPEN => launch::raise(app),
        COMMANDS => follow(app, PALETTE),
        MORE => follow(app, "whyrank://repositories"),
        QUIT => app.exit(0),
        _ => {
            if let Some(repo) = id.strip_prefix(REPOSITORY) {
                follow(app, &format!("whyrank://repositories?repo={repo}"));
            }
        }
    }
}

fn follow(app: &AppHandle, link: &str) {
    launch::raise(app);
    launch::open_link(app, link);
}

/// Pauses or resumes all jobs.
fn hold(app: &AppHandle, is_pause: bool) {
    let engine = crate::engine(app);
    for job in engine.jobs().iter().filter(|job| is_at_work(job)) {
        let held = if is_pause {
            engine.pause_job(&job.job_id)
        } else {
            engine.resume_job(&job.job_id)
        };
        if let Err(error) = held {
            tracing::debug!("{error}");
        }
    }
}

fn names(app: &AppHandle) -> HashMap<RepoId, String> {
    let repos = crate::engine(app).repos().unwrap_or_default();
    repos.into_iter().map(|repo| (repo.id, repo.name)).collect()
}

/// What is being indexed, and what can be done about it.
fn rows(jobs: &[JobProgress], names: &HashMap<RepoId, String>) -> Vec<Row> {
    let jobs: Vec<&JobProgress> = jobs.iter().filter(|job| is_at_work(job)).collect();
    let named = |job: &JobProgress| {
        let name = names.get(&job.repo).map_or("A repository", String::as_str);
        Row::new(format!("{REPOSITORY}{}", job.repo), in_words(name, job))
    };
    let mut rows: Vec<Row> = jobs
        .iter()
        .take(MOST_LISTED)
        .map(|job| named(job))
        .collect();
    if jobs.len() > MOST_LISTED {
        rows.push(Row::new(MORE, format!("{} more", jobs.len() - MOST_LISTED)));
    }
    if jobs.is_empty() {
        rows.push(Row::new(MORE, "Nothing is being indexed"));
    } else if jobs.iter().all(|job| job.state == JobState::Paused) {
        rows.push(Row::new(RESUME, "Resume indexing"));
    } else {
        rows.push(Row::new(PAUSE, "Pause indexing"));
    }
    rows
}

/// `shop: vectors 45%`, as the status bar has it.
fn in_words(name: &str, job: &JobProgress) -> String {
    let paused = match job.state {
        JobState::Paused => "paused at ",
        _ => "",
    };
    let share = match job.total {
        0 => String::new(),
        total => format!(" {}%", u64::from(job.done) * 100 / u64::from(total)),
    };
    format!("{name}: {paused}{}{share}", job.stage)
}

fn is_at_work(job: &JobProgress) -> bool {
    matches!(job.state, JobState::Running | JobState::Paused)
}

fn menu(app: &AppHandle, rows: &[Row]) -> tauri::Result<(Menu<Wry>, Vec<MenuItem<Wry>>)> {
    let item = |row: &Row| MenuItemBuilder::with_id(&row.id, &row.text).build(app);
    let items: Vec<MenuItem<Wry>> = rows.iter().map(item).collect::<tauri::Result<_>>()?;
    let mut menu = MenuBuilder::new(app);
    for item in &items {
        menu = menu.item(item);
    }
    let menu = menu
        .separator()
        .text(OPEN, "Open Whyrank")
        .text(COMMANDS, "Commands…")
        .separator()
        .text(QUIT, "Quit Whyrank")
        .build()?;
    Ok((menu, items))
}

/// A press that opens the window: on Linux and macOS it opens the menu.
fn is_press(event: &TrayIconEvent) -> bool {
    cfg!(windows)
        && matches!(
            event,
            TrayIconEvent::Click {
                button: MouseButton::Left,
                button_state: MouseButtonState::Up,
                ..
            }
        )
}

/// Why there can be no icon.
#[cfg(target_os = "linux")]
pub(crate) fn missing() -> Option<&'static str> {
    if !has_library() {
        Some("the library libayatana-appindicator3 is not installed")
    } else if !has_watcher() {
        Some("this desktop shows none")
    } else {
        None
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn missing() -> Option<&'static str> {
    None
}

/// Says whether the library that draws the icon is installed: without it the tray's crate panics.
#[cfg(target_os = "linux")]
fn has_library() -> bool {
    use std::sync::OnceLock;

    static IS_THERE: OnceLock<bool> = OnceLock::new();
    *IS_THERE.get_or_init(|| {
        let names = ["libayatana-appindicator3.so.1", "libappindicator3.so.1"];
        names.iter().any(|name| {
            #[expect(unsafe_code, reason = "loading a library runs its initializers")]
            // SAFETY: the tray's crate loads the same library by the same name; its initializers
            // register GObject types, which may happen at any time.
            unsafe { libloading::Library::new(name) }.is_ok()
        })
    })
}

/// Says whether somebody shows icons: without, the library would draw one that nobody sees.
#[cfg(target_os = "linux")]
fn has_watcher() -> bool {
    use gio::prelude::ToVariant;

    const PATIENCE_MS: i32 = 400;
    let bus = gio::bus_get_sync(gio::BusType::Session, gio::Cancellable::NONE);
    let answer = bus.and_then(|bus| {
        bus.call_sync(
            Some("org.freedesktop.DBus"),
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus",
            "NameHasOwner",
            Some(&("org.kde.StatusNotifierWatcher",).to_variant()),
            None,
            gio::DBusCallFlags::NONE,
            PATIENCE_MS,
            gio::Cancellable::NONE,
        )
    });
    let owned = answer.ok().and_then(|answer| answer.get::<(bool,)>());
    owned.is_some_and(|(is_owned,)| is_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_engine::api::{JobStage, Lane};

    fn job(repo: &str, state: JobState, done: u32, total: u32) -> JobProgress {
        JobProgress {
            job_id: repo.into(),
            repo: repo.into(),
            lane: Lane::Vector,
            stage: JobStage::Vectors,
            done,
            total,
            rate: 1.0,
            eta_s: None,
            current: None,
            state,
            error: None,
        }
    }

    fn check(jobs: &[JobProgress], expected: &[(&str, &str)]) {
        let names = HashMap::from([
            ("a".into(), "shop".to_owned()),
            ("b".into(), "blog".to_owned()),
        ]);
        let expected: Vec<Row> = expected
            .iter()
            .map(|(id, text)| Row::new(*id, *text))
            .collect();
        assert_eq!(rows(jobs, &names), expected);
    }

    #[test]
    fn the_menu_names_what_is_being_indexed_and_offers_to_hold_it() {
        use JobState::{Cancelled, Done, Paused, Running};
        check(&[], &[(MORE, "Nothing is being indexed")]);
        check(
            &[job("a", Done, 2, 2), job("b", Cancelled, 1, 2)],
            &[(MORE, "Nothing is being indexed")],
        );
        check(
            &[job("a", Running, 9, 20), job("b", Paused, 1, 2)],
            &[
                ("repository:a", "shop: vectors 45%"),
                ("repository:b", "blog: paused at vectors 50%"),
                (PAUSE, "Pause indexing"),
            ],
        );
        check(
            &[job("c", Paused, 0, 0)],
            &[
                ("repository:c", "A repository: paused at vectors"),
                (RESUME, "Resume indexing"),
            ],
        );
    }

    #[test]
    fn jobs_beyond_a_handful_are_counted() {
        let jobs: Vec<JobProgress> = (0..9)
            .map(|at| job(&at.to_string(), JobState::Running, 0, 0))
            .collect();
        let rows = rows(&jobs, &HashMap::new());
        assert_eq!(rows.len(), MOST_LISTED + 2);
        assert_eq!(rows[MOST_LISTED], Row::new(MORE, "3 more"));
    }
}

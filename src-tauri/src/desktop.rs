//! What the person chose of the desktop: the tray, what closing does, the palette's key. Kept in a
//! file of the shell, which acts on it before there is a page. The page may choose among these, and
//! nothing else.

use crate::palette_key::{self, KeyState};
use crate::tray::Tray;
use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tauri::window::Color;
use tauri::{AppHandle, Theme, WebviewWindow, Window};
use whyrank_engine::api::{EngineErrorDto, EngineEvent};
use whyrank_engine::{EngineError, EnginePaths};
use whyrank_system::{files, regular};

const MAX_BYTES: u64 = 64 * 1024;
/// `--bg` of `tokens.css`, dark and light: what is seen before the page has painted.
const DARK: Color = Color(0x14, 0x17, 0x1c, 0xff);
const LIGHT: Color = Color(0xff, 0xff, 0xff, 0xff);
/// Smaller or larger, nothing of the window could be read.
const ZOOM: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// What the person chose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default)]
pub(crate) struct DesktopSettings {
    /// An icon in the tray says what is being indexed.
    pub(crate) tray: bool,
    /// Closing the window leaves the program in the tray; without a tray it ends the program.
    pub(crate) keep_in_tray: bool,
    /// The key that opens the palette from anywhere, as `Control+Alt+KeyW`.
    pub(crate) palette_key: Option<String>,
}

impl Default for DesktopSettings {
    fn default() -> Self {
        Self {
            tray: true,
            keep_in_tray: false,
            palette_key: None,
        }
    }
}

/// What was chosen, and what of it this desktop cannot do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) struct DesktopState {
    settings: DesktopSettings,
    /// Why there can be no tray icon.
    tray_missing: Option<String>,
    key: KeyState,
}

/// The file: what was chosen, and how the window looked last.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    settings: DesktopSettings,
    is_dark: Option<bool>,
}

/// The handle that commands share.
#[derive(Clone)]
pub(crate) struct Desktop {
    file: PathBuf,
    kept: Arc<Mutex<Kept>>,
    key: Arc<Mutex<KeyState>>,
    tray: Arc<Tray>,
}

impl Desktop {
    /// Reads what was chosen. A file that cannot be read is as good as none.
    pub(crate) fn open(paths: &EnginePaths) -> Self {
        let file = paths.state_dir.join("desktop.json");
        let kept = read(&file).unwrap_or_default();
        Self {
            file,
            kept: Arc::new(Mutex::new(kept)),
            key: Arc::default(),
            tray: Arc::default(),
        }
    }

    /// Gives the window the colour that its page had last, or will have at its first start.
    pub(crate) fn prime(&self, window: &WebviewWindow) -> tauri::Result<()> {
        let is_system_dark = || matches!(window.theme(), Ok(Theme::Dark));
        let is_dark = self.kept().is_dark.unwrap_or_else(is_system_dark);
        window.set_background_color(Some(colour(is_dark)))
    }

    /// Says what was chosen, and what of it there is.
    pub(crate) fn state(&self) -> DesktopState {
        DesktopState {
            settings: self.kept().settings,
            tray_missing: crate::tray::missing().map(str::to_owned),
            key: self.key().clone(),
        }
    }

    /// Does what was chosen, as far as this desktop can.
    pub(crate) fn apply(&self, app: &AppHandle) {
        let settings = self.kept().settings;
        self.tray.set(app, settings.tray);
        *self.key() = palette_key::register(app, settings.palette_key.as_deref());
    }

    /// Keeps another choice and does it.
    pub(crate) fn choose(
        &self,
        app: &AppHandle,
        settings: DesktopSettings,
    ) -> Result<DesktopState, EngineErrorDto> {
        if let Some(key) = &settings.palette_key {
            palette_key::parse(key)?;
        }
        self.keep(|kept| kept.settings = settings)?;
        self.apply(app);
        Ok(self.state())
    }

    /// Takes on the page's colour, now and at the next start.
    pub(crate) fn paint(
        &self,
        window: &WebviewWindow,
        is_dark: bool,
    ) -> Result<(), EngineErrorDto> {
        if let Err(error) = window.set_background_color(Some(colour(is_dark))) {
            tracing::debug!("the window keeps its background: {error}");
        }
        if self.kept().is_dark == Some(is_dark) {
            return Ok(());
        }
        self.keep(|kept| kept.is_dark = Some(is_dark))
    }

    /// Hides the window that is being closed, where it is to stay and can be called back.
    pub(crate) fn hides(&self, window: &Window) -> bool {
        let stays = self.kept().settings.keep_in_tray && self.tray.is_shown();
        stays && window.hide().is_ok()
    }

    /// Follows the jobs of the engine.
    pub(crate) fn hear(&self, app: &AppHandle, event: &EngineEvent) {
        if let EngineEvent::Progress(job) = event {
            self.tray.hear(app, job);
        }
    }

    fn keep(&self, change: impl FnOnce(&mut Kept)) -> Result<(), EngineErrorDto> {
        let mut kept = self.kept.lock();
        change(&mut kept);
        write(&self.file, &kept).map_err(|error| {
            let message = format!("cannot write {}: {error}", self.file.display());
            EngineError::new("write-failed", message, "check the permissions there").into()
        })
    }

    fn kept(&self) -> Kept {
        let kept = self.kept.lock();
        kept.clone()
    }

    fn key(&self) -> MutexGuard<'_, KeyState> {
        self.key.lock()
    }
}

/// Draws the page larger or smaller.
pub(crate) fn zoom(window: &WebviewWindow, factor: f64) -> Result<(), EngineErrorDto> {
    let refused = |message: String| EngineError::new("zoom", message, "choose 0.5 to 2");
    if !ZOOM.contains(&factor) {
        return Err(refused(format!("{factor} is no zoom of this window")).into());
    }
    let zoomed = window.set_zoom(factor);
    Ok(zoomed.map_err(|error| refused(format!("the window cannot zoom: {error}")))?)
}

fn colour(is_dark: bool) -> Color {
    if is_dark { DARK } else { LIGHT }
}

fn read(file: &Path) -> Option<Kept> {
    let text = regular::read_text(file, MAX_BYTES).ok()?;
    let read = serde_json::from_str(&text);
    read.inspect_err(|error| tracing::warn!("{} is left aside: {error}", file.display()))
        .ok()
}

fn write(file: &Path, kept: &Kept) -> std::io::Result<()> {
    let text = serde_json::to_vec_pretty(kept)?;
    file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    files::replace(file, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_kept_and_a_broken_file_is_none() {
        let home = tempfile::tempdir().expect("a folder");
        let paths = EnginePaths::below(home.path());
        let first = Desktop::open(&paths);
        assert_eq!(first.kept().settings, DesktopSettings::default());
        let choice = DesktopSettings {
            keep_in_tray: true,
            palette_key: Some("Control+Alt+KeyW".to_owned()),
            ..DesktopSettings::default()
        };
        first
            .keep(|kept| kept.settings = choice.clone())
            .expect("it is written");
        first
            .keep(|kept| kept.is_dark = Some(true))
            .expect("it is written");
        let second = Desktop::open(&paths);
        assert_eq!(second.kept().settings, choice);
        assert_eq!(second.kept().is_dark, Some(true));
        std::fs::write(&second.file, "{").expect("it is damaged");
        assert_eq!(
            Desktop::open(&paths).kept().settings,
            DesktopSettings::default()
        );
    }

    #[test]
    fn the_colours_are_those_of_the_page() {
        let tokens = include_str!("../../ui/src/styles/tokens.css");
        let backgrounds: Vec<&str> = tokens
            .lines()
            .filter_map(|line| line.trim().strip_prefix("--bg: #")?.strip_suffix(';'))
            .collect();
        let hex = |Color(red, green, blue, _): Color| format!("{red:02x}{green:02x}{blue:02x}");
        assert_eq!(backgrounds, [hex(LIGHT), hex(DARK)]);
    }
}

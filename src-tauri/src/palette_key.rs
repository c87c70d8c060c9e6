//! The key that opens the palette from anywhere: one that the person chose, or none.

use crate::launch;
use crate::links::PALETTE;
use serde::{Deserialize, Serialize};
use specta::Type;
use tauri::AppHandle;
use tauri_plugin_global_shortcut::{GlobalShortcutExt, Modifiers, Shortcut, ShortcutState};
use whyrank_engine::EngineError;

/// Whether there can be such a key, and what became of the one that was chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) struct KeyState {
    /// Why no program can have one here; the desktop's own settings can.
    unavailable: Option<String>,
    /// Why the one that was chosen does not work.
    refused: Option<String>,
}

/// Reads a key. One without Ctrl, Alt or the system's key would be missing everywhere else.
///
/// # Errors
/// `bad-argument` where it is no key, or one that other programs need.
pub(crate) fn parse(key: &str) -> Result<Shortcut, EngineError> {
    let bad = |message: String| {
        EngineError::new(
            "bad-argument",
            message,
            "press Ctrl, Alt or Super and a key",
        )
    };
    let read: Shortcut = key.parse().map_err(|_| bad(format!("`{key}` is no key")))?;
    let held = Modifiers::CONTROL | Modifiers::ALT | Modifiers::SUPER;
    if read.mods.intersects(held) {
        Ok(read)
    } else {
        Err(bad(format!("`{key}` would be taken from all programs")))
    }
}

/// Makes this the one key that opens the palette; without one there is none.
pub(crate) fn register(app: &AppHandle, key: Option<&str>) -> KeyState {
    if let Some(reason) = unavailable(|name| std::env::var(name).ok()) {
        return KeyState {
            unavailable: Some(reason.to_owned()),
            refused: None,
        };
    }
    let keys = app.global_shortcut();
    if let Err(error) = keys.unregister_all() {
        tracing::debug!("the old key stays: {error}");
    }
    KeyState {
        unavailable: None,
        refused: key.and_then(|key| take(app, key).err()),
    }
}

fn take(app: &AppHandle, key: &str) -> Result<(), String> {
    let key = parse(key).map_err(|error| error.to_string())?;
    let pressed =
        move |app: &AppHandle, _: &Shortcut, event: tauri_plugin_global_shortcut::ShortcutEvent| {
            if event.state == ShortcutState::Pressed {
                launch::raise(app);
                launch::open_link(app, PALETTE);
            }
        };
    app.global_shortcut()
        .on_shortcut(key, pressed)
        .map_err(|error| {
            tracing::debug!("the key is refused: {error}");
            "another program has it".to_owned()
        })
}

/// Why a program cannot have a key of its own in this session.
fn unavailable(variable: impl Fn(&str) -> Option<String>) -> Option<&'static str> {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    if !cfg!(target_os = "linux") {
        None
    } else if is_set("WAYLAND_DISPLAY")
        || variable("XDG_SESSION_TYPE").as_deref() == Some("wayland")
    {
        Some("Wayland lets no program take a key")
    } else if is_set("DISPLAY") {
        None
    } else {
        Some("there is no X display")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_needs_one_that_is_held() {
        for key in ["Control+Alt+KeyW", "Super+Space", "Alt+F2"] {
            assert!(parse(key).is_ok(), "{key}");
        }
        for key in ["KeyW", "Shift+KeyW", "Space", "", "Control+", "rm -rf"] {
            assert_eq!(parse(key).expect_err(key).code, "bad-argument");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_session_under_wayland_has_no_key() {
        let check = |set: &[(&str, &str)], expected| {
            let variable = |name: &str| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(unavailable(variable).is_some(), expected, "{set:?}");
        };
        check(&[("DISPLAY", ":0")], false);
        check(&[("DISPLAY", ":0"), ("XDG_SESSION_TYPE", "x11")], false);
        check(&[("DISPLAY", ":0"), ("WAYLAND_DISPLAY", "wayland-0")], true);
        check(&[("DISPLAY", ":0"), ("XDG_SESSION_TYPE", "wayland")], true);
        check(&[], true);
    }
}

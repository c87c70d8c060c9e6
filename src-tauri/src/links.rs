//! `whyrank://` links. One from outside is data: it is handed to the page, which opens a screen of a
//! repository that is registered, or says that it is not. Nothing is registered, indexed or started.

use crate::consent::{Consent, ConsentQuestion};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::path::{Path, PathBuf};
use std::time::Duration;
use whyrank_engine::EngineError;
use whyrank_engine::api::EngineErrorDto;
use whyrank_system::program::{Program, SearchPath};

/// Longer ones are no links of ours.
const MAX_BYTES: usize = 4096;
const SCHEME: &str = "whyrank://";
/// The link that opens the palette.
pub(crate) const PALETTE: &str = "whyrank://palette";
const FILE: &str = "dev.whyrank.links.desktop";
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether links are opened here, and whether this desktop lets that be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) struct LinkState {
    /// Links open this program, because the person chose so.
    pub(crate) opens_here: bool,
    /// Why it cannot be chosen here; installed packages bring it with them.
    pub(crate) missing: Option<String>,
}

/// The link that an argument is, or nothing: other text does not come near the page.
pub(crate) fn link_of(argument: &str) -> Option<&str> {
    let is_plain =
        argument.len() <= MAX_BYTES && argument.bytes().all(|byte| byte.is_ascii_graphic());
    match argument {
        "--palette" => Some(PALETTE),
        _ => (is_plain && argument.starts_with(SCHEME)).then_some(argument),
    }
}

/// Says how links stand on this desktop.
pub(crate) fn state() -> LinkState {
    let missing = match (entry(), opener()) {
        _ if !cfg!(target_os = "linux") => Some("the installed program opens links".to_owned()),
        (None, _) => Some("no home folder is known".to_owned()),
        (_, None) => Some("xdg-mime is not installed".to_owned()),
        _ => None,
    };
    LinkState {
        opens_here: entry().is_some_and(|file| file.is_file()),
        missing,
    }
}

/// Makes this program the one that opens links, once the person agreed; or takes that back.
pub(crate) fn open_here(consent: &Consent, is_on: bool) -> Result<LinkState, EngineErrorDto> {
    let unknown = || {
        EngineError::new(
            "no-home",
            "links cannot be opened here",
            "install Whyrank's package",
        )
    };
    let (file, opener) = entry().zip(opener()).ok_or_else(unknown)?;
    let unwritten = |error: std::io::Error| {
        let message = format!("cannot write {}: {error}", file.display());
        EngineError::new("write-failed", message, "check the permissions there")
    };
    if is_on {
        let program = std::env::current_exe().map_err(unwritten)?;
        consent.act(&ConsentQuestion {
            text: format!(
                "Open whyrank:// links with {}?\n\nThis writes {}.",
                program.display(),
                file.display()
            ),
            agree: "Open links",
        })?;
        file.parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .map_err(unwritten)?;
        std::fs::write(&file, desktop_entry(&program)).map_err(unwritten)?;
        let asked = ["default", FILE, "x-scheme-handler/whyrank"];
        let folder = file.parent().unwrap_or(Path::new("/"));
        let told = Program::new(opener, folder).args(asked);
        told.output(&SearchPath::outside_of_here(), PATIENCE)
            .map_err(|error| {
                let message = format!("xdg-mime failed: {error}");
                EngineError::new(
                    "links",
                    message,
                    "choose Whyrank for whyrank:// in the desktop's settings",
                )
            })?;
    } else if file.is_file() {
        std::fs::remove_file(&file).map_err(unwritten)?;
    }
    Ok(state())
}

fn opener() -> Option<PathBuf> {
    SearchPath::outside_of_here().find("xdg-mime")
}

/// The person's own entry for the program.
fn entry() -> Option<PathBuf> {
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    let home = || Some(Path::new(&std::env::var_os("HOME")?).join(".local/share"));
    let data = data.filter(|folder| folder.is_absolute()).or_else(home)?;
    Some(data.join("applications").join(FILE))
}

fn desktop_entry(program: &Path) -> String {
    // What a quoted argument of an entry must escape.
    let program = program.to_string_lossy();
    let quoted: String = program
        .chars()
        .flat_map(|char| {
            matches!(char, '"' | '`' | '$' | '\\')
                .then_some('\\')
                .into_iter()
                .chain([char])
        })
        .collect();
    format!(
        "[Desktop Entry]\nType=Application\nName=Whyrank\nNoDisplay=true\nExec=\"{quoted}\" %u\n\
         MimeType=x-scheme-handler/whyrank;\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_short_plain_link_of_ours_is_one() {
        assert_eq!(
            link_of("whyrank://search?q=a%20b"),
            Some("whyrank://search?q=a%20b")
        );
        assert_eq!(link_of("--palette"), Some(PALETTE));
        for other in [
            "whyrank://a b",
            "whyrank://é",
            "https://x",
            "/home/me",
            "whyrank:x",
        ] {
            assert_eq!(link_of(other), None, "{other}");
        }
        assert_eq!(
            link_of(&format!("whyrank://{}", "x".repeat(MAX_BYTES))),
            None
        );
    }

    #[test]
    fn an_entry_names_the_program_as_one_argument() {
        let entry = desktop_entry(Path::new("/opt/my \"$tools\"/whyrank-desktop"));
        assert!(
            entry.contains("Exec=\"/opt/my \\\"\\$tools\\\"/whyrank-desktop\" %u\n"),
            "{entry}"
        );
    }
}

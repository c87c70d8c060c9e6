//! The task files that come with Whyrank, in the program itself.

use crate::checkouts::folder;
use crate::error::Result;
use crate::store::save;
use std::path::{Path, PathBuf};

include!(concat!(env!("OUT_DIR"), "/tasks.rs"));

/// Writes the task files where they are missing or of another version; returns their folder.
///
/// # Errors
/// `Io`.
pub(crate) fn unpack(home: &Path) -> Result<PathBuf> {
    folder(home)?;
    for (name, text) in TASKS {
        let path = home.join(name);
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
            save(&path, text)?;
        }
    }
    Ok(home.to_owned())
}

//! New versions of this program: looked for when the person asks, or once a day where they chose so.
//!
//! Only a program that was built with a key (the feature `updater`) replaces itself. What a package
//! manager installed is the package manager's; what somebody built is theirs to build again.

#[cfg(any(feature = "updater", all(test, unix)))]
mod handover;
#[cfg(feature = "updater")]
mod install;

use serde::{Deserialize, Serialize};
use specta::Type;
use tauri_specta::Event;

#[cfg(feature = "updater")]
pub(crate) use install::{KEY, Updates, cancel, check, install, page_is_up, settle, state};
#[cfg(not(feature = "updater"))]
pub(crate) use without::{Updates, cancel, check, install, page_is_up, settle, state};

/// Who brings new versions of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum UpdatedBy {
    /// The program replaces itself.
    Itself,
    /// The package manager that installed it; the program can say that there is a new version.
    PackageManager,
    /// Whoever built it.
    Builder,
}

/// How this program is kept up to date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) struct UpdateState {
    pub(crate) by: UpdatedBy,
    /// The version that was installed, did not start, and was taken back.
    pub(crate) failed: Option<String>,
}

/// A newer version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) struct UpdateOffer {
    pub(crate) version: String,
    /// What is new in it, as its release says.
    pub(crate) notes: String,
}

/// How much of a new version has been downloaded.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type, Event)]
pub(crate) struct UpdateProgress {
    pub(crate) done_bytes: f64,
    /// Absent where the server does not say.
    pub(crate) total_bytes: Option<f64>,
}

#[cfg(not(feature = "updater"))]
mod without {
    use super::{UpdateOffer, UpdateState, UpdatedBy};
    use tauri::AppHandle;
    use whyrank_engine::api::EngineErrorDto;

    /// Nothing is kept.
    #[derive(Default)]
    pub(crate) struct Updates {}

    pub(crate) fn state(_: &AppHandle) -> UpdateState {
        UpdateState {
            by: UpdatedBy::Builder,
            failed: None,
        }
    }

    pub(crate) async fn check(_: &AppHandle) -> Result<Option<UpdateOffer>, EngineErrorDto> {
        Err(refusal())
    }

    pub(crate) async fn install(_: &AppHandle) -> Result<(), EngineErrorDto> {
        Err(refusal())
    }

    pub(crate) fn cancel(_: &AppHandle) {}

    pub(crate) fn page_is_up(_: &AppHandle) {}

    pub(crate) fn settle() -> bool {
        false
    }

    fn refusal() -> EngineErrorDto {
        EngineErrorDto {
            code: "no-updater".to_owned(),
            message: "this program was built without an updater".to_owned(),
            hint: "update it the way it was installed".to_owned(),
        }
    }
}

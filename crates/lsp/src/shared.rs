//! The state that all requests share.

use crate::client::Client;
use crate::documents::Documents;
use crate::encoding::Encoding;
use crate::last_locals::LastLocals;
use crate::mode::Mode;
use crate::roots::Roots;
use serde::Deserialize;
use std::sync::Arc;
use whyrank_engine::Engine;

/// The choices that the editor's configuration makes for this server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Options {
    /// Drifted memos are shown as diagnostics.
    pub(crate) diagnostics: bool,
    /// Definitions and references without those that may mean something else.
    pub(crate) certain_only: bool,
}

/// The state that all requests share.
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    pub(crate) mode: Mode,
    pub(crate) options: Options,
    pub(crate) encoding: Encoding,
    pub(crate) client: Arc<Client>,
    pub(crate) documents: Documents,
    pub(crate) last_locals: LastLocals,
    pub(crate) roots: Roots,
}

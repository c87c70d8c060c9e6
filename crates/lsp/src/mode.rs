//! The company in which the editor is served.

use lsp_types::request::{
    CallHierarchyIncomingCalls, CallHierarchyOutgoingCalls, CallHierarchyPrepare, CodeLensRequest,
    CodeLensResolve, HoverRequest, Request, WorkspaceSymbolRequest,
};

/// The company in which the editor is served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nobody: everything is offered.
    #[default]
    Alone,
    /// The language's own server: what that one answers is left to it, so that nothing comes twice.
    Beside,
}

/// The methods that are offered beside the language's own server.
const BESIDE: [&str; 7] = [
    WorkspaceSymbolRequest::METHOD,
    HoverRequest::METHOD,
    CodeLensRequest::METHOD,
    CodeLensResolve::METHOD,
    CallHierarchyPrepare::METHOD,
    CallHierarchyIncomingCalls::METHOD,
    CallHierarchyOutgoingCalls::METHOD,
];

impl Mode {
    /// Says whether a method is offered.
    pub(crate) fn offers(self, method: &str) -> bool {
        self == Self::Alone || BESIDE.contains(&method)
    }
}

//! The methods, a file each.

mod call_hierarchy;
mod code_lens;
mod declaration;
mod definition;
pub(crate) mod diagnostics;
mod document_highlight;
mod document_symbol;
mod hover;
mod implementation;
mod references;
mod type_definition;
mod type_hierarchy;
mod workspace_symbol;

use crate::ask::Ask;
use crate::failure::Failure;
use lsp_server::ErrorCode;
use lsp_types::request::{
    CallHierarchyIncomingCalls, CallHierarchyOutgoingCalls, CallHierarchyPrepare, CodeLensRequest,
    CodeLensResolve, DocumentHighlightRequest, DocumentSymbolRequest, GotoDeclaration,
    GotoDefinition, GotoImplementation, GotoTypeDefinition, HoverRequest, References, Request,
    TypeHierarchyPrepare, TypeHierarchySubtypes, TypeHierarchySupertypes, WorkspaceSymbolRequest,
};
use serde_json::Value;

/// Defines the methods and what answers them.
macro_rules! methods {
    ($($request:ty => $answer:path;)+) => {
        /// Says whether there is such a method.
        pub(crate) fn is_known(method: &str) -> bool {
            [$(<$request>::METHOD),+].contains(&method)
        }

        /// Answers a request.
        ///
        /// # Errors
        ///
        /// Parameters that cannot be read, and those of the method.
        pub(crate) fn answer(ask: &Ask<'_>, method: &str, params: Value) -> Result<Value, Failure> {
            match method {
                $(<$request>::METHOD => run::<$request>(ask, params, $answer),)+
                _ => Err(Failure::new(ErrorCode::MethodNotFound, format!("{method} is unknown"))),
            }
        }
    };
}

methods! {
    GotoDefinition => definition::answer;
    GotoDeclaration => declaration::answer;
    GotoTypeDefinition => type_definition::answer;
    GotoImplementation => implementation::answer;
    References => references::answer;
    HoverRequest => hover::answer;
    DocumentHighlightRequest => document_highlight::answer;
    DocumentSymbolRequest => document_symbol::answer;
    WorkspaceSymbolRequest => workspace_symbol::answer;
    CodeLensRequest => code_lens::answer;
    CodeLensResolve => code_lens::resolve;
    CallHierarchyPrepare => call_hierarchy::prepare;
    CallHierarchyIncomingCalls => call_hierarchy::incoming;
    CallHierarchyOutgoingCalls => call_hierarchy::outgoing;
    TypeHierarchyPrepare => type_hierarchy::prepare;
    TypeHierarchySupertypes => type_hierarchy::supertypes;
    TypeHierarchySubtypes => type_hierarchy::subtypes;
}

fn run<R: Request>(
    ask: &Ask<'_>,
    params: Value,
    answer: impl FnOnce(&Ask<'_>, R::Params) -> Result<R::Result, Failure>,
) -> Result<Value, Failure> {
    let params = serde_json::from_value(params).map_err(|error| {
        let message = format!("the parameters of {} cannot be read: {error}", R::METHOD);
        Failure::new(ErrorCode::InvalidParams, message)
    })?;
    let answer = answer(ask, params)?;
    serde_json::to_value(answer)
        .map_err(|error| Failure::new(ErrorCode::InternalError, error.to_string()))
}

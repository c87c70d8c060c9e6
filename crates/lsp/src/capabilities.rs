//! Everything that is offered, told to the client when it begins.

use crate::encoding::Encoding;
use crate::mode::Mode;
use lsp_types::request::{
    CallHierarchyPrepare, CodeLensRequest, DocumentHighlightRequest, DocumentSymbolRequest,
    GotoDeclaration, GotoDefinition, GotoImplementation, GotoTypeDefinition, HoverRequest,
    References, Request, TypeHierarchyPrepare, WorkspaceSymbolRequest,
};
use lsp_types::{
    CallHierarchyServerCapability, CodeLensOptions, DeclarationCapability, FileOperationFilter,
    FileOperationPattern, FileOperationRegistrationOptions, HoverProviderCapability,
    ImplementationProviderCapability, OneOf, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, TypeDefinitionProviderCapability,
    WorkspaceFileOperationsServerCapabilities, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use serde_json::{Value, json};

/// The answer to `initialize`.
pub(crate) fn initialize_result(mode: Mode, encoding: Encoding) -> Value {
    let mut capabilities = json!(capabilities(mode, encoding));
    if mode.offers(TypeHierarchyPrepare::METHOD) {
        // The types know the requests and not yet that they are offered.
        capabilities["typeHierarchyProvider"] = json!(true);
    }
    json!({
        "capabilities": capabilities,
        "serverInfo": {"name": "whyrank", "version": env!("CARGO_PKG_VERSION")},
    })
}

fn capabilities(mode: Mode, encoding: Encoding) -> ServerCapabilities {
    let offers = |method: &str| mode.offers(method);
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(sync()),
        hover_provider: offers(HoverRequest::METHOD)
            .then_some(HoverProviderCapability::Simple(true)),
        definition_provider: simple(mode, GotoDefinition::METHOD),
        declaration_provider: offers(GotoDeclaration::METHOD)
            .then_some(DeclarationCapability::Simple(true)),
        type_definition_provider: offers(GotoTypeDefinition::METHOD)
            .then_some(TypeDefinitionProviderCapability::Simple(true)),
        implementation_provider: offers(GotoImplementation::METHOD)
            .then_some(ImplementationProviderCapability::Simple(true)),
        references_provider: simple(mode, References::METHOD),
        document_highlight_provider: simple(mode, DocumentHighlightRequest::METHOD),
        document_symbol_provider: simple(mode, DocumentSymbolRequest::METHOD),
        workspace_symbol_provider: simple(mode, WorkspaceSymbolRequest::METHOD),
        code_lens_provider: offers(CodeLensRequest::METHOD).then_some(CodeLensOptions {
            resolve_provider: Some(true),
        }),
        call_hierarchy_provider: offers(CallHierarchyPrepare::METHOD)
            .then_some(CallHierarchyServerCapability::Simple(true)),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: Some(file_operations()),
        }),
        ..ServerCapabilities::default()
    }
}

fn simple<T>(mode: Mode, method: &str) -> Option<OneOf<bool, T>> {
    mode.offers(method).then_some(OneOf::Left(true))
}

/// The index follows files that the editor itself makes, renames and deletes.
fn file_operations() -> WorkspaceFileOperationsServerCapabilities {
    let every_file = FileOperationRegistrationOptions {
        filters: vec![FileOperationFilter {
            scheme: Some("file".to_owned()),
            pattern: FileOperationPattern {
                glob: "**/*".to_owned(),
                ..FileOperationPattern::default()
            },
        }],
    };
    WorkspaceFileOperationsServerCapabilities {
        did_create: Some(every_file.clone()),
        did_rename: Some(every_file.clone()),
        did_delete: Some(every_file),
        ..WorkspaceFileOperationsServerCapabilities::default()
    }
}

/// Edits come as edits; a save says only that there was one.
fn sync() -> TextDocumentSyncCapability {
    TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
            include_text: Some(false),
        })),
        ..TextDocumentSyncOptions::default()
    })
}

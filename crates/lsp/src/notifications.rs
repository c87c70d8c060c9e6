//! Notifications: the client tells them and waits for no answer, in the order in which it tells it.

use crate::methods::diagnostics;
use crate::roots::{OpenedFolder, real_file};
use crate::shared::Shared;
use crate::uri::{mend, path_of};
use lsp_server::Notification;
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidCloseTextDocument,
    DidCreateFiles, DidDeleteFiles, DidOpenTextDocument, DidRenameFiles, DidSaveTextDocument,
    Notification as _,
};
use lsp_types::{
    CreateFilesParams, DeleteFilesParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, FileRename, MessageType, RenameFilesParams, Uri,
};
use serde::de::DeserializeOwned;
use std::path::Path;
use std::str::FromStr;
use whyrank_engine::api::IndexOptions;

/// Takes in a notification; one that is not known, or cannot be read, changes nothing. Says of which open
/// file something is to be told unasked.
pub(crate) fn hear(shared: &Shared, mut told: Notification) -> Option<Uri> {
    mend(&mut told.params);
    match told.method.as_str() {
        DidOpenTextDocument::METHOD => opened(shared, read(told)?),
        DidChangeTextDocument::METHOD => changed(shared, read(told)?),
        DidCloseTextDocument::METHOD => closed(shared, &read(told)?),
        DidSaveTextDocument::METHOD => saved(shared, &read(told)?),
        DidChangeWatchedFiles::METHOD => files_changed(shared, &read(told)?),
        DidCreateFiles::METHOD => paths_changed(shared, created(read(told)?)),
        DidRenameFiles::METHOD => paths_changed(shared, renamed(read(told)?)),
        DidDeleteFiles::METHOD => paths_changed(shared, deleted(read(told)?)),
        DidChangeWorkspaceFolders::METHOD => folders_changed(shared, &read(told)?),
        _ => None,
    }
}

fn read<P: DeserializeOwned>(told: Notification) -> Option<P> {
    match serde_json::from_value(told.params) {
        Ok(params) => Some(params),
        Err(error) => {
            tracing::warn!(method = told.method, %error, "a notification cannot be read");
            None
        }
    }
}

fn opened(shared: &Shared, told: DidOpenTextDocumentParams) -> Option<Uri> {
    let uri = told.text_document.uri;
    let path = real_file(&path_of(&uri)?);
    let is_too_large = shared.documents.open(path.clone(), told.text_document.text);
    if is_too_large {
        let message = format!(
            "{} is too large for Whyrank to follow edits in it; answers are of the file as it was saved",
            path.display()
        );
        shared.client.show_once(MessageType::WARNING, &message);
    }
    if shared.roots.locate(&path).is_none() {
        let message = format!(
            "{} lies in no repository that Whyrank serves",
            path.display()
        );
        shared.client.log_once(&message);
    }
    Some(uri)
}

fn changed(shared: &Shared, told: DidChangeTextDocumentParams) -> Option<Uri> {
    let path = real_file(&path_of(&told.text_document.uri)?);
    let changes = told.content_changes;
    shared.documents.change(&path, changes, shared.encoding);
    None
}

fn closed(shared: &Shared, told: &DidCloseTextDocumentParams) -> Option<Uri> {
    let uri = &told.text_document.uri;
    shared.documents.close(&real_file(&path_of(uri)?));
    diagnostics::withdraw(shared, uri);
    None
}

fn saved(shared: &Shared, told: &DidSaveTextDocumentParams) -> Option<Uri> {
    let uri = &told.text_document.uri;
    update(shared, &path_of(uri)?);
    Some(uri.clone())
}

fn files_changed(shared: &Shared, told: &DidChangeWatchedFilesParams) -> Option<Uri> {
    for change in &told.changes {
        if let Some(path) = path_of(&change.uri) {
            update(shared, &path);
        }
    }
    None
}

/// Addresses that the editor made, renamed or deleted itself, which no watcher of its own may tell.
fn paths_changed(shared: &Shared, addresses: Vec<String>) -> Option<Uri> {
    let uris = addresses.iter().filter_map(|uri| Uri::from_str(uri).ok());
    for path in uris.filter_map(|uri| path_of(&uri)) {
        update(shared, &path);
    }
    None
}

fn created(told: CreateFilesParams) -> Vec<String> {
    told.files.into_iter().map(|file| file.uri).collect()
}

fn renamed(told: RenameFilesParams) -> Vec<String> {
    let both = |file: FileRename| [file.old_uri, file.new_uri];
    told.files.into_iter().flat_map(both).collect()
}

fn deleted(told: DeleteFilesParams) -> Vec<String> {
    told.files.into_iter().map(|file| file.uri).collect()
}

/// Brings the index of a file's repository up to date; one that is being made looks once more.
fn update(shared: &Shared, path: &Path) {
    let Some((repo, _)) = shared.roots.locate(path) else {
        return;
    };
    let started = shared.engine.start_index(&repo.id, IndexOptions::default());
    if let Err(error) = started {
        tracing::warn!(repo = repo.name, %error, "a change could not be indexed");
    }
}

fn folders_changed(shared: &Shared, told: &DidChangeWorkspaceFoldersParams) -> Option<Uri> {
    for folder in &told.event.removed {
        if let Some(path) = path_of(&folder.uri) {
            shared.roots.close(&path);
        }
    }
    for folder in &told.event.added {
        if let Some(path) = path_of(&folder.uri) {
            open_folder(shared, &path);
        }
    }
    None
}

/// Takes in a folder, and tells the person what there is to tell.
pub(crate) fn open_folder(shared: &Shared, folder: &Path) {
    match shared.roots.open(folder) {
        Ok(OpenedFolder::New(repo)) => {
            let message = format!(
                "Whyrank indexes {} in the background; it answers as soon as the names are read",
                repo.name
            );
            shared.client.show_once(MessageType::INFO, &message);
        }
        Ok(OpenedFolder::Indexed | OpenedFolder::Known) => {}
        Err(failure) => {
            let client = &shared.client;
            client.show_once(MessageType::WARNING, &failure.message);
        }
    }
}

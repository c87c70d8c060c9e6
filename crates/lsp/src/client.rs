//! Everything that is said to the client. Nobody who speaks waits for it: a client that reads slowly, or
//! not at all, holds nothing up but its own answers.

use crossbeam_channel::Sender;
use lsp_server::{Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{LogMessage, Progress, PublishDiagnostics, ShowMessage};
use lsp_types::request::{Request as _, WorkDoneProgressCreate};
use lsp_types::{
    ClientCapabilities, Diagnostic, LogMessageParams, MessageType, NumberOrString, ProgressParams,
    ProgressParamsValue, PublishDiagnosticsParams, ShowMessageParams, Uri, WorkDoneProgress,
    WorkDoneProgressCreateParams,
};
use parking_lot::Mutex;
use serde::Serialize;
use std::collections::HashSet;
use std::sync::atomic::{AtomicI32, Ordering};

/// The way of everything that the client is still to read.
pub(crate) type Outbox = Sender<Message>;

/// Ends the outbox; never sent to a client.
pub(crate) const BYE: &str = "whyrank/bye";

/// The client.
pub(crate) struct Client {
    outbox: Outbox,
    shows_progress: bool,
    /// Takes links, which tell the place that was asked about from the one that it leads to.
    pub(crate) takes_links: bool,
    said: Mutex<HashSet<String>>,
    n_requests: AtomicI32,
}

impl Client {
    pub(crate) fn new(outbox: Outbox, capabilities: &ClientCapabilities) -> Self {
        let window = capabilities.window.as_ref();
        let documents = capabilities.text_document.as_ref();
        let definition = documents.and_then(|documents| documents.definition.as_ref());
        Self {
            outbox,
            shows_progress: window.and_then(|window| window.work_done_progress) == Some(true),
            takes_links: definition.and_then(|definition| definition.link_support) == Some(true),
            said: Mutex::default(),
            n_requests: AtomicI32::new(0),
        }
    }

    pub(crate) fn respond(&self, response: Response) {
        self.send(response.into());
    }

    /// Shows a message to the person, once however often there is reason to.
    pub(crate) fn show_once(&self, kind: MessageType, message: &str) {
        let is_new = self.said.lock().insert(message.to_owned());
        if is_new {
            let message = message.to_owned();
            self.notify::<ShowMessage>(ShowMessageParams { typ: kind, message });
        }
    }

    /// Writes a line into the editor's log, once.
    pub(crate) fn log_once(&self, message: &str) {
        let is_new = self.said.lock().insert(message.to_owned());
        if is_new {
            self.notify::<LogMessage>(LogMessageParams {
                typ: MessageType::LOG,
                message: message.to_owned(),
            });
        }
    }

    /// Asks the client to show progress under a token; says whether it can.
    pub(crate) fn begin_progress(&self, token: &str) -> bool {
        if self.shows_progress {
            let number = self.n_requests.fetch_add(1, Ordering::Relaxed);
            let id = RequestId::from(format!("whyrank-{number}"));
            let token = NumberOrString::String(token.to_owned());
            let params = WorkDoneProgressCreateParams { token };
            let method = WorkDoneProgressCreate::METHOD.to_owned();
            self.send(Request::new(id, method, params).into());
        }
        self.shows_progress
    }

    pub(crate) fn progress(&self, token: &str, value: WorkDoneProgress) {
        self.notify::<Progress>(ProgressParams {
            token: NumberOrString::String(token.to_owned()),
            value: ProgressParamsValue::WorkDone(value),
        });
    }

    pub(crate) fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>) {
        let params = PublishDiagnosticsParams::new(uri, diagnostics, None);
        self.notify::<PublishDiagnostics>(params);
    }

    /// Says nothing more: what was said before is still sent.
    pub(crate) fn end(&self) {
        self.send(Notification::new(BYE.to_owned(), ()).into());
    }

    fn notify<N: lsp_types::notification::Notification>(&self, params: N::Params)
    where
        N::Params: Serialize,
    {
        self.send(Notification::new(N::METHOD.to_owned(), params).into());
    }

    fn send(&self, message: Message) {
        // One that is gone hears nothing.
        drop(self.outbox.send(message));
    }
}

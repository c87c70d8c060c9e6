//! JSON-RPC over lines of text, where every request gets an answer, also one that cannot be read.
//!
//! rmcp's own reader drops what is no JSON and answers other bad requests without their id: a client
//! would wait for both until it gives up. Notifications and answers are never answered.

use rmcp::RoleServer;
use rmcp::model::ErrorCode;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::DEFAULT_MAX_LINE_LENGTH;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use std::io::{Error, ErrorKind, Result};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// Messages from a reader and to a writer, one a line.
pub(crate) struct Lines<R, W> {
    read: BufReader<R>,
    /// What has come of a line; [`Transport::receive`] may be dropped at any wait and asked again.
    line: Vec<u8>,
    /// The line is too long: the rest of it is passed over.
    is_too_long: bool,
    write: Arc<Mutex<Option<W>>>,
    /// An answer on its way: a wait for it may be dropped, the answer must not.
    refusal: Option<JoinHandle<Result<()>>>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Lines<R, W> {
    pub(crate) fn new(read: R, write: W) -> Self {
        Self {
            read: BufReader::new(read),
            line: Vec::new(),
            is_too_long: false,
            write: Arc::new(Mutex::new(Some(write))),
            refusal: None,
        }
    }

    /// The next line, or that it was too long; `None` at the end, which ends a line, too.
    async fn next_line(&mut self) -> Option<Line> {
        loop {
            let available = match self.read.fill_buf().await {
                Ok(available) => available,
                Err(error) => {
                    tracing::error!(%error, "the input cannot be read");
                    return None;
                }
            };
            if available.is_empty() {
                let is_over = self.line.is_empty() && !self.is_too_long;
                return (!is_over).then(|| self.taken());
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let n_bytes = end.map_or(available.len(), |at| at + 1);
            if self.line.len() + n_bytes > DEFAULT_MAX_LINE_LENGTH {
                self.is_too_long = true;
                self.line = Vec::new();
            }
            if !self.is_too_long {
                self.line.extend_from_slice(&available[..n_bytes]);
            }
            self.read.consume(n_bytes);
            if end.is_some() {
                return Some(self.taken());
            }
        }
    }

    fn taken(&mut self) -> Line {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_too_long) {
            Line::TooLong
        } else {
            Line::Whole(line)
        }
    }
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<()>> + Send + 'static {
        let write = Arc::clone(&self.write);
        async move { write_line(&write, serde_json::to_vec(&message)?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(refusal) = &mut self.refusal {
                let sent = refusal.await;
                self.refusal = None;
                sent.ok()?.ok()?;
            }
            let read = match self.next_line().await? {
                Line::Whole(line) => message(&line),
                Line::TooLong => Err(too_long()),
            };
            match read {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(refusal) => {
                    let write = Arc::clone(&self.write);
                    let line = refusal.to_string().into_bytes();
                    self.refusal =
                        Some(tokio::spawn(async move { write_line(&write, line).await }));
                }
            }
        }
    }

    async fn close(&mut self) -> Result<()> {
        self.write.lock().await.take();
        Ok(())
    }
}

async fn write_line<W: AsyncWrite + Unpin>(
    write: &Mutex<Option<W>>,
    mut line: Vec<u8>,
) -> Result<()> {
    line.push(b'\n');
    let mut write = write.lock().await;
    let closed = || Error::new(ErrorKind::NotConnected, "the output is closed");
    let write = write.as_mut().ok_or_else(closed)?;
    write.write_all(&line).await?;
    write.flush().await
}

/// The message of a line; `None` for one that asks for no answer and cannot be read; else what to answer.
fn message(line: &[u8]) -> std::result::Result<Option<RxJsonRpcMessage<RoleServer>>, Value> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let line = line.trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    match serde_json::from_slice(line) {
        Ok(message) => Ok(Some(message)),
        Err(error) => refusal(line, &error).map_or(Ok(None), Err),
    }
}

/// What can be read of a message that is none. What is passed over may hold half characters.
#[derive(Default, Deserialize)]
struct Head {
    #[serde(default, deserialize_with = "present")]
    jsonrpc: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    method: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    result: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "present")]
    error: Option<IgnoredAny>,
}

/// `null` is something, too.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    value: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

impl Head {
    fn of(line: &[u8]) -> Option<Self> {
        // A list would be read as the fields in their order.
        let is_object = line.starts_with(b"{");
        is_object.then(|| serde_json::from_slice(line).ok())?
    }

    fn is_answered(&self) -> bool {
        let is_answer = self.method.is_none() && (self.result.is_some() || self.error.is_some());
        let is_notification = self.method.is_some() && self.id.is_none();
        !is_answer && !is_notification
    }

    /// What is not as it must be, and its code.
    fn fault(&self) -> (ErrorCode, &'static str) {
        let invalid = ErrorCode::INVALID_REQUEST;
        let is_id = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
        if self.jsonrpc.as_ref().is_none_or(|version| version != "2.0") {
            (invalid, "`jsonrpc` must be \"2.0\"")
        } else if !self.method.as_ref().is_some_and(Value::is_string) {
            (invalid, "`method` must be a text")
        } else if !self.id.as_ref().is_some_and(is_id) {
            (invalid, "`id` must be a text or an integer")
        } else if self.result.is_some() || self.error.is_some() {
            (invalid, "a request has neither `result` nor `error`")
        } else {
            (ErrorCode::INVALID_PARAMS, "`params` must be an object")
        }
    }
}

/// The answer to a line that is no message, with its id where there is one; `None` where none is due.
fn refusal(line: &[u8], error: &serde_json::Error) -> Option<Value> {
    let head = Head::of(line);
    if head.as_ref().is_some_and(|head| !head.is_answered()) {
        return None;
    }
    let (code, why) = match &head {
        _ if !error.is_data() => (ErrorCode::PARSE_ERROR, format!("no JSON: {error}")),
        Some(head) => {
            let (code, why) = head.fault();
            (code, why.to_owned())
        }
        None => {
            let why = "a message must be one JSON object".to_owned();
            (ErrorCode::INVALID_REQUEST, why)
        }
    };
    let id = head.and_then(|head| head.id);
    let id = id.filter(|id| id.is_string() || id.is_number());
    Some(answered(id, code, &why))
}

fn too_long() -> Value {
    let why = format!("a message has at most {DEFAULT_MAX_LINE_LENGTH} bytes");
    answered(None, ErrorCode::INVALID_REQUEST, &why)
}

fn answered(id: Option<Value>, code: ErrorCode, why: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": why}})
}

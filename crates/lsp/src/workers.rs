//! Requests under way. Each is answered once: by the thread that works it out, or at once when it is
//! cancelled.

use crate::failure::Failure;
use crossbeam_channel::{Sender, unbounded};
use lsp_server::{RequestId, Response};
use parking_lot::Mutex;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Requests that are worked out at the same time.
const N_THREADS: usize = 4;

type Work = Box<dyn FnOnce() + Send>;

/// Requests under way, each with whether its client has left it.
#[derive(Clone, Default)]
pub(crate) struct Pending {
    requests: Arc<Mutex<HashMap<RequestId, Arc<AtomicBool>>>>,
}

impl Pending {
    pub(crate) fn begin(&self, id: RequestId) -> Arc<AtomicBool> {
        let is_left = Arc::new(AtomicBool::new(false));
        self.requests.lock().insert(id, Arc::clone(&is_left));
        is_left
    }

    /// The response to a request, unless it was cancelled before.
    pub(crate) fn end(&self, id: RequestId, outcome: Result<Value, Failure>) -> Option<Response> {
        let is_open = self.requests.lock().remove(&id).is_some();
        is_open.then(|| response(id, outcome))
    }

    /// The response to a request that its client takes back; none where it has been answered.
    pub(crate) fn cancel(&self, id: &RequestId) -> Option<Response> {
        let is_left = self.requests.lock().remove(id)?;
        is_left.store(true, Ordering::Relaxed);
        Some(response(id.clone(), Err(Failure::cancelled())))
    }

    /// Leaves all of them: the client ends.
    pub(crate) fn leave(&self) {
        for (_, is_left) in self.requests.lock().drain() {
            is_left.store(true, Ordering::Relaxed);
        }
    }
}

/// A response with an answer, or with why there is none.
pub(crate) fn response(id: RequestId, outcome: Result<Value, Failure>) -> Response {
    match outcome {
        Ok(value) => Response::new_ok(id, value),
        Err(failure) => Response::new_err(id, failure.code, failure.message),
    }
}

/// Threads that work requests out.
pub(crate) struct Workers {
    work: Sender<Work>,
}

impl Workers {
    /// # Errors
    ///
    /// The system gives no thread at all.
    pub(crate) fn start() -> std::io::Result<Self> {
        let (work, turns) = unbounded::<Work>();
        for number in 0..N_THREADS {
            let turns = turns.clone();
            let spawned = std::thread::Builder::new()
                .name(format!("whyrank-lsp-{number}"))
                .spawn(move || turns.into_iter().for_each(|work| work()));
            // One is enough to go on with.
            if number == 0 {
                spawned?;
            }
        }
        Ok(Self { work })
    }

    pub(crate) fn give(&self, work: impl FnOnce() + Send + 'static) {
        drop(self.work.send(Box::new(work)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_server::ErrorCode;

    #[test]
    fn a_request_is_answered_once() {
        let pending = Pending::default();
        let is_left = pending.begin(1.into());
        let cancelled = pending.cancel(&1.into()).expect("a response");
        let code = cancelled.error.expect("an error").code;
        assert_eq!(code, ErrorCode::RequestCanceled as i32);
        assert!(is_left.load(Ordering::Relaxed));
        assert!(pending.end(1.into(), Ok(Value::Null)).is_none());
        assert!(pending.cancel(&1.into()).is_none());
    }
}

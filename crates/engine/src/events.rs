//! Events to anyone who listens.

use crate::api::EngineEvent;
use parking_lot::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

#[derive(Default)]
pub(crate) struct Events {
    listeners: Mutex<Vec<Sender<EngineEvent>>>,
}

impl Events {
    pub(crate) fn subscribe(&self) -> Receiver<EngineEvent> {
        let (sender, receiver) = channel();
        self.listeners.lock().push(sender);
        receiver
    }

    /// Tells everyone; listeners that are gone are forgotten.
    pub(crate) fn send(&self, event: &EngineEvent) {
        let mut listeners = self.listeners.lock();
        listeners.retain(|listener| listener.send(event.clone()).is_ok());
    }
}

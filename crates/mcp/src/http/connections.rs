//! Connections at a time: places for who has shown the token, and a door for who has not.
//!
//! Nobody without the token keeps anybody out: at the door there are few, for a short time, and the one
//! who came first leaves it for the next.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

/// Connections at the door.
const N_AT_DOOR: usize = 64;
/// Nobody is sent away from the door sooner: a request is there as soon as its connection.
const LEAST_AT_DOOR: Duration = Duration::from_millis(100);

pub(super) struct Connections {
    inside: Arc<Semaphore>,
    door: Arc<Semaphore>,
    /// In the order in which they came.
    at_door: Mutex<VecDeque<Weak<Visitor>>>,
}

impl Connections {
    pub(super) fn new(n_inside: usize) -> Self {
        Self {
            inside: Arc::new(Semaphore::new(n_inside)),
            door: Arc::new(Semaphore::new(N_AT_DOOR)),
            at_door: Mutex::default(),
        }
    }

    /// Waits until there is room at the door; for that the first of a full door is sent away.
    pub(super) async fn room_at_door(&self) -> OwnedSemaphorePermit {
        loop {
            let room = Arc::clone(&self.door).acquire_owned();
            let Some(first) = self.first_at_door() else {
                return room.await.expect("the door is never closed");
            };
            tokio::select! {
                biased;
                room = room => return room.expect("the door is never closed"),
                () = sleep_until(first.since + LEAST_AT_DOOR) => first.leave.cancel(),
            }
        }
    }

    /// The visitor of a connection that came to the door.
    pub(super) fn visitor(&self, room: OwnedSemaphorePermit) -> Arc<Visitor> {
        let visitor = Arc::new(Visitor {
            since: Instant::now(),
            leave: CancellationToken::new(),
            stands: Mutex::new(Stands::AtDoor(room)),
        });
        let mut at_door = self.at_door.lock();
        at_door.retain(|one| one.upgrade().is_some_and(|one| one.is_at_door()));
        at_door.push_back(Arc::downgrade(&visitor));
        visitor
    }

    /// Lets in who has shown the token; `false` where all places are taken.
    pub(super) fn let_in(&self, visitor: &Visitor) -> bool {
        let mut stands = visitor.stands.lock();
        if let Stands::Inside(_) = *stands {
            return true;
        }
        match Arc::clone(&self.inside).try_acquire_owned() {
            Ok(place) => {
                *stands = Stands::Inside(place);
                true
            }
            Err(_) => false,
        }
    }

    fn first_at_door(&self) -> Option<Arc<Visitor>> {
        let at_door = self.at_door.lock();
        let mut visitors = at_door.iter().filter_map(Weak::upgrade);
        visitors.find(|one| one.is_at_door() && !one.leave.is_cancelled())
    }
}

/// One connection.
pub(super) struct Visitor {
    since: Instant,
    leave: CancellationToken,
    stands: Mutex<Stands>,
}

#[expect(dead_code, reason = "a permit is held, not read")]
enum Stands {
    AtDoor(OwnedSemaphorePermit),
    Inside(OwnedSemaphorePermit),
}

impl Visitor {
    /// Returns once the visitor has to leave: sent away, or still at the door after `most`. Never for
    /// who is let in.
    pub(super) async fn sent_away(&self, most: Duration) {
        tokio::select! {
            () = self.leave.cancelled() => {}
            () = sleep(most) => {}
        }
        if !self.is_at_door() {
            std::future::pending::<()>().await;
        }
    }

    fn is_at_door(&self) -> bool {
        matches!(*self.stands.lock(), Stands::AtDoor(_))
    }
}

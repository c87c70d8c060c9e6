//! Processor time so far in milliseconds; none where it cannot be told.

#[cfg(unix)]
mod unix {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    use nix::time::{ClockId, clock_gettime};

    /// Returns that of this process.
    pub(crate) fn own_ms() -> Option<f64> {
        of(UsageWho::RUSAGE_SELF)
    }

    /// Returns that of programs that this process ran to their end.
    pub(crate) fn children_ms() -> Option<f64> {
        of(UsageWho::RUSAGE_CHILDREN)
    }

    /// Returns that of this thread.
    pub(crate) fn thread_ms() -> Option<f64> {
        let now = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).ok()?;
        Some(std::time::Duration::from(now).as_secs_f64() * 1e3)
    }

    fn of(who: UsageWho) -> Option<f64> {
        let usage = getrusage(who).ok()?;
        let both = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        Some(both as f64 / 1e3)
    }
}

#[cfg(not(unix))]
mod unix {
    pub(crate) fn own_ms() -> Option<f64> {
        None
    }

    pub(crate) fn children_ms() -> Option<f64> {
        None
    }

    pub(crate) fn thread_ms() -> Option<f64> {
        None
    }
}

pub(crate) use unix::{children_ms, own_ms, thread_ms};

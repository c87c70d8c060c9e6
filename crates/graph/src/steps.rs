//! Counts the steps of look-ups, so that a test can tell that no input makes them grow faster than itself. Counts
//! nothing outside of tests.

#[cfg(test)]
std::thread_local! {
    static N_STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Notes that so many things were gone through.
#[inline]
pub(crate) fn count(n: usize) {
    #[cfg(test)]
    N_STEPS.with(|steps| steps.set(steps.get() + n as u64));
    #[cfg(not(test))]
    let _ = n;
}

/// The steps of this thread since the last call.
#[cfg(test)]
pub(crate) fn taken() -> u64 {
    N_STEPS.with(|steps| steps.replace(0))
}

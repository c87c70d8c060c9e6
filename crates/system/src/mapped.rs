//! Mapped files that somebody cuts short.
//!
//! A mapping of a file has no bytes behind the file's end, and anyone who reads there gets SIGBUS, which ends
//! the process. Files of an index are never cut by this program; a full disk that was cleared, a
//! synchronised folder or a restored backup may do it under a server that runs for weeks. The guard puts
//! zeros where the bytes were and counts: who has read asks whether anything was missing, and says so.

use std::sync::atomic::{AtomicU64, Ordering};

static N_MISSED: AtomicU64 = AtomicU64::new(0);

/// Returns how often bytes of a mapped file were gone. Compare it before and after: a difference
/// means that what was read in between is of no use.
pub fn n_missed() -> u64 {
    N_MISSED.load(Ordering::SeqCst)
}

/// Installs the guard, once for the process. Where a system has no such signal, nothing happens.
pub fn guard() {
    #[cfg(target_os = "linux")]
    linux::install();
}

#[cfg(target_os = "linux")]
mod linux {
    #![expect(
        unsafe_code,
        reason = "signals are handled by C functions over raw addresses"
    )]

    use super::N_MISSED;
    use nix::libc::{self, c_int, c_void, siginfo_t};
    use std::sync::Once;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static PAGE_BYTES: AtomicUsize = AtomicUsize::new(4096);

    pub(super) fn install() {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(|| {
            // SAFETY: the action is set up whole before it is handed over, and the handler calls only
            // what a handler may: system calls and atomics.
            unsafe {
                if let Ok(bytes) = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)) {
                    PAGE_BYTES.store(bytes, Ordering::SeqCst);
                }
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = on_bus as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigemptyset(&raw mut action.sa_mask);
                libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut());
            }
        });
    }

    extern "C" fn on_bus(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
        // SAFETY: the kernel gives a whole `siginfo_t`; the page at its address belongs to a mapping of
        // ours that has no bytes any more, so nothing is lost by another one in its place.
        unsafe {
            if (*info).si_code == libc::BUS_ADRERR {
                let page_bytes = PAGE_BYTES.load(Ordering::SeqCst);
                let page = (*info).si_addr() as usize & !(page_bytes - 1);
                let zeros = libc::mmap(
                    page as *mut c_void,
                    page_bytes,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
                    -1,
                    0,
                );
                if zeros != libc::MAP_FAILED {
                    N_MISSED.fetch_add(1, Ordering::SeqCst);
                    return;
                }
            }
            // Any other reason ends the process, as without the guard.
            libc::signal(signal, libc::SIG_DFL);
        }
    }
}

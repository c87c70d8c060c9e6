//! Files that are open for long, and that somebody else changes meanwhile.
//!
//! Files of an index are never cut or written in place by this program; a full disk that was cleared, a
//! synchronised folder or a restored backup may do it under a server that runs for weeks. What was found
//! sound once is then believed wrongly. So files that are read for long are watched ([`watch`]): size
//! and times are compared before and after a question, for a microsecond a file.
//!
//! A mapping has no bytes behind the file's end, and anyone who reads there gets SIGBUS, which ends the
//! process. Where a file is cut in the very moment of reading, the guard puts zeros where the bytes were and
//! counts. Linux has it; elsewhere the comparison before a question is what there is. Windows refuses to cut a
//! file that is mapped.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

static N_MISSED: AtomicU64 = AtomicU64::new(0);
static N_ALTERED: AtomicU64 = AtomicU64::new(0);
static WATCHED: Mutex<Vec<Weak<Watched>>> = Mutex::new(Vec::new());

/// The marks of a file that must not change as long as somebody has it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Its bytes. It may be removed, or another be put in its place: who has it open reads on.
    Bytes,
    /// That it is this file. It is written in place.
    Place,
}

/// A file that is looked at as long as this is held.
#[derive(Debug)]
pub struct Watch(Arc<Watched>);

impl Watch {
    /// Begins a watch that only its holder asks: [`n_altered`] and [`altered_in`] know nothing of it.
    ///
    /// # Errors
    /// Those of reading the file's state.
    pub fn apart(path: &Path, kept: Kept) -> io::Result<Self> {
        Ok(Self(Arc::new(Watched {
            path: path.to_owned(),
            kept,
            stamp: Stamp::of(&std::fs::metadata(path)?),
            is_altered: AtomicBool::new(false),
            is_counted: AtomicBool::new(false),
        })))
    }

    /// Looks, and says whether the file was altered.
    pub fn is_altered(&self) -> bool {
        self.0.look()
    }
}

#[derive(Debug)]
struct Watched {
    path: PathBuf,
    kept: Kept,
    stamp: Stamp,
    is_altered: AtomicBool,
    /// In [`n_altered`].
    is_counted: AtomicBool,
}

/// The identity of a file, and what changes with its bytes.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    identity: Identity,
    len: u64,
    /// No program sets back that of Unix.
    changed: (Option<SystemTime>, i64, i64),
}

/// Device and number; elsewhere when it was made.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = Option<SystemTime>;

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt as _;
        let modified = metadata.modified().ok();
        Self {
            #[cfg(unix)]
            identity: (metadata.dev(), metadata.ino()),
            #[cfg(not(unix))]
            identity: metadata.created().ok(),
            len: metadata.len(),
            #[cfg(unix)]
            changed: (modified, metadata.ctime(), metadata.ctime_nsec()),
            #[cfg(not(unix))]
            changed: (modified, 0, 0),
        }
    }
}

impl Watched {
    /// Looks, and says whether the file is another than when the watch began.
    fn look(&self) -> bool {
        if self.is_altered.load(Ordering::SeqCst) {
            return true;
        }
        let now = std::fs::metadata(&self.path).map(|metadata| Stamp::of(&metadata));
        let is_altered = match (self.kept, now) {
            (Kept::Bytes, Err(_)) => false,
            (Kept::Place, Err(error)) => error.kind() == io::ErrorKind::NotFound,
            (kept, Ok(now)) if now.identity != self.stamp.identity => kept == Kept::Place,
            (kept, Ok(now)) => kept == Kept::Bytes && now != self.stamp,
        };
        self.is_altered.fetch_or(is_altered, Ordering::SeqCst);
        is_altered
    }
}

/// Watches a file from now on: before it is opened, and checked.
///
/// # Errors
/// Those of reading its state.
pub fn watch(path: &Path, kept: Kept) -> io::Result<Watch> {
    let watch = Watch::apart(path, kept)?;
    let mut all = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|one| one.strong_count() > 0);
    all.push(Arc::downgrade(&watch.0));
    Ok(watch)
}

/// Looks at all watched files, and returns how many were found altered since the process began. Compare it
/// before and after: a difference means that what was read in between is of no use.
pub fn n_altered() -> u64 {
    for one in watched() {
        if one.look() && !one.is_counted.swap(true, Ordering::SeqCst) {
            N_ALTERED.fetch_add(1, Ordering::SeqCst);
        }
    }
    N_ALTERED.load(Ordering::SeqCst)
}

/// A file in a folder that was altered under who has it open.
pub fn altered_in(folder: &Path) -> Option<PathBuf> {
    let inside = watched().into_iter();
    let mut inside = inside.filter(|one| one.path.starts_with(folder));
    inside.find(|one| one.look()).map(|one| one.path.clone())
}

fn watched() -> Vec<Arc<Watched>> {
    let all = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    all.iter().filter_map(Weak::upgrade).collect()
}

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

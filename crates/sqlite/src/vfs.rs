//! The layer below SQLite: the system's own, with sums on the pages of main files.
//!
//! INVARIANT: a file of ours is [`Checked`] followed by the system's file, in one piece of memory that
//! SQLite allocates by `szOsFile`.

#![expect(
    unsafe_code,
    reason = "a VFS is a table of C functions over memory that SQLite owns"
)]

use crate::Sums;
use crate::pages::{self, PageFormat};
use rusqlite::ffi::{self, sqlite3_file, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

/// A main file, a log or a journal that is open.
#[repr(C)]
struct Checked {
    base: sqlite3_file,
    /// It is a main file: its pages have sums.
    is_main: bool,
    /// One without sums is damaged.
    is_strict: bool,
    /// Bytes of a page, 0 as long as the file's head was not seen.
    page_bytes: usize,
    has_sums: bool,
    /// A page on its way to the file.
    sealed: Vec<u8>,
    #[cfg(test)]
    path: String,
}

/// The answer that a test has its disk give to an act on a file: an error code, or go on.
macro_rules! tried {
    ($path:expr, $act:expr) => {
        #[cfg(test)]
        if let Some(code) = crate::disk::tried($path, $act) {
            return code;
        }
    };
}

const STRICT: &CStr = c"whyrank-sums";
const LENIENT: &CStr = c"whyrank-sums-if-there";

/// The name of the layer, which is registered at the first call.
pub(crate) fn name(sums: Sums) -> rusqlite::Result<&'static CStr> {
    static REGISTERED: OnceLock<c_int> = OnceLock::new();
    let code = *REGISTERED.get_or_init(|| {
        [STRICT, LENIENT]
            .into_iter()
            .map(register)
            .find(|code| *code != ffi::SQLITE_OK)
            .unwrap_or(ffi::SQLITE_OK)
    });
    if code != ffi::SQLITE_OK {
        return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
    }
    Ok(match sums {
        Sums::Required => STRICT,
        Sums::IfThere => LENIENT,
    })
}

fn register(name: &'static CStr) -> c_int {
    // SAFETY: both calls are safe at any time after SQLite's initialisation, which the first does; the
    // table registered is leaked, so it lives as long as the process.
    unsafe {
        let system = ffi::sqlite3_vfs_find(std::ptr::null());
        if system.is_null() {
            return ffi::SQLITE_ERROR;
        }
        let own = Box::new(sqlite3_vfs {
            iVersion: 2,
            szOsFile: size_of::<Checked>() as c_int + (*system).szOsFile,
            mxPathname: (*system).mxPathname,
            pNext: std::ptr::null_mut(),
            zName: name.as_ptr(),
            pAppData: system.cast(),
            xOpen: Some(open),
            xDelete: Some(delete),
            xAccess: Some(access),
            xFullPathname: Some(full_pathname),
            xDlOpen: None,
            xDlError: None,
            xDlSym: None,
            xDlClose: None,
            xRandomness: Some(randomness),
            xSleep: Some(sleep),
            xCurrentTime: Some(current_time),
            xGetLastError: Some(last_error),
            xCurrentTimeInt64: Some(current_time_int64),
            xSetSystemCall: None,
            xGetSystemCall: None,
            xNextSystemCall: None,
        });
        ffi::sqlite3_vfs_register(Box::into_raw(own), 0)
    }
}

/// The system's layer.
///
/// # Safety
/// `vfs` is one that [`register`] made.
unsafe fn system(vfs: *mut sqlite3_vfs) -> *mut sqlite3_vfs {
    // SAFETY: `register` put it there, and SQLite's own layers are never freed.
    unsafe { (*vfs).pAppData.cast() }
}

/// The system's file behind ours.
///
/// # Safety
/// `file` was opened by [`open`].
unsafe fn inner(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: the memory that SQLite allocated holds ours first and the system's after it.
    unsafe { file.cast::<Checked>().add(1).cast() }
}

/// Calls a function of the system's file with the same arguments; a layer without it answers `$absent`.
macro_rules! pass {
    ($file:expr, $function:ident, $absent:expr $(, $argument:expr)*) => {{
        // SAFETY: SQLite calls the methods of files that `open` opened; the system's methods take the
        // system's file and the arguments as they came.
        unsafe {
            let file = inner($file);
            match (*(*file).pMethods).$function {
                Some(function) => function(file $(, $argument)*),
                None => $absent,
            }
        }
    }};
}

/// The same for a function of the system's layer.
macro_rules! pass_vfs {
    ($vfs:expr, $function:ident, $absent:expr $(, $argument:expr)*) => {{
        // SAFETY: as above, for the layer.
        unsafe {
            let vfs = system($vfs);
            match (*vfs).$function {
                Some(function) => function(vfs $(, $argument)*),
                None => $absent,
            }
        }
    }};
}

unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite gives `szOsFile` bytes at `file`: room for ours and the system's.
    let behind = unsafe {
        (*file).pMethods = std::ptr::null();
        inner(file)
    };
    let code = pass_vfs!(
        vfs,
        xOpen,
        ffi::SQLITE_CANTOPEN,
        name,
        behind,
        flags,
        out_flags
    );
    // SAFETY: as above; names are those of `register` and end in a zero.
    unsafe {
        // A file that could not be opened, but has methods, is closed all the same.
        if (*behind).pMethods.is_null() {
            return code;
        }
        let is_strict = CStr::from_ptr((*vfs).zName) == STRICT;
        std::ptr::write(
            file.cast::<Checked>(),
            Checked {
                base: sqlite3_file { pMethods: &METHODS },
                is_main: flags & ffi::SQLITE_OPEN_MAIN_DB != 0,
                is_strict,
                page_bytes: 0,
                has_sums: false,
                sealed: Vec::new(),
                #[cfg(test)]
                path: crate::disk::path(name),
            },
        );
    }
    code
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    // 2: without the calls that map the file into memory.
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

impl Checked {
    /// Learns from a file's first bytes how it divides into pages. False where it should have sums.
    fn learn(&mut self, head: &[u8]) -> bool {
        match PageFormat::of(head) {
            Some(format) => {
                (self.page_bytes, self.has_sums) = (format.page_bytes, format.has_sums);
                format.has_sums || !self.is_strict
            }
            // SQLite says itself what is no file of its kind.
            None => true,
        }
    }

    fn is_page(&self, n_bytes: usize, offset: sqlite3_int64) -> bool {
        self.has_sums && n_bytes == self.page_bytes && (offset as usize).is_multiple_of(n_bytes)
    }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    let code = pass!(file, xClose, ffi::SQLITE_OK);
    // SAFETY: `open` wrote it, and SQLite closes a file once.
    unsafe { std::ptr::drop_in_place(file.cast::<Checked>()) };
    code
}

unsafe extern "C" fn read(
    file: *mut sqlite3_file,
    into: *mut c_void,
    n_bytes: c_int,
    offset: sqlite3_int64,
) -> c_int {
    // SAFETY: as below.
    tried!(
        unsafe { &(*file.cast::<Checked>()).path },
        crate::disk::Act::Read
    );
    let code = pass!(file, xRead, ffi::SQLITE_IOERR, into, n_bytes, offset);
    // SAFETY: `open` wrote `Checked`, no other thread uses the handle meanwhile; SQLite gives `n_bytes`
    // at `into`, which the system has just filled.
    let (own, bytes) = unsafe {
        let own = &mut *file.cast::<Checked>();
        (
            own,
            std::slice::from_raw_parts(into.cast::<u8>(), n_bytes as usize),
        )
    };
    if code != ffi::SQLITE_OK || !own.is_main {
        return code;
    }
    if offset == 0 && !own.learn(bytes) {
        return ffi::SQLITE_CORRUPT;
    }
    if own.is_page(bytes.len(), offset) && !pages::fits(bytes) {
        ffi::SQLITE_CORRUPT
    } else {
        code
    }
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    from: *const c_void,
    n_bytes: c_int,
    offset: sqlite3_int64,
) -> c_int {
    // SAFETY: as in `read`; SQLite gives `n_bytes` at `from`.
    let (own, bytes) = unsafe {
        let own = &mut *file.cast::<Checked>();
        (
            own,
            std::slice::from_raw_parts(from.cast::<u8>(), n_bytes as usize),
        )
    };
    if own.is_main && offset == 0 {
        // A new file, or one that `VACUUM` gives sums: what is written says what holds.
        let is_strict = std::mem::replace(&mut own.is_strict, false);
        own.learn(bytes);
        own.is_strict = is_strict;
    }
    if !own.is_main || !own.is_page(bytes.len(), offset) {
        tried!(&own.path, crate::disk::Act::Write(offset, bytes.to_vec()));
        return pass!(file, xWrite, ffi::SQLITE_IOERR, from, n_bytes, offset);
    }
    own.sealed.clear();
    own.sealed.extend_from_slice(bytes);
    pages::seal(&mut own.sealed);
    tried!(
        &own.path,
        crate::disk::Act::Write(offset, own.sealed.clone())
    );
    let sealed = own.sealed.as_ptr().cast();
    pass!(file, xWrite, ffi::SQLITE_IOERR, sealed, n_bytes, offset)
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    // SAFETY: `open` wrote `Checked`.
    tried!(
        unsafe { &(*file.cast::<Checked>()).path },
        crate::disk::Act::Truncate(size)
    );
    pass!(file, xTruncate, ffi::SQLITE_IOERR, size)
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: `open` wrote `Checked`.
    tried!(
        unsafe { &(*file.cast::<Checked>()).path },
        crate::disk::Act::Sync
    );
    pass!(file, xSync, ffi::SQLITE_IOERR, flags)
}

unsafe extern "C" fn file_size(file: *mut sqlite3_file, size: *mut sqlite3_int64) -> c_int {
    pass!(file, xFileSize, ffi::SQLITE_IOERR, size)
}

unsafe extern "C" fn lock(file: *mut sqlite3_file, level: c_int) -> c_int {
    pass!(file, xLock, ffi::SQLITE_IOERR, level)
}

unsafe extern "C" fn unlock(file: *mut sqlite3_file, level: c_int) -> c_int {
    pass!(file, xUnlock, ffi::SQLITE_IOERR, level)
}

unsafe extern "C" fn check_reserved_lock(file: *mut sqlite3_file, is_held: *mut c_int) -> c_int {
    pass!(file, xCheckReservedLock, ffi::SQLITE_IOERR, is_held)
}

unsafe extern "C" fn file_control(
    file: *mut sqlite3_file,
    op: c_int,
    argument: *mut c_void,
) -> c_int {
    // Mapping is not offered.
    if op == ffi::SQLITE_FCNTL_MMAP_SIZE {
        return ffi::SQLITE_NOTFOUND;
    }
    pass!(file, xFileControl, ffi::SQLITE_NOTFOUND, op, argument)
}

unsafe extern "C" fn sector_size(file: *mut sqlite3_file) -> c_int {
    pass!(file, xSectorSize, 0)
}

unsafe extern "C" fn device_characteristics(file: *mut sqlite3_file) -> c_int {
    // Nothing is promised of a page that is partly written: then its sum would not fit.
    pass!(file, xDeviceCharacteristics, 0) & !ffi::SQLITE_IOCAP_SUBPAGE_READ
}

unsafe extern "C" fn shm_map(
    file: *mut sqlite3_file,
    page: c_int,
    n_bytes: c_int,
    extend: c_int,
    at: *mut *mut c_void,
) -> c_int {
    pass!(file, xShmMap, ffi::SQLITE_IOERR, page, n_bytes, extend, at)
}

unsafe extern "C" fn shm_lock(
    file: *mut sqlite3_file,
    offset: c_int,
    n: c_int,
    flags: c_int,
) -> c_int {
    pass!(file, xShmLock, ffi::SQLITE_IOERR, offset, n, flags)
}

unsafe extern "C" fn shm_barrier(file: *mut sqlite3_file) {
    pass!(file, xShmBarrier, ());
}

unsafe extern "C" fn shm_unmap(file: *mut sqlite3_file, delete: c_int) -> c_int {
    pass!(file, xShmUnmap, ffi::SQLITE_OK, delete)
}

unsafe extern "C" fn delete(vfs: *mut sqlite3_vfs, name: *const c_char, sync: c_int) -> c_int {
    tried!(
        &crate::disk::path(name),
        crate::disk::Act::Delete(sync != 0)
    );
    pass_vfs!(vfs, xDelete, ffi::SQLITE_IOERR, name, sync)
}

unsafe extern "C" fn access(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    flags: c_int,
    answer: *mut c_int,
) -> c_int {
    pass_vfs!(vfs, xAccess, ffi::SQLITE_IOERR, name, flags, answer)
}

unsafe extern "C" fn full_pathname(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    n_bytes: c_int,
    into: *mut c_char,
) -> c_int {
    pass_vfs!(
        vfs,
        xFullPathname,
        ffi::SQLITE_CANTOPEN,
        name,
        n_bytes,
        into
    )
}

unsafe extern "C" fn randomness(vfs: *mut sqlite3_vfs, n_bytes: c_int, into: *mut c_char) -> c_int {
    pass_vfs!(vfs, xRandomness, 0, n_bytes, into)
}

unsafe extern "C" fn sleep(vfs: *mut sqlite3_vfs, microseconds: c_int) -> c_int {
    pass_vfs!(vfs, xSleep, 0, microseconds)
}

unsafe extern "C" fn current_time(vfs: *mut sqlite3_vfs, now: *mut f64) -> c_int {
    pass_vfs!(vfs, xCurrentTime, ffi::SQLITE_ERROR, now)
}

unsafe extern "C" fn current_time_int64(vfs: *mut sqlite3_vfs, now: *mut sqlite3_int64) -> c_int {
    pass_vfs!(vfs, xCurrentTimeInt64, ffi::SQLITE_ERROR, now)
}

unsafe extern "C" fn last_error(vfs: *mut sqlite3_vfs, n_bytes: c_int, into: *mut c_char) -> c_int {
    pass_vfs!(vfs, xGetLastError, 0, n_bytes, into)
}

//! What the parser holds of memory, counted, so that a text cannot take all of it.
//!
//! Ambiguous text splits the parser's stack, and unfinished text is looked at again and again: a file of
//! `A<` on each line took 21 GB. The C library has no bound, but it lets its allocator be replaced.

#![expect(
    unsafe_code,
    reason = "the allocator of the C library is a table of C functions"
)]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error, realloc};
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Once;
use tree_sitter::{Allocator, Parser};

/// Before each piece of memory stands its size. As much as C's alignment asks for.
const HEAD: usize = 16;

/// What parsers and trees of a thread have taken; only differences mean something.
#[derive(Clone, Copy)]
pub(crate) struct MemoryUse {
    /// Bytes that were not given back; below zero where another thread took them.
    pub(crate) held: isize,
    /// How often memory was taken: what the parser does beyond reading on shows in it.
    pub(crate) n_times: usize,
}

thread_local! {
    static TAKEN: Cell<MemoryUse> = const { Cell::new(MemoryUse { held: 0, n_times: 0 }) };
}

/// Makes a parser whose memory is counted. INVARIANT: no parser is made elsewhere, for memory that was
/// taken before the allocator was replaced could not be given back after.
pub(crate) fn new_parser() -> Parser {
    static COUNTS: Once = Once::new();
    COUNTS.call_once(|| {
        let allocator = Allocator {
            malloc: take,
            calloc: take_zeroed,
            realloc: resize,
            free: give_back,
        };
        // SAFETY: the functions keep to the contracts of those they replace, and nothing was allocated
        // before: parsers are made here alone, and every other value of the library needs one.
        unsafe { tree_sitter::set_allocator(Some(allocator)) };
    });
    Parser::new()
}

/// What this thread has taken so far.
pub(crate) fn taken() -> MemoryUse {
    TAKEN.get()
}

fn count(n_bytes: isize, n_times: usize) {
    let before = TAKEN.get();
    TAKEN.set(MemoryUse {
        held: before.held.wrapping_add(n_bytes),
        n_times: before.n_times.wrapping_add(n_times),
    });
}

fn layout(size: usize) -> Layout {
    let whole = size.checked_add(HEAD);
    let layout = whole.and_then(|whole| Layout::from_size_align(whole, HEAD).ok());
    layout.unwrap_or_else(|| handle_alloc_error(Layout::new::<u8>()))
}

/// Notes the size in front, and returns what is behind.
fn begin(piece: *mut u8, size: usize) -> *mut c_void {
    if piece.is_null() {
        handle_alloc_error(layout(size));
    }
    count(size as isize, 1);
    // SAFETY: the piece is `HEAD` bytes longer than `size`, and aligned for a `usize`.
    unsafe {
        piece.cast::<usize>().write(size);
        piece.add(HEAD).cast()
    }
}

/// The whole piece, and the size noted in front.
///
/// # Safety
/// `memory` came from [`begin`] and was not given back.
unsafe fn whole(memory: *mut c_void) -> (*mut u8, usize) {
    // SAFETY: `begin` wrote the size there.
    unsafe {
        let piece = memory.cast::<u8>().sub(HEAD);
        (piece, piece.cast::<usize>().read())
    }
}

unsafe extern "C" fn take(size: usize) -> *mut c_void {
    // SAFETY: the layout is never empty.
    begin(unsafe { alloc(layout(size)) }, size)
}

unsafe extern "C" fn take_zeroed(n: usize, size: usize) -> *mut c_void {
    let size = n.saturating_mul(size);
    // SAFETY: as above.
    begin(unsafe { alloc_zeroed(layout(size)) }, size)
}

unsafe extern "C" fn resize(memory: *mut c_void, size: usize) -> *mut c_void {
    if memory.is_null() {
        // SAFETY: as C's `realloc` does.
        return unsafe { take(size) };
    }
    // SAFETY: the library hands back what it was given, once.
    let (piece, before) = unsafe { whole(memory) };
    count(-(before as isize), 0);
    // SAFETY: the piece was taken with this layout; the new size does not overflow, or `layout` ends here.
    begin(
        unsafe { realloc(piece, layout(before), layout(size).size()) },
        size,
    )
}

unsafe extern "C" fn give_back(memory: *mut c_void) {
    if memory.is_null() {
        return;
    }
    // SAFETY: as in `resize`.
    unsafe {
        let (piece, size) = whole(memory);
        count(-(size as isize), 0);
        dealloc(piece, layout(size));
    }
}

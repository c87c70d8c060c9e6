//! How the window is drawn where the machine has no graphics card (Linux).
//!
//! WebKit would have the processor play the card: a frame of a scrolling list takes 23 ms of its time
//! then, and 2.6 ms when it draws by itself. Its switch for that is read from the environment when the
//! first window is made.

/// Has WebKit draw by processor, where there is no card and nobody has chosen. To be called before
/// anything else of the program.
#[cfg(target_os = "linux")]
pub(crate) fn choose() {
    const SWITCH: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    if std::env::var_os(SWITCH).is_some() || has_card() {
        return;
    }
    // SAFETY: no thread of ours runs yet; the one that there is gives back memory for WebKit's allocator
    // and reads no environment.
    #[expect(
        unsafe_code,
        reason = "starting the program once more would link all its libraries again"
    )]
    unsafe {
        std::env::set_var(SWITCH, "1");
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn choose() {}

/// Whether the system has a device that draws, and was not told to leave it alone.
#[cfg(target_os = "linux")]
fn has_card() -> bool {
    let is_off = std::env::var_os("LIBGL_ALWAYS_SOFTWARE").is_some_and(|value| value == "1");
    let devices = std::fs::read_dir("/dev/dri").into_iter().flatten();
    let draws = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("renderD");
    !is_off && devices.flatten().any(|entry| draws(&entry.file_name()))
}

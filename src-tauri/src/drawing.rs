//! How the window is drawn where the machine has no graphics card (Linux).
//!
//! WebKit would have the processor play the card: a frame of a scrolling list takes 23 ms of its time
//! then, and 2.6 ms when it draws by itself. Its switch for that is read from the environment before
//! the first window, so the program starts once more with it, in the same process.

/// Restarts the program with drawing by processor, where there is no card and nobody has chosen.
#[cfg(target_os = "linux")]
pub(crate) fn choose() {
    use std::os::unix::process::CommandExt;

    const SWITCH: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    if std::env::var_os(SWITCH).is_some() || has_card() {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        let mut again = std::process::Command::new(program);
        let error = again
            .args(std::env::args_os().skip(1))
            .env(SWITCH, "1")
            .exec();
        // It is drawn as before then.
        tracing::warn!("cannot restart to draw without a graphics card: {error}");
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

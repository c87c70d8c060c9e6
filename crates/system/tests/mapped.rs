//! A file that is changed under its reader is noticed, and one that is cut short under a mapping ends nothing.

use std::fs::{self, OpenOptions};
use whyrank_system::mapped::{self, Kept, Watch};

#[test]
fn what_changes_a_watched_file_is_noticed_and_what_leaves_its_bytes_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("watched");
    let write = |bytes: &[u8]| fs::write(&path, bytes).unwrap();
    // Later than any change before the watch, as a file system's clock tells.
    let wait = || std::thread::sleep(std::time::Duration::from_millis(20));
    let altered = |act: &dyn Fn()| {
        let _ = fs::remove_file(&path);
        write(b"bytes");
        let before = mapped::n_altered();
        let watch = mapped::watch(&path, Kept::Bytes).unwrap();
        wait();
        assert_eq!(mapped::altered_in(folder.path()), None);
        act();
        let is_altered = mapped::altered_in(folder.path()).is_some();
        assert_eq!(watch.is_altered(), is_altered);
        // Counted once.
        assert_eq!(mapped::n_altered(), before + u64::from(is_altered));
        assert_eq!(mapped::n_altered(), before + u64::from(is_altered));
        drop(watch);
        assert_eq!(mapped::altered_in(folder.path()), None);
        is_altered
    };
    let cut = || {
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(2).unwrap();
    };
    let set_back = || {
        let before = fs::metadata(&path).unwrap().modified().unwrap();
        write(b"other");
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_modified(before).unwrap();
    };
    assert!(altered(&cut));
    assert!(altered(&|| write(b"other")));
    assert!(cfg!(not(unix)) || altered(&set_back));
    assert!(!altered(&|| fs::remove_file(&path).unwrap()));
    let replace = || {
        let other = folder.path().join("other");
        fs::write(&other, b"longer than before").unwrap();
        fs::rename(&other, &path).unwrap();
    };
    assert!(!altered(&replace));
    // Where it is written in place, only that it is another counts.
    let at_its_place = |act: &dyn Fn()| {
        let watch = Watch::apart(&path, Kept::Place).unwrap();
        act();
        watch.is_altered()
    };
    assert!(!at_its_place(&|| write(b"more")));
    assert!(at_its_place(&replace));
    assert!(at_its_place(&|| fs::remove_file(&path).unwrap()));
}

#[cfg(target_os = "linux")]
#[test]
fn bytes_that_are_gone_are_zeros_and_counted() {
    use nix::libc;
    use std::os::fd::AsRawFd as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mapped");
    std::fs::write(&path, vec![7; 3 * 4096]).unwrap();
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(&path)
        .unwrap();
    mapped::guard();
    #[expect(unsafe_code, reason = "mapping a file is what makes it a slice")]
    // SAFETY: the mapping is as long as the file is now; what happens when it is not is the test.
    let bytes = unsafe {
        let at = libc::mmap(
            std::ptr::null_mut(),
            3 * 4096,
            libc::PROT_READ,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            0,
        );
        assert_ne!(at, libc::MAP_FAILED);
        std::slice::from_raw_parts(at.cast::<u8>(), 3 * 4096)
    };
    let before = mapped::n_missed();
    assert_eq!((bytes[5000], mapped::n_missed()), (7, before));
    file.set_len(4096).unwrap();
    assert_eq!((bytes[100], bytes[9000]), (7, 0));
    assert_eq!(mapped::n_missed(), before + 1);
}

//! A file that is cut short under a mapping is noticed, and ends nothing.

#![cfg(target_os = "linux")]

use nix::libc;
use std::fs::OpenOptions;
use std::os::fd::AsRawFd as _;
use whyrank_system::mapped;

#[test]
fn bytes_that_are_gone_are_zeros_and_counted() {
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

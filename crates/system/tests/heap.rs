//! A test of its own: what other tests of a process take would be measured with it.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn freed_memory_goes_back_to_the_system() {
    const N: usize = 100_000;
    const BYTES: usize = 1_000;
    let mut pieces: Vec<Option<Box<[u8]>>> = (0..N)
        .map(|_| Some(vec![1; BYTES].into_boxed_slice()))
        .collect();
    // One in a hundred stays, so that nothing is free from end to end.
    for (at, piece) in pieces.iter_mut().enumerate() {
        if at % 100 != 99 {
            *piece = None;
        }
    }
    let held = resident_kb();
    whyrank_system::heap::give_back();
    let left = resident_kb();
    assert!(
        held - left > N * BYTES / 1024 / 2,
        "{held} kB before and {left} kB after"
    );
    assert_eq!(pieces.iter().flatten().count(), N / 100);
}

#[cfg(target_os = "linux")]
#[test]
fn the_process_lies_in_the_memory_of_the_machine() {
    let (process, machine) = (
        whyrank_system::heap::resident_bytes().expect("Linux says it"),
        whyrank_system::heap::machine_bytes().expect("Linux says it"),
    );
    assert!(process > 1 << 20 && process < machine);
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn resident_kb() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("it is there");
    let line = status.lines().find(|line| line.starts_with("RssAnon:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|kb| kb.parse().ok()).expect("a number")
}

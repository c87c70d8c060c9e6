//! `npm run fuzz`: libFuzzer drives one target, which `WHYRANK_FUZZ_TARGET` names.
//!
//! Started by `scripts/fuzz.mjs`, which also builds it: with coverage, and under AddressSanitizer, the
//! parsers in C included. What a target is and where its seeds come from is in `targets`.

#![no_main]

mod targets;

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::OnceLock;
use targets::{TARGETS, Target};

fuzz_target!(init: begin(), |bytes: &[u8]| {
    (target().run)(bytes);
});

fn target() -> &'static Target {
    static CHOSEN: OnceLock<&Target> = OnceLock::new();
    CHOSEN.get_or_init(|| {
        let name = std::env::var("WHYRANK_FUZZ_TARGET").unwrap_or_default();
        let chosen = TARGETS.iter().find(|target| target.name == name);
        chosen.unwrap_or_else(|| {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            panic!("WHYRANK_FUZZ_TARGET must be one of {}", names.join(", "))
        })
    })
}

/// Before libFuzzer reads its seeds: writes those of the target where it will look.
fn begin() {
    let Some(folder) = std::env::var_os("WHYRANK_FUZZ_SEEDS") else {
        return;
    };
    for (number, seed) in targets::seeds(target()).iter().enumerate() {
        let path = Path::new(&folder).join(format!("seed-{number}"));
        std::fs::write(path, seed).expect("the folder of seeds can be written");
    }
}

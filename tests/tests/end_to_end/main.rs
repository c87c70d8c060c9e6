//! The whole path through the built programs, on repositories made on the spot.

mod bad_input;
#[cfg(unix)]
mod bench;
#[cfg(unix)]
mod bench_formats;
#[cfg(unix)]
mod bench_rivals;
mod circles;
mod demo;
#[cfg(unix)]
mod doctor;
mod edges;
mod figures;
mod formats;
mod hooks;
mod incremental;
mod interrupted;
mod journey;
mod killed_lane;
#[cfg(unix)]
mod lsp;
mod memory;
mod memory_input;
mod network;
mod published;
#[cfg(unix)]
mod rg;
#[cfg(target_os = "linux")]
mod scale;
mod structure;
mod tables;
mod tools;

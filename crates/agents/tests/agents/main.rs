//! Setting up agents, from outside: files in, files out.

mod bad_input;
mod clients;
mod files;
mod hooks;
mod plugin;
mod support;
mod undo;
#[cfg(unix)]
mod verify;

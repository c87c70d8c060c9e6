//! The desktop inspector: `whyrank-desktop [PATH]`.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    whyrank_desktop::run()
}

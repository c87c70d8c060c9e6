//! Generates the context that `tauri::generate_context!` embeds.

fn main() {
    tauri_build::build();
}

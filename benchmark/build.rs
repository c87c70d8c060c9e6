//! Lists the task files, so that adding one is adding one.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=tasks");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("tasks");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.retain(|path| {
        path.extension()
            .is_some_and(|ending| ending == "json" || ending == "jsonl")
    });
    files.sort();
    let mut code =
        "/// Name and text of each file.\nconst TASKS: &[(&str, &str)] = &[\n".to_owned();
    for file in files {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        code += &format!(
            "    ({name:?}, include_str!({:?})),\n",
            file.display().to_string()
        );
    }
    code += "];\n";
    let out = Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("tasks.rs");
    fs::write(&out, code).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
}

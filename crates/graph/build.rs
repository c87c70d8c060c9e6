//! Marks the build with a digest of this crate's sources, of the languages' rules for names and their
//! families, and of what paths say: a stored graph that other rules made is not believed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

const LANGUAGES: &str = "../syntax/src/languages";
const FILES: [&str; 4] = [
    "../syntax/src/family.rs",
    "../syntax/src/name_rules.rs",
    "../system/src/folders.rs",
    "../system/src/test_paths.rs",
];

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed={LANGUAGES}");
    let mut sources: Vec<PathBuf> = FILES.map(PathBuf::from).to_vec();
    for path in FILES {
        println!("cargo::rerun-if-changed={path}");
    }
    gather(Path::new("src"), &mut sources)?;
    gather(Path::new(LANGUAGES), &mut sources)?;
    sources.sort();
    let mut digest = DefaultHasher::new();
    for source in sources {
        std::fs::read(source)?.hash(&mut digest);
    }
    println!("cargo::rustc-env=WHYRANK_GRAPH_RULES={}", digest.finish());
    Ok(())
}

fn gather(folder: &Path, sources: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, sources)?
        } else {
            sources.push(path)
        }
    }
    Ok(())
}

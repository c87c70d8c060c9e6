//! Compiles tree-sitter grammars for a build script, with their two large tables packed.
//!
//! A grammar is a C file most of which is two constant arrays: 27 MB of a program that holds all of
//! them, and 3 MB packed. Each file is compiled with room in their place that is zero when the program
//! starts, and the packed tables lie beside; the caller unpacks them there at first use. The grammars are the
//! `build-dependencies` of this package, in its `Cargo.toml`: a line there is a grammar more.

mod parser;

use parser::Parser;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The part of a package that nobody uses: PHP that begins without `<?php`.
const UNUSED: &str = "php_only";

/// Compiles all grammars and links them. Writes `grammars.rs` into the folder of the build's output: for each
/// grammar a line `grammar! { name, function, tables, bytes, packed }`.
///
/// `include` is what the package `tree-sitter` says of its headers (`DEP_TREE_SITTER_INCLUDE`): the sources of
/// the grammars lie beside that package, where cargo has unpacked it or `cargo vendor` has put it.
pub fn compile(include: &Path) {
    let packages = include.ancestors().nth(2).expect("a folder in a package");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("a build script has one"));
    let sources: Vec<PathBuf> = packages_of(include_str!("../Cargo.toml"))
        .iter()
        .flat_map(|(name, version)| parsers(packages, name, version))
        .collect();
    let done: Mutex<Vec<Option<Grammar>>> = Mutex::new(sources.iter().map(|_| None).collect());
    let next = Mutex::new(sources.iter().enumerate());
    std::thread::scope(|scope| {
        for _ in 0..n_jobs() {
            scope.spawn(|| {
                loop {
                    let job = next.lock().expect("no job failed").next();
                    let Some((at, source)) = job else { return };
                    let grammar = Grammar::compile(source, &out);
                    done.lock().expect("no job failed")[at] = Some(grammar);
                }
            });
        }
    });
    let grammars = done.into_inner().expect("no job failed");
    let grammars: Vec<Grammar> = grammars.into_iter().flatten().collect();
    // One archive, in the order of the list, so that a build gives the same bytes each time.
    let objects = grammars.iter().flat_map(|grammar| &grammar.objects);
    cc::Build::new()
        .objects(objects)
        .compile("whyrank-grammars");
    let lines: String = grammars.into_iter().map(|grammar| grammar.line).collect();
    write(&out.join("grammars.rs"), lines.as_bytes());
}

fn n_jobs() -> usize {
    let jobs = std::env::var("NUM_JOBS").ok();
    jobs.and_then(|jobs| jobs.parse().ok()).unwrap_or(1)
}

/// Names and versions of the grammars, as a manifest has them or as cargo rewrites it to publish a package:
/// whatever has an exact version.
fn packages_of(manifest: &str) -> Vec<(&str, &str)> {
    let mut packages = Vec::new();
    let mut rest = manifest;
    while let Some((before, after)) = rest.split_once("\"=") {
        let (version, after) = after.split_once('"').expect("a version ends");
        let name = &before[before.rfind("tree-sitter-").expect("a grammar")..];
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        packages.push((&name[..end.unwrap_or(name.len())], version));
        rest = after;
    }
    packages
}

/// The folders of a package that hold a parser: `src`, or one for each dialect.
fn parsers(packages: &Path, name: &str, version: &str) -> Vec<PathBuf> {
    let folder = [format!("{name}-{version}"), name.to_owned()]
        .map(|folder| packages.join(folder))
        .into_iter()
        .find(|folder| {
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
            manifest.contains(&format!("version = \"{version}\""))
        });
    let folder =
        folder.unwrap_or_else(|| panic!("{name} {version} is not in {}", packages.display()));
    let mut dialects: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder was read")
        .flatten()
        .filter(|entry| entry.file_name() != UNUSED)
        .map(|entry| entry.path().join("src"))
        .collect();
    dialects.sort();
    dialects.push(folder.join("src"));
    dialects.retain(|folder| folder.join("parser.c").is_file());
    assert!(!dialects.is_empty(), "no parser.c in {}", folder.display());
    dialects
}

/// A compiled grammar.
struct Grammar {
    objects: Vec<PathBuf>,
    line: String,
}

impl Grammar {
    fn compile(folder: &Path, out: &Path) -> Self {
        let source = folder.join("parser.c");
        let text = fs::read_to_string(&source)
            .unwrap_or_else(|error| panic!("{}: {error}", source.display()));
        let Parser { name, code, tables } = Parser::read(&text)
            .unwrap_or_else(|| panic!("{} does not read as a parser", source.display()));
        let (code_file, packed_file) = (
            out.join(format!("{name}.c")),
            out.join(format!("{name}.lz4")),
        );
        write(&code_file, code.as_bytes());
        write(&packed_file, &lz4_flex::block::compress(&bytes(&tables)));
        let mut c = cc::Build::new();
        c.std("c11")
            .include(folder)
            .debug(false)
            .cargo_warnings(false);
        if c.get_compiler().is_like_msvc() {
            c.flag("-utf-8");
        }
        c.file(code_file);
        let scanner = folder.join("scanner.c");
        if scanner.is_file() {
            c.file(scanner);
        }
        let line = format!(
            "grammar! {{ {name}, tree_sitter_{name}, whyrank_tables_{name}, {}, {packed_file:?} }}\n",
            2 * tables.len(),
        );
        let objects = c.compile_intermediates();
        Self { objects, line }
    }
}

/// The numbers as the machine that runs the program reads them, which may not be the one that builds it.
fn bytes(tables: &[u16]) -> Vec<u8> {
    let endian = std::env::var("CARGO_CFG_TARGET_ENDIAN");
    let order = match endian.as_deref() {
        Ok("big") => u16::to_be_bytes,
        _ => u16::to_le_bytes,
    };
    tables.iter().copied().flat_map(order).collect()
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grammars_are_what_has_an_exact_version_in_either_form_of_a_manifest() {
        let ours = "[dependencies]\ncc = \"1\"\n[build-dependencies]\ntree-sitter-c = \"=0.24.2\"\n\
            tree-sitter-c-sharp = \"=0.23.5\"\n";
        let published = "[dependencies.cc]\nversion = \"1\"\n[build-dependencies.tree-sitter-c]\n\
            version = \"=0.24.2\"\n[build-dependencies.tree-sitter-c-sharp]\nversion = \"=0.23.5\"\n";
        let grammars = [
            ("tree-sitter-c", "0.24.2"),
            ("tree-sitter-c-sharp", "0.23.5"),
        ];
        assert_eq!(packages_of(ours), grammars);
        assert_eq!(packages_of(published), grammars);
    }
}

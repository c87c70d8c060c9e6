//! Bringing a pin's archive onto this machine, with the user's own tools, and checking its hash.

use crate::process::must;
use crate::watch::Watch;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use whyrank_eval::suites::{Pin, Source};

pub(super) const FETCH_LIMIT: Duration = Duration::from_secs(600);

/// Brings a pin's archive into `work` and unpacks it; returns the folder with its content.
pub(super) fn fetch(pin: &Pin, work: &Path, watch: &Watch) -> std::result::Result<PathBuf, String> {
    let run = |program: &str, args: &[&str]| {
        must(Command::new(program).args(args), work, FETCH_LIMIT, watch)
    };
    let version = &pin.version;
    let unpacked = work.join("unpacked");
    match &pin.source {
        Source::Npm(name) => {
            run("npm", &["pack", "--silent", &format!("{name}@{version}")])?;
            unpack(pin, work, ".tgz", &unpacked, watch)?;
        }
        Source::Pypi(name) => {
            let wanted = format!("{name}=={version}");
            run(
                "python3",
                &[
                    "-m",
                    "pip",
                    "download",
                    "--quiet",
                    "--no-deps",
                    "--no-binary",
                    ":all:",
                    &wanted,
                ],
            )?;
            unpack(pin, work, ".tar.gz", &unpacked, watch)?;
        }
        Source::Crate(name) => {
            let manifest = format!(
                "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[lib]\npath = \"lib.rs\"\n\n[dependencies]\n{name} = \"={version}\"\n"
            );
            fs::write(work.join("Cargo.toml"), manifest).map_err(|error| error.to_string())?;
            fs::write(work.join("lib.rs"), "").map_err(|error| error.to_string())?;
            run(
                "cargo",
                &["vendor", "--quiet", "--versioned-dirs", "vendor"],
            )?;
            let folder = work.join("vendor");
            check_crate(pin, &folder.join(format!("{name}-{version}")))?;
            return Ok(folder);
        }
        Source::Deb(name) => {
            run("apt-get", &["download", "-q", &format!("{name}={version}")])?;
            let archive = archive(work, ".deb")?;
            check_hash(pin, &archive)?;
            run("dpkg", &["-x", &archive.to_string_lossy(), "unpacked"])?;
        }
        Source::DebSrc(name) => {
            let wanted = format!("{name}={version}");
            let args = [
                "source",
                "-q",
                "--download-only",
                "--tar-only",
                "--only-source",
                &wanted,
            ];
            run("apt-get", &args)
                .map_err(|why| format!("{why}; Debian's sources must be enabled (deb-src)"))?;
            let ending = pin.archive.as_deref().unwrap_or(".orig.tar.gz");
            unpack(pin, work, ending, &unpacked, watch)?;
        }
        Source::Git(url) => {
            run("git", &["init", "-q", "unpacked"])?;
            let reference = if version.is_empty() { "HEAD" } else { version };
            run(
                "git",
                &[
                    "-C", "unpacked", "fetch", "-q", "--depth", "1", url, reference,
                ],
            )?;
            run("git", &["-C", "unpacked", "checkout", "-q", "FETCH_HEAD"])?;
        }
        Source::Folder(name) => {
            return Err(format!(
                "no checkout of `{name}` is at hand; give the folder that holds it with --repos"
            ));
        }
    }
    Ok(unpacked)
}

fn unpack(
    pin: &Pin,
    work: &Path,
    ending: &str,
    unpacked: &Path,
    watch: &Watch,
) -> std::result::Result<(), String> {
    let archive = archive(work, ending)?;
    check_hash(pin, &archive)?;
    fs::create_dir_all(unpacked).map_err(|error| error.to_string())?;
    let mut tar = Command::new("tar");
    tar.arg("xf").arg(&archive).arg("-C").arg(unpacked);
    must(&mut tar, work, FETCH_LIMIT, watch).map(drop)
}

fn archive(work: &Path, ending: &str) -> std::result::Result<PathBuf, String> {
    let entries = fs::read_dir(work).map_err(|error| error.to_string())?;
    let mut files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let found = files.find(|path| path.to_string_lossy().ends_with(ending));
    found.ok_or_else(|| format!("the registry gave no {ending} archive"))
}

fn check_hash(pin: &Pin, archive: &Path) -> std::result::Result<(), String> {
    let Some(expected) = &pin.sha256 else {
        return Ok(());
    };
    let bytes = fs::read(archive).map_err(|error| error.to_string())?;
    let found = hex::encode(Sha256::digest(&bytes));
    if &found == expected {
        Ok(())
    } else {
        Err(format!(
            "the archive's sha256 is {found}, pinned is {expected}"
        ))
    }
}

/// Vendoring leaves the archive's hash in a file.
fn check_crate(pin: &Pin, folder: &Path) -> std::result::Result<(), String> {
    let Some(expected) = &pin.sha256 else {
        return Ok(());
    };
    let text = fs::read_to_string(folder.join(".cargo-checksum.json"))
        .map_err(|error| error.to_string())?;
    let sums: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    match sums.get("package").and_then(|sum| sum.as_str()) {
        Some(found) if found == expected => Ok(()),
        found => Err(format!(
            "the crate's sha256 is {found:?}, pinned is {expected}"
        )),
    }
}

/// The folder of the archive that the pin means. Without one, it descends through folders that hold a single folder.
pub(super) fn root_of(pin: &Pin, unpacked: &Path) -> std::result::Result<PathBuf, String> {
    if let Some(root) = &pin.root {
        let wanted = unpacked.join(root);
        // Source distributions have their version in the top folder's name.
        let below = single_folder(unpacked).map(|folder| folder.join(root));
        let found = [Some(wanted), below]
            .into_iter()
            .flatten()
            .find(|folder| folder.is_dir());
        return found.ok_or_else(|| format!("the archive has no folder `{root}`"));
    }
    if let Source::Crate(name) = &pin.source {
        return Ok(unpacked.join(format!("{name}-{}", pin.version)));
    }
    let mut folder = unpacked.to_owned();
    while let Some(below) = single_folder(&folder) {
        folder = below;
    }
    Ok(folder)
}

fn single_folder(folder: &Path) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()));
    let only = entries.next()?;
    (entries.next().is_none() && only.is_dir()).then_some(only)
}

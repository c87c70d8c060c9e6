//! Share of secrets that are held back: values drawn by a seed, over formats, names and the places where they
//! stand. And how few files that hold none.

use crate::drawn::Draw;
use std::path::{Path, PathBuf};
use std::{env, fs};
use whyrank_secrets::is_secret_path;
use whyrank_source::{FileFilter, SkipReason, decode, shown};

/// Names of passwords, and of keys.
const NAMES: [&[&str]; 2] = [
    &[
        "password",
        "DB_PASSWORD",
        "smtpPassword",
        "admin_pass",
        "DbPwd",
        "redis_passwd",
        "MAIL_PW",
        "passphrase",
        "rootPassword",
    ],
    &[
        "apiKey",
        "API_TOKEN",
        "client_secret",
        "secretKey",
        "auth_token",
        "STRIPE_SECRET",
        "signingKey",
        "accessToken",
        "WEBHOOK_SECRET",
        "encryption_key",
        "jwtSecret",
        "botToken",
    ],
];
/// Values of passwords, with all kinds of characters and without; and of keys.
const VALUES: [&[&str]; 2] = [&["⟨p12⟩", "⟨m14⟩", "⟨n12⟩"], &["⟨a32⟩", "⟨h40⟩", "⟨w43⟩"]];
/// Places in which a key in a documented format needs no name.
const NEUTRAL: &[(&str, &str)] = &[
    ("src/a.ts", "call(\"§\", 1);\n"),
    ("src/a.py", "# was § once\n"),
    ("a.yml", "x:\n  - §\n"),
    ("a.xml", "<a>§</a>\n"),
    ("a.sh", "run --with '§'\n"),
    ("README.md", "Use `§` for it.\n"),
];

/// Some text with the secret in it.
struct Planted {
    path: String,
    text: String,
    secret: String,
}

/// The rows of a list, without its comments.
fn rows(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter(|row| !row.starts_with('#'))
}

/// Each place of a list with each kind of value.
fn in_places(list: &str, seed: u64) -> Vec<Planted> {
    let mut draw = Draw(seed);
    let mut planted = Vec::new();
    for row in rows(list) {
        let [path, kind, text] = row.splitn(3, '\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {row}");
        };
        let kind = usize::from(kind == "K");
        for value in VALUES[kind] {
            let name = NAMES[kind][draw.next(NAMES[kind].len())];
            let secret = draw.fill(value);
            let text = text.replace("\\n", "\n").replace("\\t", "\t");
            let text = text.replace('¤', name).replace('§', &secret) + "\n";
            let path = path.to_owned();
            planted.push(Planted { path, text, secret });
        }
    }
    planted
}

/// Each format of a key in a place that says nothing about it.
fn in_formats(list: &str, seed: u64) -> Vec<Planted> {
    let mut draw = Draw(seed);
    let planted = rows(list).map(|row| {
        let (_, format) = row.split_once(' ').expect("a service and a format");
        let filled = draw.fill(format);
        // What is between « and » is secret, where an address stands around it.
        let inside = filled
            .split(['«', '»'])
            .nth(1)
            .unwrap_or(&filled)
            .to_owned();
        let (path, text) = NEUTRAL[draw.next(NEUTRAL.len())];
        Planted {
            path: path.to_owned(),
            text: text.replace('§', &filled.replace(['«', '»'], "")),
            secret: inside,
        }
    });
    planted.collect()
}

impl Planted {
    /// Says whether each byte of the secret is struck out, wherever it stands, and the file shown: unless its name
    /// says that it is one of secrets.
    fn is_held_back(&self) -> bool {
        match shown(&self.path, self.text.as_bytes(), &FileFilter::default()) {
            Err(_) => is_secret_path(&self.path),
            Ok(shown) => {
                let mut places = self.text.match_indices(&self.secret);
                places.all(|(at, secret)| {
                    shown.as_bytes()[at..at + secret.len()]
                        .iter()
                        .all(|byte| *byte == b'*')
                })
            }
        }
    }
}

/// Fails where less than these per cent are held back; prints those that are not.
fn check(what: &str, planted: &[Planted], percent: usize) {
    let served: Vec<&Planted> = planted.iter().filter(|one| !one.is_held_back()).collect();
    let n_held = planted.len() - served.len();
    let list: String = served
        .iter()
        .map(|one| format!("{}: {}", one.path, one.text))
        .collect();
    println!("{what}: {n_held} of {} held back\n{list}", planted.len());
    assert!(n_held * 100 >= planted.len() * percent, "{what}: {n_held}");
}

const PLACES: &str = include_str!("secrets/places.txt");
const HELD_OUT: &str = include_str!("secrets/held_out.txt");
const FORMATS: &str = include_str!("secrets/formats.txt");

#[test]
fn secrets_are_held_back_wherever_they_stand() {
    for seed in [4177, 46] {
        check("places", &in_places(PLACES, seed), 95);
        check("formats", &in_formats(FORMATS, seed), 95);
        check("held out", &in_places(HELD_OUT, seed), 85);
    }
}

/// Prints what is struck out of, or hidden in, the folders that `WHYRANK_SECRETS_IN` names (parted by `:`): to be
/// read by a person. A repository without secrets has false alarms alone.
#[test]
#[ignore = "reads folders of yours: WHYRANK_SECRETS_IN=… cargo test -- --ignored what_is_struck"]
fn what_is_struck_in_folders() {
    let folders = env::var("WHYRANK_SECRETS_IN").expect("folders");
    for folder in env::split_paths(&folders) {
        let (mut n_files, mut n_judged) = (0, 0);
        for path in files_below(&folder) {
            let bytes = fs::read(&path).unwrap_or_default();
            let inner = path.strip_prefix(&folder).expect("below it");
            n_files += 1;
            n_judged += usize::from(tell(&inner.to_string_lossy(), &bytes));
        }
        println!("{}: {n_judged} of {n_files} files", folder.display());
    }
}

/// Prints what is held back of a file; whether anything is.
fn tell(path: &str, bytes: &[u8]) -> bool {
    match shown(path, bytes, &FileFilter::default()) {
        Err(SkipReason::Secret) => println!("HIDDEN {path}"),
        Ok(shown) if !path.ends_with(".ipynb") => {
            let whole = decode(bytes).unwrap_or_default();
            let lines = whole.lines().zip(shown.lines());
            let struck: Vec<_> = lines.filter(|(line, shown)| line != shown).collect();
            for (line, shown) in &struck {
                println!("STRUCK {path}: {line}\n    {shown}");
            }
            return !struck.is_empty();
        }
        _ => return false,
    }
    true
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && entry.file_name() != ".git" => open.push(path),
                Ok(kind) if kind.is_file() => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

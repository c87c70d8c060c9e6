//! Files to search: copies of real ones, and some of each kind that ripgrep treats in its own way.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use whyrank_tests::TestRepo;

/// Files that are copied of a repository.
const MOST_FILES: usize = 300;
const MOST_BYTES: u64 = 200 << 10;
/// An index takes a file that changed less than this before it was listed for one that may change again.
const TICK: Duration = Duration::from_millis(2_600);

pub(super) struct Corpus {
    pub(super) repo: TestRepo,
    /// Texts that patterns are drawn from.
    pub(super) texts: Vec<String>,
    written_at: SystemTime,
}

impl Corpus {
    /// Copies files of a folder, as they lie there, without those that hold secrets: `whyrank rg` prints them
    /// otherwise, on purpose.
    pub(super) fn copied(source: &Path) -> Self {
        let repo = TestRepo::unborn();
        let mut files = Vec::new();
        collect(source, source, &mut files);
        files.sort();
        let step = (files.len() / MOST_FILES).max(1);
        let filter = whyrank_source::FileFilter::default();
        let mut texts = Vec::new();
        for path in files.iter().step_by(step) {
            let Ok(bytes) = std::fs::read(source.join(path)) else {
                continue;
            };
            let name = path.to_string_lossy();
            let judged = whyrank_source::searched_text(&name, &bytes, &filter);
            if judged == whyrank_source::SearchedText::Plain {
                repo.write(&name, &bytes);
                texts.extend(String::from_utf8(bytes).ok().filter(|text| text.len() > 40));
            }
        }
        write_kinds(&repo);
        Self {
            repo,
            texts,
            written_at: SystemTime::now(),
        }
    }

    /// Waits until an index believes the files.
    pub(super) fn let_settle(&self) {
        let age = self.written_at.elapsed().unwrap_or_default();
        std::thread::sleep(TICK.saturating_sub(age));
    }
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let (path, Ok(meta)) = (entry.path(), std::fs::symlink_metadata(entry.path())) else {
            continue;
        };
        let name = entry.file_name();
        if meta.is_dir()
            && ![".git", "target", "node_modules"]
                .iter()
                .any(|other| name == *other)
        {
            collect(root, &path, files);
        } else if meta.is_file() && meta.len() < MOST_BYTES && name != ".gitattributes" {
            files.extend(path.strip_prefix(root).map(Path::to_owned));
        }
    }
}

/// Encodings, binaries, ignored and hidden files, lines that end otherwise or not at all.
fn write_kinds(repo: &TestRepo) {
    let wide = |text: &str, to: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}")
            .encode_utf16()
            .flat_map(to)
            .collect()
    };
    repo.write(
        "kinds/wide.txt",
        wide("a word in UTF-16\nfn größe()\n", u16::to_le_bytes),
    );
    repo.write(
        "kinds/wide-be.txt",
        wide("a word in UTF-16\r\nend", u16::to_be_bytes),
    );
    repo.write("kinds/mark.txt", "\u{feff}word after a mark\nfn x\n");
    repo.write("kinds/latin.txt", b"caf\xe9 word\n\xff\xfe word \xe9\n");
    repo.write("kinds/nul.bin", b"word\n\0\nword again\n");
    repo.write("kinds/crlf.txt", "one word\r\n\r\ntwo words\r\n");
    repo.write("kinds/no-end.txt", "word\nlast word");
    repo.write("kinds/empty.txt", "");
    repo.write("kinds/ends.txt", "\n\n\n");
    repo.write(
        "kinds/fold.txt",
        "\u{212a}elvin wa\u{17f}t Straße ÉCLAIR éclair\n",
    );
    repo.write(
        "kinds/long.txt",
        format!("{} word {}\n", "x".repeat(3000), "y é ".repeat(300)),
    );
    repo.write("kinds/patterns.txt", "word\nfn \\w+\n");
    repo.write("kinds/.hidden.txt", "a hidden word\n");
    repo.write("kinds/ignored.log", "an ignored word\n");
    repo.write("kinds/ignored-too.tmp", "an ignored word\n");
    repo.write("kinds/sub/deep/file.txt", "a word far down\n");
    repo.write("kinds/sub/kept.log", "a word that is kept\n");
    repo.write("kinds/.gitignore", "*.log\n!kept.log\n");
    repo.write("kinds/.ignore", "*.tmp\n");
    repo.write("kinds/sub/.rgignore", "deep/\n");
}

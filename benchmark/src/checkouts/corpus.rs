//! A corpus as files: one for each document, named by its id.

use std::fs;
use std::path::Path;
use whyrank_eval::suites::CorpusDocument;

/// A document's id as a file name: whatever is not plain is written as its code, so that ids stay
/// apart and inside the folder. The other way round: [`id_of`].
fn file_stem_of(id: &str) -> String {
    let escape = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') {
            c.to_string()
        } else {
            format!("%{:x}%", u32::from(c))
        }
    };
    id.chars().map(escape).collect()
}

/// Returns the id of the document that a file holds.
pub(crate) fn id_of(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let parts = stem
        .split('%')
        .enumerate()
        .map(|(index, part)| match index % 2 {
            0 => part.to_owned(),
            _ => u32::from_str_radix(part, 16)
                .ok()
                .and_then(char::from_u32)
                .map(String::from)
                .unwrap_or_default(),
        });
    parts.collect()
}

/// Writes a document; `index` chooses its folder.
pub(super) fn write_document(
    root: &Path,
    index: usize,
    document: &CorpusDocument,
) -> std::io::Result<()> {
    // A folder of a million files is slow everywhere; folder names carry no words.
    let folder = root.join(format!("{:03}", index / 1000));
    fs::create_dir_all(&folder)?;
    let ending = match document.language.as_str() {
        "python" => "py",
        "javascript" => "js",
        "typescript" => "ts",
        "go" => "go",
        "java" => "java",
        "php" => "php",
        "ruby" => "rb",
        "rust" => "rs",
        "" | "text" => "txt",
        other => other,
    };
    fs::write(
        folder.join(format!("{}.{ending}", file_stem_of(&document.id))),
        &document.text,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_documents_come_back_from_file_names() {
        for id in ["7", "a/b", "../x", "d.1%2", "ä b"] {
            let stem = file_stem_of(id);
            assert!(!stem.contains(['/', '.']), "{stem}");
            assert_eq!(id_of(&format!("000/{stem}.py")), id);
        }
    }
}

//! What a file's bytes are: their git id, their text, and whether a person would read them.
//!
//! Listings, readers and comparisons judge bytes by [`shown`], so that a file is in or out whether it
//! is committed or not, and whoever asks.

use crate::notebook;
use crate::{FileFilter, SkipReason};
use std::borrow::Cow;
use std::ops::Range;
use whyrank_secrets::{bytes_without_secrets, holds_key, is_secret_path, without_secrets};

/// How far into a file NUL bytes and keys are looked for; git looks as far.
const SNIFF_BYTES: usize = 8000;
/// Longer lines on average than this are not read by people.
const MAX_AVERAGE_LINE_BYTES: usize = 500;
/// Smaller files are never called minified.
const MIN_MINIFIED_BYTES: usize = 20_000;

/// Turns a file's bytes into text.
///
/// Offsets into a file are offsets into this text. UTF-8 is returned as it is, a byte-order mark
/// included (U+FEFF), so there they are offsets into the bytes as well. UTF-16 needs a byte-order
/// mark, which is dropped. UTF-8 with a few broken sequences gets U+FFFD in their place; other
/// text that is mostly ASCII is read as Windows-1252, the superset of Latin-1.
///
/// # Errors
///
/// - `Binary`: NUL bytes, or too many control characters.
/// - `Encoding`: text of an encoding that cannot be told.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, SkipReason> {
    match encoding(bytes)? {
        Encoding::Utf8(text) => Ok(Cow::Borrowed(text)),
        Encoding::BrokenUtf8 => Ok(String::from_utf8_lossy(bytes)),
        Encoding::Utf16(text) => Ok(Cow::Owned(text)),
        Encoding::Windows1252 => Ok(bytes.iter().map(|&byte| windows_1252(byte)).collect()),
    }
}

/// Returns the text of a file as it is indexed and shown: without its secrets, each of their bytes struck
/// out; a notebook is its cells, each line of them on the line where it is written. The one judgement of a
/// file: who lists, reads or compares comes here.
///
/// # Errors
///
/// Why it is left out: for a secret by its name, where it is mostly a private key, or where one
/// cannot be struck out.
pub fn shown<'b>(
    path: &str,
    bytes: &'b [u8],
    filter: &FileFilter,
) -> Result<Cow<'b, str>, SkipReason> {
    if let Some(reason) = filter.refuse(path, bytes.len() as u64) {
        return Err(reason);
    }
    let text = decode(bytes)?;
    let is_allowed = filter.allows(path);
    if !is_allowed && is_mostly_private_key(text.as_bytes()) {
        return Err(SkipReason::Secret);
    }
    let is_notebook = notebook::is_notebook(path);
    if !is_notebook && is_minified(bytes) {
        return Err(SkipReason::Minified);
    }
    let text = if is_allowed {
        text
    } else {
        without_secrets(path, text).ok_or(SkipReason::Secret)?
    };
    if is_notebook {
        of_notebook(text)
    } else {
        Ok(text)
    }
}

/// The part of a file that a search over its bytes may print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchedText {
    /// All of it.
    Plain,
    /// This in its place, of the same length, line by line; UTF-16 is UTF-8 in it.
    Struck {
        /// The text without its secrets.
        text: Vec<u8>,
        /// The bytes that were struck out, in order.
        places: Vec<Range<usize>>,
    },
    /// Nothing.
    Secret,
}

/// Returns what of a file a search over its bytes may print, by the rules of [`shown`]. What is no text is
/// searched too, so it is judged by its bytes.
pub fn searched_text(path: &str, bytes: &[u8], filter: &FileFilter) -> SearchedText {
    if filter.allows(path) {
        return SearchedText::Plain;
    }
    let is_named_secret = holds_key(path) || is_secret_path(&path.to_ascii_lowercase());
    let text = match utf16_units(bytes).map(|units| String::from_utf16(&units)) {
        Some(Ok(text)) => Cow::Owned(text.into_bytes()),
        _ => Cow::Borrowed(bytes),
    };
    if is_named_secret || is_mostly_private_key(&text) {
        return SearchedText::Secret;
    }
    match bytes_without_secrets(path, &text) {
        None => SearchedText::Secret,
        Some(Cow::Borrowed(_)) => SearchedText::Plain,
        Some(Cow::Owned(struck)) => SearchedText::Struck {
            places: differing(&text, &struck),
            text: struck,
        },
    }
}

/// The ranges in which two texts of the same length differ.
fn differing(a: &[u8], b: &[u8]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let pairs = a.iter().zip(b).enumerate();
    for (at, _) in pairs.filter(|(_, (a, b))| a != b) {
        match ranges.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => ranges.push(at..at + 1),
        }
    }
    ranges
}

/// What a notebook is judged by is what its cells hold: outputs are long lines.
fn of_notebook(text: Cow<'_, str>) -> Result<Cow<'_, str>, SkipReason> {
    let shown = match notebook::cells(&text) {
        Some(cells) => Cow::Owned(cells),
        None => text,
    };
    let n_line_ends = shown.matches(notebook::LINE_END).count();
    if is_minified_beside(shown.as_bytes(), n_line_ends) {
        return Err(SkipReason::Minified);
    }
    Ok(shown)
}

/// Says why a file is left out, or `None` if it is to be indexed: what [`shown`] says.
pub fn classify(path: &str, bytes: &[u8], filter: &FileFilter) -> Option<SkipReason> {
    shown(path, bytes, filter).err()
}

enum Encoding<'a> {
    Utf8(&'a str),
    BrokenUtf8,
    Utf16(String),
    Windows1252,
}

fn encoding(bytes: &[u8]) -> Result<Encoding<'_>, SkipReason> {
    if let Some(units) = utf16_units(bytes) {
        return utf16(units);
    }
    if head(bytes).contains(&0) || has_binary_signature(bytes) {
        return Err(SkipReason::Binary);
    }
    if let Ok(text) = str::from_utf8(bytes) {
        return Ok(Encoding::Utf8(text));
    }
    single_byte_or_broken(bytes)
}

fn head(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(SNIFF_BYTES)]
}

fn has_binary_signature(bytes: &[u8]) -> bool {
    [b"%PDF-".as_slice(), b"\x7fELF", b"PK\x03\x04", b"\x1f\x8b"]
        .iter()
        .any(|signature| bytes.starts_with(signature))
}

/// The 16-bit units behind a byte-order mark, or `None` without one.
fn utf16_units(bytes: &[u8]) -> Option<Vec<u16>> {
    let from_bytes = match bytes {
        // The mark of UTF-32, little-endian, begins like that of UTF-16.
        [0xff, 0xfe, 0, 0, ..] => return None,
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    Some(
        bytes[2..]
            .chunks_exact(2)
            .map(|pair| from_bytes([pair[0], pair[1]]))
            .collect(),
    )
}

fn utf16(units: Vec<u16>) -> Result<Encoding<'static>, SkipReason> {
    let text = String::from_utf16(&units).map_err(|_| SkipReason::Encoding)?;
    if text.contains('\0') {
        Err(SkipReason::Binary)
    } else {
        Ok(Encoding::Utf16(text))
    }
}

/// Judges bytes that are not UTF-8 by how many of them text would hold.
fn single_byte_or_broken(bytes: &[u8]) -> Result<Encoding<'static>, SkipReason> {
    let n_control = bytes.iter().filter(|&&byte| is_control(byte)).count();
    let n_high = bytes.iter().filter(|&&byte| byte >= 0x80).count();
    if n_control * 50 > bytes.len() {
        return Err(SkipReason::Binary);
    }
    let n_in_utf8: usize = bytes
        .utf8_chunks()
        .map(|chunk| chunk.valid().bytes().filter(|&byte| byte >= 0x80).count())
        .sum();
    if n_in_utf8 * 2 > n_high {
        return Ok(Encoding::BrokenUtf8);
    }
    let is_mostly_ascii = n_high * 10 <= bytes.len() * 3;
    if is_mostly_ascii {
        Ok(Encoding::Windows1252)
    } else {
        Err(SkipReason::Encoding)
    }
}

fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b)
}

fn windows_1252(byte: u8) -> char {
    // What Windows put where Latin-1 has the C1 controls; five of them stay controls.
    const C1: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => C1[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Whether at least half of the file is a PEM private key: code that quotes one is no secret store.
fn is_mostly_private_key(bytes: &[u8]) -> bool {
    let n_begins = head(bytes)
        .split(|&byte| byte == b'\n')
        .filter(|line| opens_key(line))
        .count();
    if n_begins == 0 {
        return false;
    }
    let mut n_key_bytes = 0;
    let mut is_in_key = false;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        is_in_key |= opens_key(line);
        if is_in_key {
            n_key_bytes += line.len();
        }
        is_in_key &= !line.trim_ascii_start().starts_with(b"-----END ");
    }
    n_key_bytes * 2 >= bytes.len()
}

fn opens_key(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.starts_with(b"-----BEGIN ")
        && (line.ends_with(b"PRIVATE KEY-----") || line.ends_with(b"PRIVATE KEY BLOCK-----"))
}

fn is_minified(bytes: &[u8]) -> bool {
    is_minified_beside(bytes, 0)
}

/// The same where some lines end otherwise.
fn is_minified_beside(bytes: &[u8], n_line_ends: usize) -> bool {
    if bytes.len() <= MIN_MINIFIED_BYTES {
        return false;
    }
    let n_lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1 + n_line_ends;
    bytes.len() / n_lines > MAX_AVERAGE_LINE_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blob_id;

    fn reason(path: &str, bytes: &[u8]) -> Option<SkipReason> {
        classify(path, bytes, &FileFilter::default())
    }

    fn utf16_bytes(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        format!("\u{feff}{text}")
            .encode_utf16()
            .flat_map(to_bytes)
            .collect()
    }

    #[test]
    fn blob_ids_are_those_of_git() {
        assert_eq!(
            blob_id(b"").to_string(),
            "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
        );
        assert_eq!(
            blob_id(b"hello\n").to_string(),
            "ce013625030ba8dba906f756967f9e9ca394464a"
        );
    }

    #[test]
    fn utf8_is_borrowed_with_its_byte_order_mark() {
        let bytes = b"\xef\xbb\xbfclass A";
        assert!(matches!(
            decode(bytes),
            Ok(Cow::Borrowed("\u{feff}class A"))
        ));
        assert_eq!(decode(b"a\r\nb").as_deref(), Ok("a\r\nb"));
        assert_eq!(decode(b"").as_deref(), Ok(""));
    }

    #[test]
    fn utf16_needs_a_byte_order_mark() {
        let text = "fn grüße() {}\n";
        assert_eq!(
            decode(&utf16_bytes(text, u16::to_le_bytes)).as_deref(),
            Ok(text)
        );
        assert_eq!(
            decode(&utf16_bytes(text, u16::to_be_bytes)).as_deref(),
            Ok(text)
        );
        let without = &utf16_bytes(text, u16::to_le_bytes)[2..];
        assert_eq!(decode(without), Err(SkipReason::Binary));
        assert_eq!(decode(b"\xff\xfe\x00\xd8a\x00"), Err(SkipReason::Encoding));
        assert_eq!(
            decode(b"\xff\xfe\x00\x00a\x00\x00\x00"),
            Err(SkipReason::Binary)
        );
    }

    #[test]
    fn mostly_ascii_text_falls_back_to_windows_1252() {
        assert_eq!(
            decode(b"// caf\xe9 \x93x\x94\n").as_deref(),
            Ok("// café “x”\n")
        );
        let shift_jis = b"\x82\xb1\x82\xea\x82\xcd\x83e\x83X\x83g\x82\xc5\x82\xb7";
        assert_eq!(decode(shift_jis), Err(SkipReason::Encoding));
        let noise: Vec<u8> = (1..=255).cycle().take(4000).collect();
        assert_eq!(decode(&noise), Err(SkipReason::Binary));
    }

    #[test]
    fn one_broken_sequence_does_not_garble_the_rest() {
        let text = decode("// größe, länge \u{1F600}".as_bytes())
            .expect("text")
            .into_owned();
        let broken = [text.as_bytes(), b" \xe9\n"].concat();
        assert_eq!(
            decode(&broken).as_deref(),
            Ok("// größe, länge 😀 \u{fffd}\n")
        );
    }

    #[test]
    fn nul_bytes_and_signatures_make_a_file_binary() {
        assert_eq!(reason("a.txt", b"a\0b"), Some(SkipReason::Binary));
        assert_eq!(reason("a", b"%PDF-1.7 text"), Some(SkipReason::Binary));
        let late = [vec![b'\n'; SNIFF_BYTES], vec![0]].concat();
        assert_eq!(reason("a.txt", &late), None);
    }

    #[test]
    fn long_lines_make_a_large_file_minified() {
        assert_eq!(
            reason("a.js", &vec![b'x'; 20_001]),
            Some(SkipReason::Minified)
        );
        assert_eq!(reason("a.js", &vec![b'x'; 20_000]), None);
        assert_eq!(reason("a.js", "let a = 1;\n".repeat(5000).as_bytes()), None);
    }

    #[test]
    fn a_key_is_a_secret_and_code_that_names_or_tests_one_is_not() {
        let key = format!(
            "-----BEGIN RSA PRIVATE KEY-----\n{}-----END RSA PRIVATE KEY-----\n",
            "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn\n".repeat(10)
        );
        assert_eq!(reason("deploy", key.as_bytes()), Some(SkipReason::Secret));
        assert_eq!(
            reason("k.txt", key.replace('\n', "\r\n").as_bytes()),
            Some(SkipReason::Secret)
        );
        let code = format!(
            "const KEY: &str = \"\n{key}\";\n{}",
            "fn a() {}\n".repeat(100)
        );
        assert_eq!(reason("tests/tls.rs", code.as_bytes()), None, "a fixture");
        assert_eq!(reason("src/tls.rs", code.as_bytes()), None);
        let text = shown("src/tls.rs", code.as_bytes(), &FileFilter::default()).expect("code");
        assert_eq!(text.len(), code.len());
        assert!(!text.contains("MIIE") && text.contains("fn a()"), "{text}");
        let mention = "if line == \"-----BEGIN PRIVATE KEY-----\" { secret() }\n";
        assert_eq!(reason("src/scan.rs", mention.as_bytes()), None);
    }

    #[test]
    fn a_search_over_bytes_strikes_secrets_out_of_every_encoding() {
        let filter = FileFilter::default();
        let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let line = format!("let token = \"{key}\";\n");
        let wide = utf16_bytes(&line, u16::to_le_bytes);
        let broken = [b"// caf\xe9 \xff\n", line.as_bytes()].concat();
        for bytes in [line.as_bytes(), &wide, &broken] {
            let SearchedText::Struck { text, places } = searched_text("src/a.rs", bytes, &filter)
            else {
                panic!("{bytes:?} holds a secret");
            };
            let shown = String::from_utf8_lossy(&text);
            assert!(
                !shown.contains(&key) && shown.contains("let token = \""),
                "{shown}"
            );
            assert!(places.iter().map(Range::len).sum::<usize>() > 20);
        }
        assert_eq!(searched_text(".env", b"A=b", &filter), SearchedText::Secret);
        assert_eq!(
            searched_text("a.bin", b"a\0b", &filter),
            SearchedText::Plain
        );
    }

    #[test]
    fn a_notebook_is_judged_by_its_cells() {
        let filter = FileFilter::default();
        let output = format!("{{\"data\": \"{}\"}}", "iVBORw0K".repeat(10_000));
        let cell = "{\"cell_type\": \"code\", \"source\": [\"x = 1\\n\"]";
        let text = format!("{{\"cells\": [\n{cell}, \"outputs\": [{output}]}}]}}");
        let text = shown("a.ipynb", text.as_bytes(), &filter);
        assert_eq!(text.as_deref(), Ok("\nx = 1"));
        let lines = "\"x = 1\\n\",".repeat(10_000);
        let one_line = format!("{{\"cells\": [{{\"source\": [{lines}\"y\"]}}]}}");
        assert!(shown("a.ipynb", one_line.as_bytes(), &filter).is_ok());
        let long = format!(
            "{{\"cells\": [{{\"source\": [\"x = '{}'\"]}}]}}",
            "ab".repeat(20_000)
        );
        assert_eq!(
            reason("a.ipynb", long.as_bytes()),
            Some(SkipReason::Minified)
        );
        assert_eq!(
            shown("a.ipynb", b"{\"cells\": [", &filter).as_deref(),
            Ok("{\"cells\": [")
        );
    }
}

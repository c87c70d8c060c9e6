//! Code-aware tokens: what the lexical store indexes and what a query is cut into.
//!
//! An identifier of several parts gives itself, lower-cased, and each of its parts; parts and
//! plain words are reduced by a light stemmer. `HTTPServer` → `httpserver`, `http`, `server`;
//! `parse_routes` → `parse_routes`, `pars`, `rout` (stemmed). Numbers of two digits and more are kept.
//! Text outside ASCII is kept as words between ASCII marks. Scripts that set no spaces between words
//! give every two neighbouring characters ([`spaceless`](whyrank_syntax::spaceless)): `最短路径` → `最短`, `短路`,
//! `路径`.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use whyrank_syntax::spaceless;

/// Part of the compatibility hash: a change here changes what is found.
pub(crate) const TOKENIZER_VERSION: u32 = 2;

/// Words longer than this are data, not names.
const MAX_TOKEN_BYTES: usize = 80;

/// Calls `emit` with each token of `text`, in order.
pub fn for_each_token(text: &str, mut emit: impl FnMut(&str)) {
    let mut buffer = String::with_capacity(64);
    let mut rest = Words { text, position: 0 };
    while let Some(word) = rest.next_word() {
        if spaceless::is_in(word) {
            spaceless::for_each_run(word, |run| match run {
                spaceless::Run::Spaceless(run) => spaceless::for_each_pair(run, &mut emit),
                spaceless::Run::Other(run) => tokens_of_word(run, &mut buffer, &mut emit),
            });
        } else {
            tokens_of_word(word, &mut buffer, &mut emit);
        }
    }
}

/// Returns the tokens of a text, in order, repeats included.
pub fn tokens(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for_each_token(text, |token| all.push(token.to_owned()));
    all
}

struct Words<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Words<'a> {
    /// The next run of letters, digits and underscores.
    fn next_word(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        while self.position < bytes.len() && !is_word_byte(bytes[self.position]) {
            self.position += 1;
        }
        let start = self.position;
        while self.position < bytes.len() && is_word_byte(bytes[self.position]) {
            self.position += 1;
        }
        (start < self.position).then(|| &self.text[start..self.position])
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn tokens_of_word(word: &str, buffer: &mut String, emit: &mut impl FnMut(&str)) {
    let word = word.trim_matches('_');
    if word.len() > MAX_TOKEN_BYTES {
        return;
    }
    let n_parts = parts(word).count();
    if n_parts > 1 {
        lower_into(word, buffer);
        emit(buffer);
    }
    for part in parts(word) {
        lower_into(part, buffer);
        let is_noise = buffer.len() < 2 && n_parts > 1;
        if !is_noise {
            emit(stem(buffer));
        }
    }
}

fn lower_into(word: &str, buffer: &mut String) {
    buffer.clear();
    if word.is_ascii() {
        buffer.extend(word.bytes().map(|byte| byte.to_ascii_lowercase() as char));
    } else {
        buffer.extend(word.chars().flat_map(char::to_lowercase));
    }
}

/// Returns the camel, snake and digit parts of a word, as written.
pub fn parts(word: &str) -> impl Iterator<Item = &str> {
    Parts { word, position: 0 }
}

struct Parts<'a> {
    word: &'a str,
    position: usize,
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.word.as_bytes();
        while self.position < bytes.len() && bytes[self.position] == b'_' {
            self.position += 1;
        }
        let start = self.position;
        if start == bytes.len() {
            return None;
        }
        let mut end = start + 1;
        while end < bytes.len() && !is_boundary(bytes, end) {
            end += 1;
        }
        self.position = end;
        Some(&self.word[start..end])
    }
}

/// Whether a part ends before `at`: at an underscore, a case change or a change to or from digits.
fn is_boundary(bytes: &[u8], at: usize) -> bool {
    let (before, here) = (bytes[at - 1], bytes[at]);
    if here == b'_' {
        return true;
    }
    if before.is_ascii_digit() != here.is_ascii_digit() {
        return before < 0x80 && here < 0x80;
    }
    if here.is_ascii_uppercase() {
        let next_is_lower = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        return !before.is_ascii_uppercase() || next_is_lower;
    }
    false
}

/// Reduces English plurals and the commonest verb endings; leaves short words and all else alone.
///
/// Lighter than Porter on purpose: in code `caching` and `cache` should meet, but `string` must
/// not become `str`.
pub fn stem(word: &str) -> &str {
    if word.len() < 4 || !word.is_ascii() {
        return word;
    }
    let plural = strip_plural(word);
    strip_verb_ending(plural)
}

fn strip_plural(word: &str) -> &str {
    if let Some(base) = word.strip_suffix("es") {
        let ends_hissing = ["ss", "x", "ch", "sh", "z"]
            .iter()
            .any(|end| base.ends_with(end));
        return if ends_hissing {
            base
        } else {
            &word[..word.len() - 1]
        };
    }
    match word.strip_suffix('s') {
        Some(base) if !base.ends_with(['s', 'u', 'i']) => base,
        _ => word,
    }
}

fn strip_verb_ending(word: &str) -> &str {
    for ending in ["ing", "ed"] {
        if let Some(base) = word.strip_suffix(ending) {
            let has_vowel = base.bytes().any(|byte| b"aeiouy".contains(&byte));
            if base.len() >= 4 && has_vowel {
                return undouble(base);
            }
        }
    }
    match word.strip_suffix('e') {
        Some(base) if base.len() >= 4 => base,
        _ => word,
    }
}

/// `formatt` → `format`; `call` stays.
fn undouble(base: &str) -> &str {
    let bytes = base.as_bytes();
    let n = bytes.len();
    let is_double = n > 4 && bytes[n - 1] == bytes[n - 2] && !b"lsz".contains(&bytes[n - 1]);
    if is_double { &base[..n - 1] } else { base }
}

/// The tokenizer as tantivy wants it.
#[derive(Clone, Default)]
pub(crate) struct CodeTokenizer {
    texts: String,
    ends: Vec<u32>,
    token: Token,
}

pub(crate) struct CodeTokenStream<'a> {
    tokenizer: &'a mut CodeTokenizer,
    next: usize,
}

impl Tokenizer for CodeTokenizer {
    type TokenStream<'a> = CodeTokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> CodeTokenStream<'a> {
        self.texts.clear();
        self.ends.clear();
        self.token.reset();
        let (texts, ends) = (&mut self.texts, &mut self.ends);
        for_each_token(text, |token| {
            texts.push_str(token);
            ends.push(texts.len() as u32);
        });
        CodeTokenStream {
            tokenizer: self,
            next: 0,
        }
    }
}

impl TokenStream for CodeTokenStream<'_> {
    fn advance(&mut self) -> bool {
        let CodeTokenizer { texts, ends, token } = &mut *self.tokenizer;
        let Some(&end) = ends.get(self.next) else {
            return false;
        };
        let start = if self.next == 0 {
            0
        } else {
            ends[self.next - 1]
        };
        token.text.clear();
        token.text.push_str(&texts[start as usize..end as usize]);
        token.position = self.next;
        self.next += 1;
        true
    }

    fn token(&self) -> &Token {
        &self.tokenizer.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokenizer.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(tokens(text), expected, "{text}");
    }

    #[test]
    fn identifiers_give_themselves_and_their_parts() {
        check("HTTPServer", &["httpserver", "http", "server"]);
        check("parse_routes(x)", &["parse_routes", "pars", "rout", "x"]);
        check("utf8Decode", &["utf8decode", "utf", "decod"]);
        check("__init__", &["init"]);
        check("a.b->c::d", &["a", "b", "c", "d"]);
    }

    #[test]
    fn words_meet_their_inflections() {
        for (one, other) in [
            ("caching", "cache"),
            ("routes", "route"),
            ("parsed", "parse"),
            ("matches", "match"),
            ("formatting", "format"),
            ("classes", "class"),
            ("registered", "register"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
    }

    #[test]
    fn short_words_and_names_stay() {
        for word in ["string", "status", "this", "ring", "bed", "css", "bus"] {
            assert_eq!(stem(word), word);
        }
    }

    #[test]
    fn text_outside_ascii_is_kept() {
        check("größe Überblick", &["größe", "überblick"]);
    }

    #[test]
    fn scripts_without_spaces_give_their_pairs() {
        check("日本語 text", &["日本", "本語", "text"]);
        check("最短路径", &["最短", "短路", "路径"]);
        check("路 合計金額", &["路", "合計", "計金", "金額"]);
        check("最短路径。登录", &["最短", "短路", "路径", "登录"]);
        check("计算Route_图", &["计算", "rout", "图"]);
        check("사용자를", &["사용", "용자", "자를"]);
        check("แผนที่", &["แผ", "ผน", "นท", "ที", "ี่"]);
    }

    #[test]
    fn a_long_sentence_without_spaces_is_not_data() {
        let sentence = "从起点到终点寻找图中总权重最小的一条路线并且返回途中经过的所有节点";
        assert!(tokens(sentence).contains(&"节点".to_owned()));
    }
}

//! A text that grows line by line and never outgrows its budget.

use whyrank_engine::api::Coverage;
use whyrank_engine::api::MissingRepo;

use crate::tokens::{chars_within, tokens_of_chars};

/// What a footer may take.
const FOOTER_TOKENS: u32 = 40;

/// Lines under a budget; room for the footer is set aside from the start.
pub(super) struct Page {
    text: String,
    room: usize,
}

impl Page {
    /// An empty page of `budget` tokens.
    pub(super) fn new(budget: u32) -> Self {
        Self {
            text: String::new(),
            room: chars_within(budget.saturating_sub(FOOTER_TOKENS)),
        }
    }

    /// Characters that are still free for lines.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Adds a line if it fits as a whole. False, and no change, when it does not.
    pub(super) fn line(&mut self, line: &str) -> bool {
        let n_chars = cost(line);
        let fits = n_chars <= self.room;
        if fits {
            self.room -= n_chars;
            self.text.push_str(line);
            self.text.push('\n');
        }
        fits
    }

    /// Adds a line, cut to what fits.
    pub(super) fn head(&mut self, line: &str) {
        if self.room > 1 {
            let line = clip(line, self.room - 1);
            self.line(&line);
        }
    }

    /// The text with its footer, when there is something to say in one.
    pub(super) fn finish(mut self, footer: &Footer<'_>) -> String {
        if footer.is_needed() {
            let n_chars = self.text.chars().count();
            // The footer counts itself, so its figure settles in the second round.
            let once = footer.line(tokens_of_chars(n_chars + 40));
            let tokens = tokens_of_chars(n_chars + once.chars().count());
            self.text.push_str(&footer.line(tokens));
        }
        self.text.truncate(self.text.trim_end().len());
        self.text
    }
}

/// Characters that `line` takes on a page.
pub(super) fn cost(line: &str) -> usize {
    line.chars().count() + 1
}

/// The closing line: what was left out, what it cost, how to go on.
#[derive(Default)]
pub(super) struct Footer<'a> {
    pub(super) shown: usize,
    pub(super) total: usize,
    /// What is counted: `hits`.
    pub(super) what: &'a str,
    pub(super) query_id: Option<&'a str>,
    pub(super) coverage: Option<&'a Coverage>,
    /// A degradation in words, for when coverage is full: below that it says the same.
    pub(super) note: Option<&'a str>,
    /// How sure the first of them is, where it is not.
    pub(super) doubt: Option<String>,
}

impl Footer<'_> {
    fn is_needed(&self) -> bool {
        let cut = self.shown < self.total;
        let says = self.gap().is_some() || self.note.is_some() || self.doubt.is_some();
        cut || self.query_id.is_some() || says
    }

    fn line(&self, tokens: u32) -> String {
        let mut parts = vec![format!("{}/{} {}", self.shown, self.total, self.what)];
        parts.push(format!("{tokens} tokens"));
        parts.extend(self.query_id.map(|id| format!("explain {id}")));
        parts.extend(self.doubt.clone());
        parts.extend(self.gap().or_else(|| self.note.map(str::to_owned)));
        let line = clip(&parts.join("; "), chars_within(FOOTER_TOKENS) - 2);
        format!("[{line}]")
    }

    fn gap(&self) -> Option<String> {
        let coverage = self.coverage?;
        let lanes = [("indexed", coverage.lexical), ("vectors", coverage.vector)];
        let is_whole = coverage.is_by_table_alone();
        let gaps: Vec<String> = lanes
            .iter()
            .filter(|(lane, share)| *share < 1.0 && !(is_whole && *lane == "vectors"))
            .map(|(lane, share)| format!("{lane} {}", percent(*share)))
            .collect();
        (!gaps.is_empty()).then(|| gaps.join(", "))
    }
}

/// A share in whole percent; only all is 100%, only nothing is 0%.
pub(super) fn percent(share: f64) -> String {
    let rounded = (share * 100.0).round();
    let whole = match (share > 0.0, share < 1.0) {
        (true, true) => rounded.clamp(1.0, 99.0),
        _ => rounded,
    };
    format!("{whole:.0}%")
}

/// `vectors 61% by minilm-l6 (being computed), static vectors 100%`: those of a model, where one is
/// installed, and of the static table. The note is why not all.
pub fn vectors(coverage: &Coverage, note: Option<&str>) -> String {
    let mut parts = Vec::new();
    let (model, has_static) = (&coverage.vector_model, coverage.static_vectors > 0.0);
    if model.is_some() || coverage.vector > 0.0 || !has_static {
        let by = model.as_ref().map(|model| format!(" by {model}"));
        let why = note.map(|note| format!(" ({note})"));
        parts.push(format!(
            "vectors {}{}{}",
            percent(coverage.vector),
            by.unwrap_or_default(),
            why.unwrap_or_default()
        ));
    }
    if has_static {
        let share = percent(coverage.static_vectors);
        parts.push(format!("static vectors {share}"));
    }
    parts.join(", ")
}

/// Returns the first `max_chars` characters on one line, with an ellipsis where more were there.
pub fn clip(text: &str, max_chars: usize) -> String {
    let line = if text.contains(['\n', '\r', '\t']) {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        text.to_owned()
    };
    if line.chars().count() <= max_chars {
        return line;
    }
    let kept: String = line.chars().take(max_chars.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// `path:43-60`, or `path:43` for a single line.
pub(super) fn span(path: &str, start_line: u32, end_line: u32) -> String {
    if end_line > start_line {
        format!("{path}:{start_line}-{end_line}")
    } else {
        format!("{path}:{start_line}")
    }
}

/// A name without its namespace, which the path tells: at most the type and the member.
pub(super) fn short(qualified: &str) -> &str {
    let name = qualified.rsplit('\\').next().unwrap_or(qualified);
    let end = name.trim_end_matches('.').len();
    match name[..end].rmatch_indices('.').nth(1) {
        Some((at, _))
            if name.starts_with(|char: char| char.is_alphabetic()) && !name.contains(' ') =>
        {
            &name[at + 1..]
        }
        _ => name,
    }
}

/// Places with each path once: `src/a.rs:12 f, 30 g; src/b.rs:3 h`.
pub(super) fn by_path<'p>(places: impl Iterator<Item = (&'p str, String)>) -> String {
    let mut files: Vec<(&str, Vec<String>)> = Vec::new();
    for (path, place) in places {
        match files.iter_mut().find(|(known, _)| *known == path) {
            Some((_, known)) => known.push(place),
            None => files.push((path, vec![place])),
        }
    }
    let file = |(path, places): (&str, Vec<String>)| format!("{path}:{}", places.join(", "));
    files.into_iter().map(file).collect::<Vec<_>>().join("; ")
}

/// A signature of at most this many characters. Where it has more, attributes go first: what they stand
/// before is what is looked for.
pub(super) fn signature(text: &str, max_chars: usize) -> String {
    let text = text.trim();
    if text.chars().count() > max_chars {
        clip(without_attributes(text), max_chars)
    } else {
        clip(text, max_chars)
    }
}

/// What follows `[Attribute(…)]`, `#[attribute]` and `@annotation(…)`.
fn without_attributes(text: &str) -> &str {
    let mut rest = text;
    while let Some(after) = after_attribute(rest) {
        rest = after.trim_start();
    }
    if rest.starts_with(|char: char| char.is_alphabetic() || char == '_') {
        rest
    } else {
        text
    }
}

fn after_attribute(text: &str) -> Option<&str> {
    if let Some(annotation) = text.strip_prefix('@') {
        let is_name = |char: char| char.is_alphanumeric() || "_.:".contains(char);
        let rest = annotation.trim_start_matches(is_name);
        return if rest.starts_with('(') {
            after_brackets(rest)
        } else {
            (rest.len() < annotation.len()).then_some(rest)
        };
    }
    let brackets = text.strip_prefix('#').unwrap_or(text);
    brackets
        .starts_with('[')
        .then(|| after_brackets(brackets))?
}

/// What follows the bracket that a text begins with.
fn after_brackets(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    let mut is_quoted = false;
    for (at, char) in text.char_indices() {
        match char {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[at + char.len_utf8()..]);
        }
    }
    None
}

/// `1 file`, `2 files`.
pub(super) fn count(n: usize, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        _ => format!("{} {noun}s", thousands(n)),
    }
}

/// `12,345`.
pub(super) fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Returns which repositories an answer lacks, and why: its first line.
pub fn missing(missing: &[MissingRepo]) -> String {
    let each = missing.iter();
    let each: Vec<String> = each
        .map(|one| format!("{} ({})", one.name, one.why))
        .collect();
    format!("not asked: {}", each.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped_from_the_right() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ];
        for (n, expected) in cases {
            assert_eq!(thousands(n), expected);
        }
    }

    #[test]
    fn a_share_below_all_is_never_called_all() {
        let cases = [
            (0.0, "0%"),
            (0.001, "1%"),
            (0.61, "61%"),
            (0.9999, "99%"),
            (1.0, "100%"),
        ];
        for (share, expected) in cases {
            assert_eq!(percent(share), expected);
        }
    }

    #[test]
    fn clipping_keeps_to_its_limit_and_one_line() {
        assert_eq!(clip("short", 10), "short");
        assert_eq!(clip("a\n  b", 10), "a b");
        assert_eq!(clip("abcdef", 4), "abc…");
    }

    #[test]
    fn names_lose_their_namespace_and_long_signatures_their_attributes() {
        assert_eq!(short("Newtonsoft.Json.Linq.JToken.Value"), "JToken.Value");
        assert_eq!(short("App\\Http\\Kernel.handle"), "Kernel.handle");
        assert_eq!(short("Router.use"), "Router.use");
        let cs = "[Trim(\"a]\")] [Aot] public static string Serialize(object value)";
        assert_eq!(
            signature(cs, 40),
            "public static string Serialize(object v…"
        );
        assert_eq!(signature("#[inline] fn f()", 10), "fn f()");
        assert_eq!(
            signature("@app.route(\"/x\") @cached def f():", 12),
            "def f():"
        );
        assert_eq!(signature("@cached def f():", 40), "@cached def f():");
        assert_eq!(signature("[Symbol.iterator](a, b)", 10), "[Symbol.i…");
    }
}

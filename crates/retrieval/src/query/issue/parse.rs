//! An issue, taken apart: title, prose, code, what was printed, frames of tracebacks, messages, names,
//! paths and modules. Never fails; what is no issue gives `None`.

use super::mentions::{Mentions, Name, says};
use super::template::{Heading, heading, is_boilerplate};
use super::traceback::{Frame, frame, innermost_first};
use crate::query::shape::is_error_string;

/// Bytes that are read: issues with whole logs in them say what they have to say at their start, and
/// their error at the end.
const MAX_HEAD: usize = 48 << 10;
const MAX_TAIL: usize = 16 << 10;
/// Words from which a text of several lines is an issue without looking like one.
const MIN_WORDS: usize = 30;
/// The same for one without line breaks.
const MIN_WORDS_IN_A_LINE: usize = 110;
/// Letters of a line that are read.
const MAX_LINE: usize = 2000;
const MAX_MESSAGES: usize = 6;

/// What an issue says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Issue {
    /// Its first line.
    pub(crate) title: String,
    /// Lines of prose.
    pub(crate) prose: Vec<String>,
    /// Lines of code.
    pub(crate) code: Vec<String>,
    /// Lines that a program printed.
    pub(crate) output: Vec<String>,
    /// Messages of errors.
    pub(crate) messages: Vec<String>,
    /// Frames, innermost first.
    pub(crate) frames: Vec<Frame>,
    /// Names by falling weight.
    pub(crate) names: Vec<Name>,
    /// Paths as written.
    pub(crate) paths: Vec<String>,
    /// Modules, `/` between their parts.
    pub(crate) modules: Vec<String>,
    /// Lines that say nothing: templates, versions.
    pub(crate) n_dropped: u32,
    /// Bytes in the middle that were not read.
    pub(crate) n_unread: u32,
}

impl Issue {
    /// Takes a text apart that has the form of an issue, whatever its first word: `Fix the crash` may stand
    /// over a traceback.
    pub(crate) fn read_formed(text: &str) -> Option<Self> {
        (n_lines(text) > 1 && has_marks(text)).then(|| Self::parse(text))
    }

    /// Takes a text apart that looks like an issue.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let n_words = text.split_whitespace().take(MIN_WORDS_IN_A_LINE).count();
        if n_lines(text) < 2 {
            return (n_words >= MIN_WORDS_IN_A_LINE).then(|| Self::parse(text));
        }
        (n_words >= MIN_WORDS || has_marks(text)).then(|| Self::parse(text))
    }

    fn parse(text: &str) -> Self {
        let (text, n_unread) = shortened(text);
        let text = without_comments(&text);
        let mut lines = text.lines().map(|line| cut(line.trim_end()));
        let title = lines.by_ref().map(title).find(|line| !line.is_empty());
        let mut parser = Parser {
            issue: Self {
                title: title.unwrap_or_default(),
                n_unread,
                ..Self::default()
            },
            ..Parser::default()
        };
        parser.mentions.title(&parser.issue.title);
        lines.for_each(|line| parser.line(line));
        parser.close_fence();
        parser.finish()
    }

    /// What an encoder reads first: the title and the first sentences.
    pub(crate) fn gist(&self) -> String {
        let mut gist = self.title.clone();
        for line in &self.prose {
            if gist.len() > 500 {
                break;
            }
            gist.push(' ');
            gist += line;
        }
        gist
    }
}

/// Lines that are not blank, up to two.
fn n_lines(text: &str) -> usize {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.take(2).count()
}

/// Whether a text of a few words has what issues have: fences, tracebacks, headings, prompts.
fn has_marks(text: &str) -> bool {
    let mut lines = text.lines().take(200);
    lines.any(|line| {
        let line = line.trim();
        line.starts_with("```")
            || line.starts_with(">>> ")
            || line.starts_with("Traceback (most recent")
            || (line.starts_with("In [") && line.contains("]:"))
            || line.starts_with("##") && heading(line).is_some()
            || matches!(heading(line), Some(Heading::Template | Heading::Machine))
            || frame(line).is_some_and(|frame| frame.line.is_some())
    })
}

/// Head and tail of what is too long, and how much lies between.
fn shortened(text: &str) -> (String, u32) {
    let Some(n_unread) = text
        .len()
        .checked_sub(MAX_HEAD + MAX_TAIL)
        .filter(|n| *n > 0)
    else {
        return (text.to_owned(), 0);
    };
    let head = text.floor_char_boundary(MAX_HEAD);
    let tail = text.ceil_char_boundary(text.len() - MAX_TAIL);
    (
        format!("{}\n\n{}", &text[..head], &text[tail..]),
        n_unread as u32,
    )
}

/// Without `<!-- … -->`, which templates speak to reporters with.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        kept += before;
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    kept + rest
}

fn cut(line: &str) -> &str {
    &line[..line.floor_char_boundary(MAX_LINE)]
}

/// A first line without the marks that trackers put before it: `# `, `[Bug]: `, `BUG: `.
fn title(line: &str) -> String {
    let mut line = line.trim().trim_start_matches('#').trim();
    if line.starts_with('[')
        && let Some((_, rest)) = line.split_once(']')
    {
        line = rest.trim_start_matches([':', ' ']);
    }
    for mark in [
        "BUG",
        "Bug",
        "bug",
        "ENH",
        "Bug report",
        "Feature request",
        "Regression",
    ] {
        if let Some(rest) = line
            .strip_prefix(mark)
            .and_then(|rest| rest.strip_prefix(':'))
        {
            line = rest.trim();
        }
    }
    line.to_owned()
}

#[derive(Default)]
struct Parser {
    issue: Issue,
    mentions: Mentions,
    frames: Vec<Frame>,
    /// Lines of the fence that is open, and its language.
    fence: Option<(String, Vec<String>)>,
    /// Below a heading over versions.
    in_machine: bool,
    /// The line before was blank, or of code by its indent.
    may_indent: bool,
}

impl Parser {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        let is_fence = ["```", "~~~", "{{{", "}}}"]
            .iter()
            .any(|mark| trimmed.starts_with(mark));
        if is_fence {
            match self.fence.take() {
                Some((language, lines)) => self.block(&language, &lines),
                None => {
                    let language = trimmed.trim_start_matches(['`', '~', '{', ' ']);
                    let language = language.split_whitespace().next().unwrap_or_default();
                    self.fence = Some((language.to_lowercase(), Vec::new()));
                }
            }
            return;
        }
        if let Some((_, lines)) = &mut self.fence {
            lines.push(line.to_owned());
            return;
        }
        self.open_line(line, trimmed);
    }

    fn open_line(&mut self, line: &str, trimmed: &str) {
        if trimmed.is_empty() {
            self.may_indent = true;
            return;
        }
        if let Some(found) = heading(trimmed) {
            self.in_machine = found == Heading::Machine;
            match found {
                Heading::Own => self.prose(trimmed.trim_matches(['#', '*', ' ', ':'])),
                Heading::Template | Heading::Machine => self.issue.n_dropped += 1,
            }
            return;
        }
        let is_indented = self.may_indent && (line.starts_with("    ") || line.starts_with('\t'));
        let is_prompt = prompt(trimmed).is_some();
        self.may_indent = is_indented;
        if self.in_machine || is_boilerplate(trimmed) {
            self.issue.n_dropped += 1;
        } else if is_prompt || is_indented || frame(trimmed).is_some() || is_printed(trimmed) {
            self.code_or_output(line, is_indented && !is_list_item(trimmed));
        } else {
            self.prose(trimmed.trim_start_matches(['>', '*', '-', '+', ' ']));
        }
    }

    fn close_fence(&mut self) {
        if let Some((language, lines)) = self.fence.take() {
            self.block(&language, &lines);
        }
    }

    /// A fenced block: code, or what was printed, or both by turns where there are prompts.
    fn block(&mut self, language: &str, lines: &[String]) {
        if self.in_machine || lists_versions(lines) {
            self.issue.n_dropped += lines.len() as u32;
            return;
        }
        const PRINTED: [&str; 12] = [
            "bash",
            "console",
            "log",
            "output",
            "plain",
            "plaintext",
            "pytb",
            "sh",
            "shell",
            "stderr",
            "text",
            "txt",
        ];
        let holds_warning = language.is_empty() && lines.iter().any(|line| warns(line));
        let has_prompts = lines.iter().any(|line| prompt(line.trim()).is_some());
        let has_frames = lines.iter().filter(|line| frame(line).is_some()).count() > 0;
        let is_printed = has_frames || holds_warning || PRINTED.contains(&language);
        let is_code = !has_prompts && !is_printed;
        for line in lines {
            self.code_or_output(line, is_code);
        }
    }

    fn code_or_output(&mut self, line: &str, is_code: bool) {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return;
        }
        if let Some(found) = frame(trimmed) {
            self.frames.push(found);
            // `a/b.py:12: UserWarning: x` is both.
            let said = trimmed.split_once(": ").and_then(|(_, said)| message(said));
            if let Some(said) = said {
                self.message(said);
            }
            return;
        }
        if let Some(message) = message(trimmed) {
            self.message(message);
            return;
        }
        match prompt(trimmed) {
            Some(typed) => self.code(typed),
            None if is_code => self.code(trimmed),
            None => {
                self.mentions.printed(trimmed);
                self.issue.output.push(trimmed.to_owned());
            }
        }
    }

    fn message(&mut self, message: String) {
        self.mentions.printed(&message);
        if self.issue.messages.len() < MAX_MESSAGES && !self.issue.messages.contains(&message) {
            self.issue.messages.push(message);
        }
    }

    fn code(&mut self, line: &str) {
        self.mentions.code_line(line);
        self.issue.code.push(line.to_owned());
    }

    fn prose(&mut self, line: &str) {
        self.mentions.prose(line, says::IN_PROSE);
        if let Some(message) = message(line) {
            self.issue.messages.push(message);
        }
        self.issue.messages.extend(quoted_messages(line));
        let words = line.split_whitespace().filter(|word| !word.contains("://"));
        let words: Vec<&str> = words.collect();
        if !words.is_empty() {
            self.issue.prose.push(words.join(" "));
        }
    }

    fn finish(self) -> Issue {
        let mut issue = self.issue;
        issue.names = self.mentions.names();
        issue.paths = distinct(self.mentions.paths);
        issue.modules = distinct(self.mentions.modules);
        issue.frames = innermost_first(self.frames);
        issue.messages.truncate(MAX_MESSAGES);
        issue
    }
}

fn distinct(mut texts: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    texts.retain(|text| seen.insert(text.clone()));
    texts
}

/// What was typed behind a prompt: `>>> x`, `... x`, `In [1]: x`, `$ x`, `irb> x`.
fn prompt(line: &str) -> Option<&str> {
    for mark in [">>> ", "... ", "$ ", "% ", "> "] {
        if let Some(typed) = line.strip_prefix(mark).filter(|_| mark != "> ") {
            return Some(typed);
        }
    }
    let rest = line.strip_prefix("In [")?;
    let (number, typed) = rest.split_once("]:")?;
    number
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| typed.trim())
}

/// `Out[2]: …`, `Traceback …`, `E   assert …`.
fn is_printed(line: &str) -> bool {
    line.starts_with("Out[") || line.starts_with("Traceback (most") || line.starts_with("E   ")
}

fn is_list_item(line: &str) -> bool {
    let mut chars = line.chars();
    let first = chars.next();
    let is_bullet = first.is_some_and(|c| "-*+".contains(c)) && chars.next() == Some(' ');
    is_bullet || (first.is_some_and(|c| c.is_ascii_digit()) && line.contains(". "))
}

/// Whether most lines are a name and a version.
fn lists_versions(lines: &[String]) -> bool {
    let n_lines = lines.iter().filter(|line| !line.trim().is_empty()).count();
    let n_versions = lines
        .iter()
        .filter(|line| is_boilerplate(line) && !line.trim().is_empty())
        .count();
    n_lines > 2 && 2 * n_versions > n_lines
}

/// The message of an error that a line prints: `ValueError: x`, `E   TypeError: x`, `error: x`,
/// `thread 'main' panicked at 'x'`.
fn message(line: &str) -> Option<String> {
    let line = line.trim_start_matches(['E', '>', ' ']).trim();
    let (head, rest) = line.split_once(':').unwrap_or((line, ""));
    let is_code = ["except ", "case "]
        .iter()
        .any(|word| head.starts_with(word));
    let kind = head.rsplit(['.', ' ', '/', '\\']).next().unwrap_or(head);
    let is_named = ["Error", "Exception", "Warning", "Fault"]
        .iter()
        .any(|end| kind.ends_with(end))
        && kind.starts_with(char::is_uppercase)
        && kind.chars().all(|c| c.is_alphanumeric() || c == '_')
        && head.split_whitespace().count() <= 4;
    let is_plain = matches!(
        head.to_lowercase().as_str(),
        "error" | "fatal" | "panic" | "fatal error" | "uncaught"
    ) && !rest.trim().is_empty();
    let is_panic = line.contains(" panicked at ");
    let is_message = is_panic || is_plain || is_named && (!rest.trim().is_empty() || head == kind);
    (is_message && !is_code).then(|| line.to_owned())
}

/// Whether a line of a block is a printed warning: `a.py:3: UserWarning: x`, `a.c:1:2: warning: x`.
fn warns(line: &str) -> bool {
    let line = line.trim();
    let is_named = |text: &str| message(text).is_some_and(|message| message.contains("Warning: "));
    line.starts_with("warning: ")
        || line.contains(": warning: ")
        || is_named(line)
        || line
            .split_once(": ")
            .is_some_and(|(_, said)| is_named(said))
}

/// Words before a quotation that say that a program said it.
const SAID: [&str; 14] = [
    "assertion",
    "complain",
    "complains",
    "error",
    "errors",
    "exception",
    "fails",
    "log",
    "message",
    "panic",
    "prints",
    "raises",
    "says",
    "warning",
];
/// How many words before the quotation that may be.
const NEAR: usize = 5;

/// Messages between quotation marks: what reads like one, or is said to be.
fn quoted_messages(line: &str) -> Vec<String> {
    let is_mark = |c: char| matches!(c, '"' | '“' | '”');
    let pieces: Vec<&str> = line.split(is_mark).collect();
    let inside = pieces.iter().zip(pieces.iter().skip(1)).step_by(2);
    let is_closed = |at: usize| 2 * at + 2 < pieces.len();
    let closed = inside.enumerate().filter(|(at, _)| is_closed(*at));
    let said = closed.filter(|(_, (before, quoted))| {
        let mut words = before.split(|c: char| !c.is_alphanumeric()).rev();
        let mut near = words.by_ref().filter(|word| !word.is_empty()).take(NEAR);
        let is_announced = near.any(|word| SAID.contains(&word.to_lowercase().as_str()));
        let n_words = quoted.split_whitespace().count();
        message(quoted).is_some() || n_words > 2 && (is_announced || is_error_string(quoted))
    });
    said.map(|(_, (_, quoted))| quoted.trim().to_owned())
        .collect()
}

#[cfg(test)]
mod tests;

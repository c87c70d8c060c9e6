//! Patterns drawn from real texts, and flags drawn at random; the same ones in every run.

use super::corpus::Corpus;

const FLAGS: &[&[&str]] = &[
    &["-n"],
    &["-i"],
    &["-S"],
    &["-s"],
    &["-w"],
    &["-x"],
    &["-l"],
    &["-c"],
    &["-o"],
    &["-v"],
    &["-N"],
    &["-A1"],
    &["-B", "2"],
    &["-C1"],
    &["-m2"],
    &["-m", "1"],
    &["--json"],
    &["--hidden"],
    &["--no-ignore"],
    &["-uu"],
    &["-g", "*.rs"],
    &["-g", "!*.md"],
    &["-g", "kinds/**"],
    &["--iglob", "*.TXT"],
    &["-t", "rust"],
    &["-t", "py"],
    &["-T", "md"],
    &["--count-matches"],
    &["--files-without-match"],
    &["-H"],
    &["-I"],
    &["--column"],
    &["-b"],
    &["--trim"],
    &["-M80"],
    &["--max-depth", "2"],
    &["--vimgrep"],
    &["-0"],
    &["-q"],
    &["-a"],
    &["--heading"],
    &["-r", "[$0]"],
    &["-U"],
    &["--no-unicode"],
    &["--multiline-dotall"],
    &["--no-ignore-vcs"],
    &["--include-zero", "-c"],
    &["--color", "always"],
    &["--max-filesize", "20K"],
];

pub(super) struct Draws<'c> {
    seed: u64,
    texts: &'c [String],
}

impl<'c> Draws<'c> {
    pub(super) fn new(seed: u64, corpus: &'c Corpus) -> Self {
        Self {
            seed: seed + 1,
            texts: &corpus.texts,
        }
    }

    fn below(&mut self, n: usize) -> usize {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize % n.max(1)
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    /// Flags and a pattern.
    pub(super) fn arguments(&mut self) -> Vec<String> {
        let mut args: Vec<String> = Vec::new();
        for _ in 0..self.below(4) {
            let flag = FLAGS[self.below(FLAGS.len())];
            args.extend(flag.iter().map(|part| (*part).to_owned()));
        }
        if self.below(12) == 0 {
            args.push("-F".to_owned());
            args.extend(["-e".to_owned(), self.literal(20)]);
            return args;
        }
        let pattern = self.pattern();
        if pattern.contains("\\n") {
            args.push("-U".to_owned());
        }
        args.extend(["-e".to_owned(), pattern]);
        if self.below(4) == 0 {
            args.extend(["-e".to_owned(), self.pattern()]);
        }
        args
    }

    fn text(&mut self) -> &'c str {
        &self.texts[self.below(self.texts.len())]
    }

    /// A part of a line.
    fn literal(&mut self, most_chars: usize) -> String {
        let text = self.text();
        let lines: Vec<&str> = text.lines().filter(|line| line.trim().len() > 2).collect();
        let Some(line) = lines.get(self.below(lines.len())) else {
            return "word".to_owned();
        };
        let chars: Vec<char> = line.trim().chars().collect();
        let start = self.below(chars.len());
        let n = 1 + self.below(most_chars);
        chars[start..].iter().take(n).collect()
    }

    fn word(&mut self) -> String {
        let text = self.literal(60);
        let mut words = text.split(|char: char| !char.is_alphanumeric() && char != '_');
        words
            .find(|word| word.len() > 2)
            .unwrap_or("word")
            .to_owned()
    }

    /// A letter beyond ASCII and what stands around it, or a word.
    fn foreign(&mut self) -> String {
        for _ in 0..20 {
            let line = self.literal(80);
            let chars: Vec<char> = line.chars().collect();
            if let Some(place) = chars.iter().position(|char| !char.is_ascii()) {
                let start = place.saturating_sub(2);
                return chars[start..].iter().take(4).collect();
            }
        }
        self.pick(&[
            "größe",
            "éclair",
            "É",
            "Straße",
            "\u{17f}",
            "→",
            "wa\u{17f}t",
        ])
        .to_owned()
    }

    fn pattern(&mut self) -> String {
        let quoted = |text: &str| escaped(text);
        match self.below(16) {
            0 | 1 => quoted(&self.literal(20)),
            2 => quoted(&self.word()),
            3 => {
                let word = self.word();
                let (start, end) = halves(&word);
                let class = self.pick(&[
                    r"\w",
                    ".",
                    "[a-z]",
                    "[^ ]",
                    r"\d",
                    r"\s",
                    "[aeiou]",
                    r"\p{L}",
                    "[[:alpha:]]",
                ]);
                let times = self.pick(&["", "+", "*", "?", "{1,3}", "{2}", "+?"]);
                format!("{}{class}{times}{}", quoted(start), quoted(end))
            }
            4 => format!("{}|{}", quoted(&self.word()), quoted(&self.literal(12))),
            5 => format!(
                "(?:{}|{}|{})s?",
                quoted(&self.word()),
                quoted(&self.word()),
                quoted(&self.foreign())
            ),
            6 => quoted(&self.foreign()),
            7 => format!(r"\b{}\b", quoted(&self.word())),
            8 => format!(r"\b{}", quoted(halves(&self.word()).0)),
            9 => self.across_lines(),
            10 => format!("{}.*{}", quoted(&self.word()), quoted(&self.word())),
            11 => format!("^{}{}", r"\s*", quoted(&self.word())),
            12 => format!("{}$", quoted(halves(&self.literal(9)).1)),
            13 => self
                .pick(&[
                    "^$",
                    "x*",
                    "(",
                    "[a",
                    r"\",
                    "",
                    ".",
                    r"\S+",
                    "(?i)word",
                    r"\bé",
                    "(a|b)+c",
                    r"a{2,3}",
                    r"(?m)^\}$",
                    r"\x{212a}|\bk",
                ])
                .to_owned(),
            14 => format!("(?i:{})", quoted(&self.word())),
            _ => format!(
                "{}{}",
                self.pick(&[r"\.", r"\(", "::", "->", r"\["]),
                quoted(halves(&self.word()).0)
            ),
        }
    }

    /// The end of a line, its break, and the beginning of the next one.
    fn across_lines(&mut self) -> String {
        let text = self.text();
        let lines: Vec<&str> = text.lines().collect();
        let first = self.below(lines.len());
        let (Some(before), Some(after)) = (lines.get(first), lines.get(first + 1)) else {
            return r"\{\n".to_owned();
        };
        let chars = |text: &str, n| text.chars().take(n).collect::<String>();
        let end: String = before
            .chars()
            .rev()
            .take(6)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        format!(r"{}\r?\n{}", escaped(&end), escaped(&chars(after, 8)))
    }
}

fn halves(word: &str) -> (&str, &str) {
    word.split_at(word.floor_char_boundary(word.len() / 2))
}

/// The pattern that matches a text alone.
fn escaped(text: &str) -> String {
    let mut pattern = String::new();
    for char in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(char) {
            pattern.push('\\');
        }
        pattern.push(char);
    }
    pattern
}

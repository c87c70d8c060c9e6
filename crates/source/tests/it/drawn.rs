//! Files with secrets in many forms, drawn: the same for the same seed. Tests of other crates draw them too.

/// Letters and digits without order; the same for the same seed.
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    pub(crate) fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }

    fn of(&mut self, alphabet: &str, n_bytes: usize) -> String {
        let alphabet = alphabet.as_bytes();
        let draw = (0..n_bytes).map(|_| char::from(alphabet[self.next(alphabet.len())]));
        draw.collect()
    }

    /// Fills `⟨a20⟩` (letters, digits), `⟨h32⟩` (hexadecimal), `⟨b44⟩` (base 64), `⟨u16⟩` (capitals,
    /// digits), `⟨d10⟩` (digits), `⟨p12⟩` (a password), `⟨PEM⟩`.
    pub(crate) fn fill(&mut self, template: &str) -> String {
        let mut filled = String::new();
        let mut rest = template;
        while let Some(at) = rest.find('⟨') {
            let end = rest.find('⟩').expect("closed");
            let slot = &rest[at + '⟨'.len_utf8()..end];
            filled.push_str(&rest[..at]);
            filled.push_str(&self.slot(slot));
            rest = &rest[end + '⟩'.len_utf8()..];
        }
        filled + rest
    }

    fn slot(&mut self, slot: &str) -> String {
        const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
        const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        const DIGITS: &str = "0123456789";
        let letters = format!("{LOWER}{UPPER}{DIGITS}");
        if slot == "PEM" {
            let lines: Vec<String> = (0..12)
                .map(|_| self.of(&format!("{letters}+/"), 64))
                .collect();
            return lines.join("\n");
        }
        let n_bytes = slot[1..].parse().expect("a number");
        match &slot[..1] {
            "a" => self.of(&letters, n_bytes),
            "h" => self.of("0123456789abcdef", n_bytes),
            "b" => self.of(&format!("{letters}+/"), n_bytes),
            "u" => self.of(&format!("{UPPER}234567"), n_bytes),
            "d" => self.of(DIGITS, n_bytes),
            "l" => self.of(&format!("{LOWER}{DIGITS}"), n_bytes),
            "w" => self.of(&format!("{letters}-_"), n_bytes),
            "c" => self.of(&format!("{LOWER}{UPPER}"), n_bytes),
            // Letters and digits for sure: as `a` and `l`.
            "m" => format!(
                "{}{}{}",
                self.of(UPPER, 1),
                self.of(DIGITS, 2),
                self.of(&letters, n_bytes - 3)
            ),
            "n" => format!(
                "{}{}{}",
                self.of(LOWER, 1),
                self.of(DIGITS, 2),
                self.of(&format!("{LOWER}{DIGITS}"), n_bytes - 3)
            ),
            // At least one of each class, as rules for passwords ask for.
            "p" => format!(
                "{}{}{}{}",
                self.of(LOWER, 2),
                self.of(DIGITS, 2),
                self.of("!%+-_.", 1),
                self.of(&letters, n_bytes - 5)
            ),
            other => unreachable!("{other}"),
        }
    }
}

const PATHS: &[&str] = &[
    "settings.py",
    "src/app.ts",
    "lib/setup.php",
    "src/main.rs",
    "cmd/run.go",
    "notes/try.ipynb",
    "tests/login_test.py",
    "docs/guide.md",
    "README.md",
    "config/app.yml",
    "deploy.sh",
    "main.tf",
    "data.xml",
    "pom.properties",
    "LICENSE",
];

/// Where values stand: on the line of their name, below it, among others, in the form of a tool.
const FORMS: &[&str] = &[
    "SECRET_KEY = (\n    \"⟨a32⟩\"\n)\n",
    "SECRET_KEY = (\n\n\n    # by hand\n    '⟨a32⟩'\n)\n",
    "const apiKey = \"⟨a40⟩\";\n",
    "const apiKey = `⟨a20⟩\n⟨a20⟩`;\n",
    "let password = '⟨p8⟩' +\n  '⟨p8⟩';\n",
    "password:\n  - ⟨p16⟩\n",
    "password: >-\n  ⟨p16⟩\n",
    "$cfg['password']\n    = '⟨p16⟩';\n",
    "define('DB_PASSWORD',\n\n  '⟨p16⟩');\n",
    "token = \"\"\"\n⟨a40⟩\n\"\"\"\n",
    "// password: ⟨p14⟩\n",
    "x = f(\"ghp_⟨a36⟩\", \"b\")\n",
    "# ghp_⟨a36⟩\n",
    "AKIA⟨u16⟩\n",
    "-----BEGIN RSA PRIVATE KEY-----\n⟨PEM⟩\n-----END RSA PRIVATE KEY-----\n",
    "key = \"-----BEGIN PRIVATE KEY-----\\n\" +\n  \"⟨PEM⟩\"\n",
    "-----BEGIN PRIVATE KEY-----\n⟨PEM⟩\n",
    "url = 'https://user:⟨p12⟩@example.org/a'\n",
    "https://⟨a40⟩@example.org/a\n",
    "kind: Secret\ndata:\n  password: ⟨b44⟩\n",
    "{\"kty\":\"EC\",\n \"d\":\n  \"⟨w43⟩\"}\n",
    "curl -H 'Authorization: Bearer ⟨a40⟩' -u me:⟨p12⟩\n",
    "mysql -u root -p⟨p12⟩\n",
    "<password>\n  ⟨p16⟩\n</password>\n",
    "{\"name\": \"DB_PASSWORD\",\n  \"value\":\n \"⟨p16⟩\"}\n",
    "variable \"password\" {\n  default =\n    \"⟨p16⟩\"\n}\n",
    "def alpha():\n    return 1\n\n\n",
    "fn größe() { return \"é\"; }\n",
    "password = get(\"x\")\n",
];

/// A file: its path and bytes, with values of its own under forms that are mixed and cut.
pub(crate) fn drawn_file(seed: u64) -> (String, Vec<u8>) {
    let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let path = PATHS[draw.next(PATHS.len())];
    let mut text = String::new();
    for _ in 0..=draw.next(4) {
        let form = FORMS[draw.next(FORMS.len())];
        text += &draw.fill(form);
    }
    for _ in 0..draw.next(3) {
        let at = text.floor_char_boundary(draw.next(text.len()));
        let cut = ["\n", "\r\n", "\"", "'", " ", "\\n", "é", "\n\n\n", "("];
        text.insert_str(at, cut[draw.next(cut.len())]);
    }
    let folder = format!("d{seed}/{path}");
    let bytes = encoded(&text, draw.next(8));
    (folder, bytes)
}

fn encoded(text: &str, how: usize) -> Vec<u8> {
    let marked = format!("\u{feff}{text}");
    match how {
        0 => marked.into_bytes(),
        1 => marked.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        2 => marked.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        3 => text.replace('\n', "\r\n").into_bytes(),
        // Broken UTF-8, or Windows-1252.
        4 => [text.as_bytes(), b" \xe9\n"].concat(),
        _ => text.as_bytes().to_vec(),
    }
}

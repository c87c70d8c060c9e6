//! Whether a value is a secret, or a reference, a placeholder, a word of tests.

use super::place::SecretContext;
use super::secret_names::SecretKind;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

/// What marks a value as a placeholder.
const EXAMPLES: &[&str] = &[
    "****",
    "...",
    "1234567",
    "abcdef",
    "change",
    "dummy",
    "example",
    "fake",
    "fixme",
    "foobar",
    "insecure",
    "insert",
    "mock",
    "placeholder",
    "redact",
    "replace",
    "sample",
    "test",
    "todo",
    "undefined",
    "xxxx",
    "your",
];

/// Words of which the passwords of ordinary, public settings are made.
const WEAK: &[&str] = &[
    "administrator",
    "postgresql",
    "passphrase",
    "password",
    "passwort",
    "username",
    "localhost",
    "database",
    "rabbitmq",
    "keycloak",
    "welcome",
    "mongodb",
    "mariadb",
    "default",
    "elastic",
    "grafana",
    "letmein",
    "private",
    "postgres",
    "passwd",
    "secret",
    "qwerty",
    "random",
    "server",
    "strong",
    "secure",
    "docker",
    "oracle",
    "public",
    "string",
    "client",
    "access",
    "admin",
    "token",
    "super",
    "mongo",
    "redis",
    "rabbit",
    "mysql",
    "minio",
    "guest",
    "value",
    "local",
    "empty",
    "false",
    "pass",
    "root",
    "user",
    "demo",
    "asdf",
    "none",
    "null",
    "true",
    "text",
    "here",
    "auth",
    "cred",
    "some",
    "very",
    "long",
    "this",
    "your",
    "not",
    "foo",
    "bar",
    "baz",
    "abc",
    "xyz",
    "pwd",
    "key",
    "api",
    "app",
    "web",
    "dev",
    "sql",
    "the",
    "top",
    "my",
    "db",
    "sa",
    "is",
];

/// How references to a value kept elsewhere begin, and what is no value at all.
const REFERENCES: &[&str] = &[
    "$",
    "{",
    "<",
    "-",
    "&",
    "%",
    "[",
    "(",
    "@",
    "/",
    "./",
    "../",
    "~/",
    "#{",
    "*",
    "\\",
    "arn:",
    "ENC[",
    "ENC(",
    "op://",
    "ref+",
    "vault:",
    "file:",
    "env:",
    "secretref:",
    "ssh-",
    "http:",
    "https:",
    "urn:",
];
/// What is within templates and expressions.
const EXPRESSIONS: &[&str] = &[
    "${",
    "{{",
    "<%",
    "%(",
    "$(",
    "#{",
    "()",
    "://",
    "::",
    "->",
    "process.env",
    "environ",
    "getenv",
    "env.",
    "env[",
    "\\x",
];

/// Signs that expressions and sentences have, and passwords seldom.
const CODE_SIGNS: [char; 14] = [
    '/', '<', '>', '(', ')', '[', ']', '{', '}', '\\', '|', ',', ':', ';',
];

const LEAST_BYTES: usize = 6;
/// A password without a digit has this many letters.
const LEAST_LETTERS: usize = 8;
const MOST_BYTES: usize = 4096;
/// Bits a byte below which a value is no more than a repetition.
const LEAST_ENTROPY: f64 = 2.4;
/// From this length on a value that was drawn is told from one that was written.
const LEAST_DRAWN: usize = 16;
/// Bits a byte of what was drawn: of digits and letters, and of hexadecimal digits.
const LEAST_DRAWN_ENTROPY: f64 = 3.4;
const LEAST_HEX_ENTROPY: f64 = 2.9;

/// Whether a value says itself that it is an example.
pub(super) fn is_example(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_run = |bytes: &[u8]| bytes.iter().all(|byte| *byte == bytes[0]);
    EXAMPLES.iter().any(|word| lower.contains(word)) || value.as_bytes().windows(6).any(is_run)
}

/// Whether the value of a name of a secret is a secret.
pub(super) fn is_secret(value: &[u8], told: SecretKind, place: SecretContext) -> bool {
    let Ok(value) = str::from_utf8(value) else {
        return false;
    };
    // A key of a table that begins on the next line.
    let is_inner_key = value.ends_with(':');
    if is_inner_key
        || !(LEAST_BYTES..=MOST_BYTES).contains(&value.len())
        || value.contains(char::is_whitespace)
    {
        return false;
    }
    if is_crypt_hash(value) {
        return place == SecretContext::Settings;
    }
    if is_reference(value) || is_example(value) {
        return false;
    }
    // A constant has none.
    let has_lower = value.bytes().any(|byte| byte.is_ascii_lowercase());
    match (told, place) {
        (SecretKind::Basic, _) => is_basic(value, place),
        (_, SecretContext::Test | SecretContext::Manual) => false,
        (_, SecretContext::Doubtful) => is_drawn(value) || is_strong(value),
        (SecretKind::Key, SecretContext::Code) => is_drawn(value) || is_complex(value),
        (SecretKind::Password, SecretContext::Code) => {
            is_drawn(value)
                || is_complex(value)
                || (is_plain(value) && has_lower && is_mixed(value))
        }
        (SecretKind::Key, SecretContext::Settings) => {
            is_drawn(value) || (value.len() >= 8 && is_mixed(value))
        }
        (SecretKind::Password, SecretContext::Settings) => is_chosen(value),
    }
}

fn is_reference(value: &str) -> bool {
    REFERENCES.iter().any(|start| value.starts_with(start))
        || EXPRESSIONS.iter().any(|part| value.contains(part))
}

/// Whether a value is `user:password` in base 64.
fn is_basic(value: &str, place: SecretContext) -> bool {
    decoded(value)
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .and_then(|text| Some(text.split_once(':')?.1.to_owned()))
        .is_some_and(|password| is_secret(password.as_bytes(), SecretKind::Password, place))
}

pub(super) fn decoded(value: &str) -> Option<Vec<u8>> {
    let plain = value.trim_end_matches('=');
    let outcome = STANDARD.decode(value);
    outcome.or_else(|_| STANDARD_NO_PAD.decode(plain)).ok()
}

/// A password that a person may have chosen: no weak words alone, no version, no word.
fn is_chosen(value: &str) -> bool {
    if entropy(value.as_bytes()) < LEAST_ENTROPY.min((value.len() as f64).log2() - 0.5) {
        return false;
    }
    let classes = Classes::of(value);
    if classes.n() >= 3 && classes.digit {
        return !is_version(value) && !is_path(value);
    }
    if is_weak(value) || is_version(value) {
        return false;
    }
    if classes.has_letters() && classes.digit {
        return true;
    }
    // Letters and signs alone: no label, as translations and schemas have them, and no path to a value.
    let is_label = value.starts_with(|first: char| first.is_ascii_uppercase())
        || !value.is_ascii()
        || value.contains(['.', '/', ':', '|']);
    (value.len() >= LEAST_LETTERS && !is_label) || is_unspeakable(value)
}

/// What a program drew: long, of letters and digits without order.
pub(super) fn is_drawn(value: &str) -> bool {
    let classes = Classes::of(value);
    let is_call = value.contains('(') && value.contains(')');
    if value.len() < LEAST_DRAWN
        || is_call
        || is_version(value)
        || is_wordlike(value)
        || is_weak(value)
    {
        return false;
    }
    let is_hex = value
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    match (classes.has_letters() && classes.digit, is_hex) {
        (true, true) => value.len() >= 24 && entropy(value.as_bytes()) >= LEAST_HEX_ENTROPY,
        (true, false) => entropy(value.as_bytes()) >= LEAST_DRAWN_ENTROPY,
        (false, _) => is_unspeakable(value) && entropy(value.as_bytes()) >= LEAST_DRAWN_ENTROPY,
    }
}

/// Letters and digits through each other, not words with numbers.
fn is_mixed(value: &str) -> bool {
    let classes = Classes::of(value);
    classes.has_letters()
        && classes.digit
        && !is_wordlike(value)
        && !is_version(value)
        && !is_weak(value)
        && entropy(value.as_bytes()) >= LEAST_ENTROPY
}

/// The word that stands out in a sentence.
fn is_strong(value: &str) -> bool {
    let mut kinds = value.bytes().filter(u8::is_ascii_alphanumeric);
    let mut before = kinds.next().is_some_and(|byte| byte.is_ascii_digit());
    let n_turns =
        kinds.filter(|byte| std::mem::replace(&mut before, byte.is_ascii_digit()) != before);
    value.len() >= 10
        && is_plain(value)
        && is_mixed(value)
        && (is_complex(value) || is_unspeakable(value) || n_turns.count() >= 3)
}

/// Says whether a value has no signs of code or of a sentence.
fn is_plain(value: &str) -> bool {
    value.len() >= 8 && !value.contains(CODE_SIGNS)
}

/// A literal of code that has all that rules for passwords ask for.
fn is_complex(value: &str) -> bool {
    is_plain(value)
        && Classes::of(value).n() == 4
        && !["%d", "%s", "%v"]
            .iter()
            .any(|format| value.contains(format))
        && !is_wordlike(value)
        && !is_weak(value)
}

/// Whether no more than signs and digits are left without the words of ordinary settings.
fn is_weak(value: &str) -> bool {
    let letters = value.bytes().filter(u8::is_ascii_alphabetic);
    let mut rest: String = letters
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect();
    for word in WEAK {
        rest = rest.replace(word, "");
    }
    rest.len() <= 2
}

/// A number of versions, a date, an address: digits and points, with a tail perhaps.
fn is_version(value: &str) -> bool {
    let value = value.trim_start_matches(['^', '~', '>', '<', '=', 'v']);
    let n_plain = value
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || b".:-x*".contains(byte))
        .count();
    value.starts_with(|first: char| first.is_ascii_digit())
        && (n_plain == value.len() || (n_plain >= 5 && value[..n_plain].contains('.')))
}

/// Folders and a file, as references to a key have.
fn is_path(value: &str) -> bool {
    value.contains('/') && is_wordlike(value)
}

/// Words with numbers, as names of things have: `my-secret-2`, `oauth2`, `b64encode`.
fn is_wordlike(value: &str) -> bool {
    if is_spiced(value) {
        return false;
    }
    // What stands within the names of formats and the like: `utf8mb4`, `sha256sum`.
    const WITHIN: &[&str] = &["2", "3", "4", "8", "16", "32", "64", "128", "256", "512"];
    let mut parts = value.split(|character: char| !character.is_ascii_alphanumeric());
    parts.all(|part| {
        let start = part.trim_end_matches(|character: char| character.is_ascii_digit());
        let number = start.trim_matches(|character: char| character.is_ascii_alphabetic());
        let words = start.split_once(number).filter(|_| !number.is_empty());
        let is_named = words.is_some_and(|(first, second)| {
            let is_long = first.len().max(second.len()) >= 5;
            let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
            is_number
                && (first.is_empty() || WITHIN.contains(&number))
                && is_long
                && is_word(first)
                && is_word(second)
        });
        let is_one = number.is_empty() && is_word(start);
        part.len() <= 4 || ((is_one || is_named) && part.len() - start.len() <= 4)
    })
}

/// Says whether signs stand in it that no name of a thing has, beside capitals, small letters and digits, or
/// digits in a row that no format is called by: `qh43!fWKIFU5`, `mw33_IwwzQPZ`.
fn is_spiced(value: &str) -> bool {
    if Classes::of(value).n() < 4 || value.contains(CODE_SIGNS) {
        return false;
    }
    let bytes = value.as_bytes();
    let is_sign = |at: usize| match bytes[at] {
        b'%' => !bytes[at + 1..].iter().take(2).all(u8::is_ascii_hexdigit),
        byte => b"!@#^*".contains(&byte),
    };
    let mut parts = value.split(|character: char| !character.is_ascii_alphanumeric());
    let is_number_within = |part: &str| {
        let name = part.trim_end_matches(|character: char| character.is_ascii_digit());
        (1..=2).contains(&name.len()) && part.len() == name.len() + 2
    };
    (0..bytes.len() - 1).any(is_sign) || (value.len() >= 10 && parts.any(is_number_within))
}

/// Letters that may be a word, or some that are written together.
fn is_word(letters: &str) -> bool {
    !is_unspeakable(letters) && (letters.len() < 4 || n_mute_humps(letters) * 12 < letters.len())
}

/// Says whether letters follow each other as in no word: consonants in a row, humps without a vowel.
pub(super) fn is_unspeakable(value: &str) -> bool {
    let (mut n_consonants, mut longest, mut was_lower) = (0, 0, false);
    let has_lower = value.bytes().any(|byte| byte.is_ascii_lowercase());
    for byte in value.bytes() {
        // An acronym has no vowels, and a hump begins anew.
        let counts = byte.is_ascii_lowercase() || (byte.is_ascii_uppercase() && !has_lower);
        let is_hump = was_lower && byte.is_ascii_uppercase();
        n_consonants = if counts && !is_vowel(byte) && !is_hump {
            n_consonants + 1
        } else {
            0
        };
        longest = longest.max(n_consonants);
        was_lower = byte.is_ascii_lowercase();
    }
    let n_humps = n_mute_humps(value);
    longest >= 6
        || (longest >= 5 && value.len() < 8)
        || (n_humps >= 2 && n_humps * 16 >= value.len())
}

/// Capitals with small letters behind them and no vowel, as `Gjpw`.
fn n_mute_humps(value: &str) -> usize {
    let mut n_mute = 0;
    let bytes = value.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let small = bytes[at + 1..]
            .iter()
            .take_while(|byte| byte.is_ascii_lowercase());
        let n_small = small.count();
        let hump = &bytes[at..=at + n_small];
        let has_case = value.bytes().any(|byte| byte.is_ascii_uppercase());
        let is_mute = has_case && n_small > 0 && hump[0].is_ascii_alphabetic();
        n_mute += usize::from(is_mute && !hump.iter().any(|byte| is_vowel(*byte)));
        at += n_small + 1;
    }
    n_mute
}

fn is_vowel(byte: u8) -> bool {
    b"aeiouyAEIOUY".contains(&byte)
}

/// Kinds of characters in a value.
struct Classes {
    lower: bool,
    upper: bool,
    digit: bool,
    sign: bool,
}

impl Classes {
    fn of(value: &str) -> Self {
        Self {
            lower: value.bytes().any(|byte| byte.is_ascii_lowercase()),
            upper: value.bytes().any(|byte| byte.is_ascii_uppercase()),
            digit: value.bytes().any(|byte| byte.is_ascii_digit()),
            sign: value.bytes().any(|byte| !byte.is_ascii_alphanumeric()),
        }
    }

    fn n(&self) -> usize {
        [self.lower, self.upper, self.digit, self.sign]
            .into_iter()
            .filter(|has| *has)
            .count()
    }

    fn has_letters(&self) -> bool {
        self.lower || self.upper
    }
}

/// Whether a value is a password's hash as crypt and its heirs write it.
pub(super) fn is_crypt_hash(value: &str) -> bool {
    const STARTS: &[&str] = &[
        "$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$7$", "$P$", "$apr1$", "$argon2", "$y$",
        "pbkdf2", "{SHA", "{SSHA", "bcrypt$", "scrypt:",
    ];
    let is_start = |start: &&str| value.starts_with(*start);
    STARTS.iter().any(is_start)
        && value.len() >= 24
        && entropy(value.as_bytes()) >= LEAST_DRAWN_ENTROPY
        && !is_example(value)
}

/// Shannon's entropy of the bytes.
pub(super) fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    value
        .iter()
        .for_each(|byte| counts[usize::from(*byte)] += 1);
    let n_bytes = value.len() as f64;
    let shares = counts.iter().filter(|count| **count > 0);
    shares
        .map(|count| f64::from(*count) / n_bytes)
        .map(|share| -share * share.log2())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_told_from_references_placeholders_and_words() {
        let is_password = |value: &str| {
            is_secret(
                value.as_bytes(),
                SecretKind::Password,
                SecretContext::Settings,
            )
        };
        for value in [
            "hunter2",
            "Tr0ub4dor&3",
            "SuperSecret123!",
            "correct-horse-battery-staple",
            "q8Zt3nLx",
        ] {
            assert!(is_password(value), "{value}");
        }
        for value in [
            "${DB_PASSWORD}",
            "$PASSWORD",
            "{{ .Values.pw }}",
            "<password>",
            "changeme1",
            "postgres",
            "password123",
            "your-password-1",
            "%(pw)s",
            "ENC[AES256_GCM,data:x1]",
            "/run/secrets/db1",
            "test1234",
            "xxxxxxx1",
            "1.2.3-beta1",
            "secret",
            "2024-01-01",
            "process.env.PASSWORD1",
        ] {
            assert!(!is_password(value), "{value}");
        }
    }

    #[test]
    fn keys_are_told_from_names_of_keys() {
        let is_key = |value: &str, place| is_secret(value.as_bytes(), SecretKind::Key, place);
        for value in [
            "9f86d081884c7d659a2feaa0c55ad015",
            "wJalrXUtnFEMIK7MDENGbPxRfiCY",
            "kZ8sw-Qp2xt",
        ] {
            assert!(is_key(value, SecretContext::Settings), "{value}");
        }
        for value in [
            "my-secret-2",
            "oauth2",
            "db-credentials-v1",
            "sha256",
            "^2.4.4",
        ] {
            assert!(!is_key(value, SecretContext::Settings), "{value}");
        }
        assert!(
            !is_key("kZ8sw-Qp2", SecretContext::Doubtful),
            "short in prose"
        );
        assert!(is_key("wJalrXUtnFEMIK7MDENGbPxRfiCY", SecretContext::Code));
    }
}

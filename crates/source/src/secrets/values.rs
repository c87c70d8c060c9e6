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
    match (told, place) {
        (SecretKind::Basic, _) => is_basic(value, place),
        (_, SecretContext::Test | SecretContext::Manual) => false,
        (_, SecretContext::Doubtful) => is_drawn(value),
        (_, SecretContext::Code) => is_drawn(value) || is_complex(value),
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
        || value.contains(['.', '/', ':']);
    (value.len() >= LEAST_LETTERS && !is_label) || is_unspeakable(value)
}

/// What a program drew: long, of letters and digits without order.
pub(super) fn is_drawn(value: &str) -> bool {
    let classes = Classes::of(value);
    if value.len() < LEAST_DRAWN || is_version(value) || is_wordlike(value) || is_weak(value) {
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

/// A literal of code that has all that rules for passwords ask for.
fn is_complex(value: &str) -> bool {
    value.len() >= 8
        && Classes::of(value).n() == 4
        && !value.contains([
            '/', '<', '>', '(', ')', '[', ']', '{', '}', '\\', '|', ',', ':', ';',
        ])
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

/// Words with numbers after them, as names of things have: `my-secret-2`, `oauth2`.
fn is_wordlike(value: &str) -> bool {
    let mut parts = value.split(|character: char| !character.is_ascii_alphanumeric());
    parts.all(|part| {
        let word = part.trim_end_matches(|character: char| character.is_ascii_digit());
        let n_digits = part.len() - word.len();
        let is_word = word.bytes().all(|byte| byte.is_ascii_alphabetic()) && !is_unspeakable(word);
        part.len() <= 4 || (is_word && n_digits <= 4)
    })
}

/// Whether letters follow each other as in no word: five consonants in a row, or case without order.
fn is_unspeakable(value: &str) -> bool {
    let (mut n_consonants, mut longest, mut n_turns) = (0, 0, 0);
    let mut was_upper = false;
    for byte in value.bytes() {
        let is_consonant = byte.is_ascii_alphabetic() && !b"aeiouyAEIOUY".contains(&byte);
        n_consonants = if is_consonant { n_consonants + 1 } else { 0 };
        longest = longest.max(n_consonants);
        n_turns += usize::from(byte.is_ascii_uppercase() && !was_upper);
        was_upper = byte.is_ascii_uppercase();
    }
    value.len() >= 8 && (longest >= 6 || n_turns * 4 >= value.len())
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
            !is_key("kZ8sw-Qp2xt", SecretContext::Doubtful),
            "short in prose"
        );
        assert!(is_key("wJalrXUtnFEMIK7MDENGbPxRfiCY", SecretContext::Code));
    }
}

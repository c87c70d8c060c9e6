//! Names that say that their value is a secret: `DB_PASSWORD`, `apiKey`, `spring.mail.password`.

/// What a name says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SecretKind {
    /// A password: chosen by a person perhaps.
    Password,
    /// A key or token: drawn by a program; where words stand there, they name one.
    Key,
    /// `user:password`, in base 64.
    Basic,
}

const PASSWORDS: &[&str] = &[
    "bindpw",
    "masterauth",
    "olcrootpw",
    "pass",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "psk",
    "pw",
    "pwd",
    "requirepass",
    "rootpw",
];
/// Endings of names that are written in one word.
const PASSWORD_ENDS: &[&str] = &["passphrase", "passwd", "password", "passwort", "pwd"];
/// What is put before `pass` in one word.
const PASS_OF: &[&str] = &[
    "admin", "auth", "bind", "db", "ftp", "imap", "key", "ldap", "mail", "master", "my", "mysql",
    "proxy", "redis", "require", "root", "smtp", "ssh", "store", "user",
];

const KEYS: &[&str] = &["bearer", "credential", "credentials", "jwt", "pat"];
const KEY_ENDS: &[&str] = &[
    "accesskey",
    "accountkey",
    "apikey",
    "authkey",
    "encryptionkey",
    "licensekey",
    "masterkey",
    "presharedkey",
    "privatekey",
    "secret",
    "secretkey",
    "sharedkey",
    "token",
];
/// A key with one of these words before it is a secret one.
const QUALIFIERS: &[&str] = &[
    "access",
    "account",
    "admin",
    "aes",
    "api",
    "app",
    "application",
    "auth",
    "aws",
    "azure",
    "client",
    "consumer",
    "cookie",
    "crypto",
    "deploy",
    "encrypt",
    "encryption",
    "hmac",
    "gcp",
    "ingest",
    "integration",
    "jwt",
    "license",
    "logged",
    "master",
    "nonce",
    "openai",
    "preshared",
    "private",
    "sas",
    "secret",
    "secure",
    "security",
    "service",
    "session",
    "shared",
    "sendgrid",
    "sign",
    "signing",
    "storage",
    "stripe",
    "subscription",
    "twilio",
    "webhook",
    "write",
];
/// Words that may follow: where the secret is used, how it is written.
const TRAILING: &[&str] = &[
    "b64",
    "base",
    "base64",
    "current",
    "default",
    "dev",
    "development",
    "encoded",
    "hash",
    "hex",
    "live",
    "new",
    "old",
    "plain",
    "primary",
    "prod",
    "production",
    "raw",
    "root",
    "secondary",
    "stage",
    "staging",
    "string",
    "text",
    "user",
    "value",
];
/// With one of these the value is for everybody, or no value of that kind.
const HARMLESS: &[&str] = &[
    "csrf",
    "no",
    "pub",
    "public",
    "publishable",
    "site",
    "sitekey",
    "xsrf",
];

/// What a name begins with whose other words say whose password it is.
const PASSWORD_FIRST: &[&str] = &["password", "passwd", "pwd"];
/// Words that say something about a password, not what it is.
const ABOUT: &[&str] = &[
    "age",
    "alg",
    "algo",
    "algorithm",
    "arn",
    "attempts",
    "auth",
    "chars",
    "class",
    "cmd",
    "command",
    "confirm",
    "confirmation",
    "cost",
    "count",
    "digest",
    "dir",
    "enabled",
    "encoder",
    "encryption",
    "env",
    "expiration",
    "expiry",
    "field",
    "file",
    "forgot",
    "form",
    "format",
    "generator",
    "hash",
    "hasher",
    "hashers",
    "help",
    "hint",
    "hook",
    "id",
    "input",
    "key",
    "label",
    "len",
    "length",
    "link",
    "manager",
    "max",
    "message",
    "method",
    "min",
    "mode",
    "name",
    "namespace",
    "param",
    "parameter",
    "path",
    "pattern",
    "placeholder",
    "policy",
    "prompt",
    "protection",
    "provider",
    "ref",
    "regex",
    "regexp",
    "required",
    "reset",
    "role",
    "rule",
    "rules",
    "scheme",
    "selector",
    "service",
    "size",
    "source",
    "storage",
    "store",
    "strategy",
    "strength",
    "template",
    "text",
    "time",
    "timeout",
    "title",
    "ttl",
    "type",
    "types",
    "uri",
    "url",
    "validator",
    "validators",
    "var",
    "variable",
    "version",
    "view",
];

/// What a name says about its value; `None` where it says nothing.
pub(super) fn kind_by_name(name: &[u8]) -> Option<SecretKind> {
    let mut words = words(name);
    while words.len() > 1 && words.last().is_some_and(|word| is_trailing(word)) {
        words.pop();
    }
    let (last, before) = words.split_last()?;
    if words.iter().any(|word| HARMLESS.contains(&word.as_str())) {
        return None;
    }
    let is_in = |list: &[&str]| list.contains(&last.as_str());
    let ends = |list: &[&str]| list.iter().any(|end| last.ends_with(end));
    let is_pass = last
        .strip_suffix("pass")
        .is_some_and(|of| PASS_OF.contains(&of));
    if is_in(PASSWORDS) || ends(PASSWORD_ENDS) || is_pass {
        return Some(SecretKind::Password);
    }
    let is_qualified = || {
        matches!(last.as_str(), "key" | "keys" | "salt")
            && before
                .iter()
                .any(|word| QUALIFIERS.contains(&word.as_str()))
    };
    if is_in(KEYS) || ends(KEY_ENDS) || is_qualified() {
        return Some(SecretKind::Key);
    }
    // `password_reports`: whose it is comes after.
    let is_about = |word: &String| ABOUT.contains(&word.as_str());
    if PASSWORD_FIRST.contains(&words[0].as_str()) && !words.iter().any(is_about) {
        return Some(SecretKind::Password);
    }
    match last.as_str() {
        "auth" => Some(SecretKind::Basic),
        "authorization" => Some(SecretKind::Key),
        _ => None,
    }
}

fn is_trailing(word: &str) -> bool {
    TRAILING.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words of a name, lower case: parted by signs, digits' ends and humps.
fn words(name: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, &byte) in name.iter().enumerate() {
        let next = name.get(at + 1).copied().unwrap_or(b' ');
        let before = at.checked_sub(1).map_or(b' ', |before| name[before]);
        let is_hump = byte.is_ascii_uppercase()
            && (!before.is_ascii_uppercase() || next.is_ascii_lowercase());
        let is_digits_start = byte.is_ascii_digit() && !before.is_ascii_digit();
        if (is_hump || is_digits_start || !byte.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if byte.is_ascii_alphanumeric() {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_name_tells() {
        for (name, told) in [
            ("DB_PASS", Some(SecretKind::Password)),
            ("spring.datasource.password", Some(SecretKind::Password)),
            ("keystorePassword", Some(SecretKind::Password)),
            ("storepass", Some(SecretKind::Password)),
            ("MYSQL_PASSWORD_2", Some(SecretKind::Password)),
            ("apiKey", Some(SecretKind::Key)),
            ("SharedAccessKey", Some(SecretKind::Key)),
            ("STRIPE_SECRET_KEY", Some(SecretKind::Key)),
            ("JWTSecret", Some(SecretKind::Key)),
            ("_authToken", Some(SecretKind::Key)),
            ("_auth", Some(SecretKind::Basic)),
            ("compass", None),
            ("password_reports_q7", Some(SecretKind::Password)),
            ("password_file", None),
            ("password_min_length", None),
            ("secretName", None),
            ("max_tokens", None),
            ("PublicKeyToken", None),
            ("primary_key", None),
            ("key", None),
        ] {
            assert_eq!(kind_by_name(name.as_bytes()), told, "{name}");
        }
    }
}

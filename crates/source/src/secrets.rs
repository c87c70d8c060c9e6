//! Which files hold secrets, by their names and by what stands in them.
//!
//! Formats of keys are those that their issuers document; a key counts with its prefix, its alphabet, its
//! length and, where the prefix is short, its entropy. Values that say themselves that they are examples
//! do not. Both listings and every single read come here by `classify`, so that what is held back is held
//! back everywhere, and listed with its reason.

use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// Names of files that hold credentials, lower case.
const NAMES: &[&str] = &[
    ".bash_history",
    ".boto",
    ".dockercfg",
    ".env.json",
    ".envrc",
    ".git-credentials",
    ".htpasswd",
    ".my.cnf",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".s3cfg",
    ".terraformrc",
    ".vault-token",
    ".vault_pass",
    "_netrc",
    "cookies.txt",
    "credentials",
    "credentials.json",
    "credentials.toml",
    "gcp-key.json",
    "id_dsa",
    "id_ecdsa",
    "id_ecdsa_sk",
    "id_ed25519",
    "id_ed25519_sk",
    "id_rsa",
    "kubeconfig",
    "kubeconfig.yaml",
    "local.settings.json",
    "master.key",
    "rclone.conf",
    "secret.json",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "service-account.json",
    "service_account.json",
    "serviceaccount.json",
    "vault.yml",
    "wg0.conf",
    "wp-config.php",
];

/// Files that hold credentials by the folder that they lie in.
const PATHS: &[&str] = &[
    ".aws/config",
    ".azure/accesstokens.json",
    ".cargo/credentials",
    ".codex/auth.json",
    ".composer/auth.json",
    ".config/gh/hosts.yml",
    ".config/hub",
    ".docker/config.json",
    ".gem/credentials",
    ".kube/config",
    ".ssh/config",
    ".terraform.d/credentials.tfrc.json",
];

const EXTENSIONS: &[&str] = &[
    "agekey", "jks", "kdb", "kdbx", "key", "keystore", "keytab", "ovpn", "p12", "pem", "pfx",
    "pkcs12", "ppk", "tfstate", "tfvars",
];

/// Endings of copies; the file is judged by the name before them.
const COPIES: &[&str] = &[".backup", ".bak", ".old", ".orig", ".save", ".swp", "~"];

/// Files that show which values there are, without the values.
const TEMPLATES: &[&str] = &["dist", "example", "sample", "template"];

/// Whether a path, in lower case, is one under which credentials are kept.
pub(crate) fn is_secret_path(path: &str) -> bool {
    let path = COPIES
        .iter()
        .find_map(|ending| path.strip_suffix(ending))
        .unwrap_or(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.split('.').any(|part| TEMPLATES.contains(&part)) {
        return false;
    }
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let is_env = name == ".env" || name.starts_with(".env.") || name.ends_with(".env");
    let lies_there = |known: &&str| {
        let before = path.strip_suffix(*known);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    is_env
        || NAMES.contains(&name)
        || extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
        || PATHS.iter().any(lies_there)
}

/// A documented format of a key.
struct KeyFormat {
    prefix: &'static str,
    /// Bytes after the prefix.
    n_bytes: std::ops::RangeInclusive<usize>,
    /// What stands there besides letters and digits.
    also: &'static str,
}

const fn key(prefix: &'static str, least: usize, most: usize, also: &'static str) -> KeyFormat {
    KeyFormat {
        prefix,
        n_bytes: least..=most,
        also,
    }
}

const KEYS: &[KeyFormat] = &[
    key("AKIA", 16, 16, ""),
    key("ASIA", 16, 16, ""),
    key("AIza", 35, 35, "_-"),
    key("GOCSPX-", 28, 28, "_-"),
    key("ya29.", 40, 2000, "_-."),
    key("ghp_", 36, 36, ""),
    key("gho_", 36, 36, ""),
    key("ghu_", 36, 36, ""),
    key("ghs_", 36, 36, ""),
    key("ghr_", 36, 76, ""),
    key("github_pat_", 70, 90, "_"),
    key("glpat-", 20, 60, "_-."),
    key("glptt-", 40, 40, ""),
    key("glrt-", 20, 60, "_-."),
    key("xoxb-", 30, 120, "-"),
    key("xoxp-", 30, 120, "-"),
    key("xoxa-", 30, 120, "-"),
    key("xapp-", 40, 160, "-"),
    key("hooks.slack.com/services/T", 30, 60, "/"),
    key("sk_live_", 16, 120, ""),
    key("rk_live_", 16, 120, ""),
    key("whsec_", 24, 80, "+/="),
    key("sk-ant-", 60, 140, "_-"),
    key("sk-proj-", 40, 200, "_-"),
    key("sk-svcacct-", 40, 200, "_-"),
    key("hf_", 34, 40, ""),
    key("npm_", 36, 36, ""),
    key("pypi-AgE", 60, 300, "_-"),
    key("rubygems_", 48, 48, ""),
    key("dckr_pat_", 24, 40, "_-"),
    key("dop_v1_", 64, 64, ""),
    key("doo_v1_", 64, 64, ""),
    key("SG.", 60, 70, "_-."),
    key("key-", 32, 32, ""),
    key("shpat_", 32, 32, ""),
    key("shpss_", 32, 32, ""),
    key("sq0atp-", 22, 22, "_-"),
    key("sq0csp-", 43, 43, "_-"),
    key("lin_api_", 32, 48, ""),
    key("ntn_", 40, 60, ""),
    key("secret_", 43, 43, ""),
    key("hvs.", 80, 130, "_-"),
    key("dapi", 32, 36, "-"),
    key("NRAK-", 27, 27, ""),
    key("glsa_", 41, 41, "_"),
    key("PMAK-", 59, 59, "-"),
    key("AGE-SECRET-KEY-1", 58, 58, ""),
    key("PuTTY-User-Key-File-", 2, 4, ":"),
];

/// All prefixes in one pass.
static PREFIXES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let prefixes = KEYS.iter().map(|format| format.prefix);
    AhoCorasick::new(prefixes).expect("a few short words")
});

/// Whether a text holds a key in a documented format.
pub(crate) fn holds_key(text: &[u8]) -> bool {
    let mut found = PREFIXES.find_iter(text);
    found.any(|found| KEYS[found.pattern().as_usize()].is_at(text, found.start()))
}

/// Files of data and prose, in which a whole private key is no fixture of a test.
const DOCUMENTS: &[&str] = &[
    "asc",
    "cfg",
    "conf",
    "ini",
    "json",
    "md",
    "properties",
    "rst",
    "sql",
    "toml",
    "txt",
    "xml",
    "yaml",
    "yml",
];
/// Bytes of a body from which a private key is a whole one; quoted heads have fewer.
const LEAST_KEY_BODY: usize = 300;

/// Whether a document holds a whole private key, be it as a string with escaped line ends.
pub(crate) fn holds_private_key(path: &str, text: &str) -> bool {
    let is_document = path.rsplit_once('.').is_some_and(|(_, extension)| {
        let extension = extension.to_ascii_lowercase();
        DOCUMENTS.contains(&extension.as_str())
    });
    let mut bodies = text.split("PRIVATE KEY-----").skip(1);
    is_document
        && bodies.any(|body| {
            let body = body.split("-----END").next().unwrap_or_default();
            let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
            body.len() >= LEAST_KEY_BODY
                && body.bytes().filter(is_of_key).count() * 10 >= body.len() * 9
        })
}

impl KeyFormat {
    fn is_at(&self, text: &[u8], at: usize) -> bool {
        let before = at.checked_sub(1).map_or(b' ', |before| text[before]);
        if before.is_ascii_alphanumeric() || before == b'_' {
            return false;
        }
        let rest = &text[at + self.prefix.len()..];
        let belongs =
            |byte: &u8| byte.is_ascii_alphanumeric() || self.also.as_bytes().contains(byte);
        let rest = &rest[..rest.len().min(self.n_bytes.end() + 1)];
        let n_bytes = rest.iter().take_while(|byte| belongs(byte)).count();
        self.n_bytes.contains(&n_bytes) && is_random(&rest[..n_bytes])
    }
}

/// What a value holds that is an example.
const EXAMPLES: &[&str] = &[
    "1234567",
    "abcdefg",
    "example",
    "placeholder",
    "xxxx",
    "your",
];

/// Entropy in bits a byte from which a value was drawn and not written.
const LEAST_ENTROPY: f64 = 3.0;

fn is_random(value: &[u8]) -> bool {
    if value.len() < 5 {
        return true;
    }
    let lower = String::from_utf8_lossy(value).to_ascii_lowercase();
    let is_example = EXAMPLES.iter().any(|word| lower.contains(word));
    !is_example && value.iter().any(u8::is_ascii_digit) && entropy(value) >= LEAST_ENTROPY
}

/// Shannon's entropy of the bytes.
fn entropy(value: &[u8]) -> f64 {
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

    /// Letters and digits without order, the same each time.
    fn drawn(n_bytes: usize, mut seed: u64) -> String {
        let alphabet = b"aZ3kQ9xW7bR2mT5vY8cP4nH6dJ1gLfSeUu";
        let draw = (0..n_bytes).map(|_| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            char::from(alphabet[(seed >> 33) as usize % alphabet.len()])
        });
        draw.collect()
    }

    #[test]
    fn keys_of_every_documented_format_are_found_within_a_text() {
        for (seed, format) in (7_u64..).zip(KEYS) {
            let value = drawn(*format.n_bytes.start(), seed);
            let text = format!("# how to\n\ntoken: \"{}{value}\"\nmore\n", format.prefix);
            assert!(holds_key(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_whole_private_key_makes_a_document_secret() {
        let key = |n_lines| {
            let body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n".repeat(n_lines);
            format!(
                "# Notes\n-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----\n"
            )
        };
        assert!(holds_private_key("notes.md", &key(20)));
        assert!(holds_private_key("a.json", &key(20).replace('\n', "\\n")));
        assert!(
            !holds_private_key("notes.md", &key(2)),
            "a head that is quoted"
        );
        assert!(!holds_private_key("tls_test.go", &key(20)), "a fixture");
    }

    #[test]
    fn examples_names_and_hashes_are_no_keys() {
        for text in [
            "AKIAIOSFODNN7EXAMPLE",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "sk_live_your_key_here_and_more",
            "secret_key_base secret_manager_client_configuration_options_of_it",
            "npm_config_registry npm_lifecycle_event",
            "sha512-3k8xW7bR2mT5vY8cP4nH6dJ1gLfSeUuaZ3kQ9xW7bR2mT5vY8cP4nH6dJ1gLfSeUu==",
            "key-value-store key-0123456789",
        ] {
            assert!(!holds_key(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn copies_and_folders_of_secrets_are_secret_and_templates_are_not() {
        for path in [
            ".envrc",
            "app/.env~",
            "id_rsa.bak",
            "home/.ssh/config",
            ".aws/config",
            ".kube/config",
            ".docker/config.json",
            ".cargo/credentials.toml",
            "infra/terraform.tfstate",
            "infra/terraform.tfstate.backup",
            "config/secrets.yml",
            "service-account.json",
            "infra/prod.tfvars",
        ] {
            assert!(is_secret_path(path), "{path}");
        }
        for path in [
            "config",
            "src/config.json",
            "docker/config.json",
            "infra/prod.tfvars.example",
            "secrets.example.yml",
            "src/secrets.rs",
            "config/credentials.rs",
        ] {
            assert!(!is_secret_path(path), "{path}");
        }
    }
}

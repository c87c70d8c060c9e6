//! Private keys, in whatever they stand: PEM, OpenSSH, PGP and OpenVPN armour, JSON Web Keys.

use super::mark::Found;
use super::pairs;
use super::place::SecretContext;
use super::strike::range_of;
use memchr::memmem;

/// Bytes of a body from which a private key is a whole one; quoted heads have fewer.
const LEAST_KEY_BODY: usize = 60;
/// The same in code and prose, whose comments show short ones.
const LEAST_SHOWN_BODY: usize = 120;
/// Bytes before the end of a head where its `BEGIN` stands.
const MOST_HEAD: usize = 60;
/// Shorter runs within a body are words of its head.
const LEAST_RUN: usize = 16;
/// Bytes from which the private part of a JSON Web Key is one.
const LEAST_JWK_PART: usize = 22;

/// The bytes of whole private keys, be they strings with escaped line ends. Where one is, all are meant.
pub(super) fn find(place: SecretContext, text: &[u8], found: &mut Found) {
    if place == SecretContext::Test {
        return;
    }
    let least = match place {
        SecretContext::Settings => LEAST_KEY_BODY,
        _ => LEAST_SHOWN_BODY,
    };
    let armour: [&[u8]; 4] = [
        b"PRIVATE KEY-----",
        b"PRIVATE KEY BLOCK-----",
        b"ENCRYPTED PRIVATE KEY ----",
        b"OpenVPN Static key V1-----",
    ];
    let heads = armour.iter().flat_map(|head| {
        let heads = memmem::find_iter(text, *head);
        let begins = heads.filter(|at| begins(&text[at.saturating_sub(MOST_HEAD)..*at]));
        begins.map(|at| &text[at + head.len()..])
    });
    let bodies: Vec<&[u8]> = heads.map(body).collect();
    if bodies.iter().any(|body| n_key_bytes(body) >= least) {
        for body in bodies.into_iter().filter(|body| n_key_bytes(body) > 0) {
            let runs = body.split(|byte| !is_of_key(byte));
            let runs = runs.filter(|run| run.len() >= LEAST_RUN);
            found.extend(runs.map(|run| range_of(text, run)));
        }
    }
    find_web_keys(text, found);
}

/// Says whether a line that ends so begins a key.
fn begins(before: &[u8]) -> bool {
    memmem::rfind(before, b"BEGIN ") > memmem::rfind(before, b"END ")
}

fn is_of_key(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=".contains(byte)
}

/// The text between a head and its end.
fn body(rest: &[u8]) -> &[u8] {
    let rest = &rest[..rest.len().min(1 << 14)];
    let end = memmem::find(rest, b"-----END").or_else(|| memmem::find(rest, b"---- END"));
    &rest[..end.unwrap_or(0)]
}

/// Bytes of a key in a body; none where they are mostly something else.
fn n_key_bytes(body: &[u8]) -> usize {
    // What is between the lines: blanks, quotes, signs of string concatenation, `\n`.
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b"\"'\\,.".contains(byte);
    let n_key = body.iter().filter(|byte| is_of_key(byte)).count();
    let is_other = |byte: &&u8| !is_of_key(byte) && !is_between(byte);
    let n_other = body.iter().filter(is_other).count();
    if n_other * 20 <= n_key { n_key } else { 0 }
}

/// The private parts of JSON Web Keys: `d` and the primes, or `k` of a symmetric one.
fn find_web_keys(text: &[u8], found: &mut Found) {
    const PARTS: [&[u8]; 7] = [
        b"\"d\"", b"\"k\"", b"\"p\"", b"\"q\"", b"\"dp\"", b"\"dq\"", b"\"qi\"",
    ];
    for at in memmem::find_iter(text, b"\"kty\"") {
        let around = &text[at.saturating_sub(4096)..(at + 4096).min(text.len())];
        for part in PARTS {
            let values = memmem::find_iter(around, part)
                .filter_map(|at| pairs::value_after(&around[at + part.len()..]));
            let values = values.filter(|value| {
                value.text.len() >= LEAST_JWK_PART && !value.text.starts_with(b"*")
            });
            found.extend(values.map(|value| range_of(text, value.text)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_private_key_is_found_wherever_it_stands() {
        let key = |n_lines| {
            let body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n".repeat(n_lines);
            format!("# A\n-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----\n")
        };
        let found = |place, text: &str| {
            let mut found = Vec::new();
            find(place, text.as_bytes(), &mut found);
            !found.is_empty()
        };
        assert!(found(SecretContext::Doubtful, &key(20)));
        assert!(found(
            SecretContext::Settings,
            &key(20).replace('\n', "\\n")
        ));
        assert!(found(
            SecretContext::Code,
            &key(20).replace('\n', "\\n\" +\n    \"")
        ));
        assert!(
            !found(SecretContext::Doubtful, &key(1)),
            "a head that is quoted"
        );
        assert!(!found(SecretContext::Test, &key(20)), "a fixture");
        let jwk = |part: &str| {
            format!(
                r#"{{"kty":"EC","x":"f83OJ3D2","{part}":"{}"}}"#,
                "jpsQnnGQmL-YBIffH1136cspYG6"
            )
        };
        assert!(found(SecretContext::Settings, &jwk("d")));
        assert!(!found(SecretContext::Settings, &jwk("y")), "a public one");
    }
}

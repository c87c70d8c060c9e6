//! Keys in the formats that their issuers document.
//!
//! A key counts with its prefix, its alphabet, its length and, where the prefix is short, its entropy.

use super::mark::Found;
use super::values::{entropy, is_drawn, is_example, is_unspeakable};
use aho_corasick::AhoCorasick;
use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

/// A documented format of a key.
struct KeyFormat {
    /// Bytes of the key before the mark that its issuer puts within it.
    n_before: usize,
    prefix: &'static str,
    /// Bytes after the prefix.
    n_bytes: RangeInclusive<usize>,
    /// What is there besides letters and digits.
    also: &'static str,
}

const fn key(prefix: &'static str, least: usize, most: usize, also: &'static str) -> KeyFormat {
    inner(0, prefix, least, most, also)
}

/// A key with a mark within it.
const fn inner(
    n_before: usize,
    prefix: &'static str,
    least: usize,
    most: usize,
    also: &'static str,
) -> KeyFormat {
    KeyFormat {
        n_before,
        prefix,
        n_bytes: least..=most,
        also,
    }
}

const KEYS: &[KeyFormat] = &[
    inner(32, "-us", 1, 2, ""),
    inner(12, ".acc-", 40, 160, "-._+/="),
    inner(12, ".acc_", 40, 160, "-._+/="),
    inner(14, ".atlasv1.", 60, 70, "_-="),
    key(
        ".webhook.office.com/webhookb2/",
        100,
        200,
        "-@/IncomingWebhook",
    ),
    key("4b1d", 38, 38, ""),
    key("_gitlab_session=", 32, 32, ""),
    inner(36, "_mmk", 0, 0, ""),
    key("A3-", 36, 37, "-"),
    key("A3T", 17, 17, ""),
    key("AAAAAAAAAAAAAAAAAAAAA", 80, 110, "%"),
    key("ABIA", 16, 16, ""),
    key("ABSK", 109, 269, "+/="),
    key("ACCA", 16, 16, ""),
    key("access-development-", 36, 36, "-"),
    key("access-production-", 36, 36, "-"),
    key("access-sandbox-", 36, 36, "-"),
    key("AGE-SECRET-KEY-1", 58, 58, ""),
    key("AIza", 35, 35, "_-"),
    key("AKCp", 69, 69, ""),
    key("AKIA", 16, 16, ""),
    key("API-", 26, 26, ""),
    key("api_org_", 34, 34, ""),
    key("AQVN", 35, 38, "_-"),
    key("ASIA", 16, 16, ""),
    key("ATATT3", 100, 200, "_-="),
    key("ATBB", 28, 32, ""),
    key("ATCTT3", 100, 200, "_-="),
    key("b_", 44, 44, "_-="),
    key("bedrock-api-key-", 60, 2000, "_-+/="),
    key("bkua_", 40, 40, ""),
    key("cio", 32, 32, ""),
    key("CLOJARS_", 60, 60, ""),
    key("cmVmd", 59, 59, ""),
    key("dapi", 32, 36, "-"),
    key("dckr_pat_", 24, 40, "_-"),
    key("ddp_", 36, 36, ""),
    key("discord.com/api/webhooks/", 70, 120, "/_-"),
    key("discordapp.com/api/webhooks/", 70, 120, "/_-"),
    key("dnkey-", 60, 90, "_-"),
    key("doo_v1_", 64, 64, ""),
    key("dop_v1_", 64, 64, ""),
    key("dor_v1_", 64, 64, ""),
    key("dp.pt.", 40, 44, ""),
    key("dp.st.", 40, 60, ".-"),
    key("dt0c01.", 80, 100, "."),
    key("duffel_live_", 43, 43, "_-="),
    key("duffel_test_", 43, 43, "_-="),
    key("EAAA", 22, 300, "_-"),
    key("EAAC", 80, 300, ""),
    key("EAAG", 80, 300, ""),
    key("EAAM", 80, 300, ""),
    key("eyJrIjoi", 70, 400, "="),
    key("EZAK", 54, 54, ""),
    key("EZTK", 54, 54, ""),
    key("figd_", 38, 60, "_-"),
    key("fio-u-", 64, 64, "_-="),
    key("FLWSECK-", 32, 40, "-X"),
    key("FLWSECK_TEST-", 12, 40, "-X"),
    key("fm1a_", 100, 2000, "+/=,_"),
    key("fm1r_", 100, 2000, "+/=,_"),
    key("fm2_", 100, 2000, "+/=,_"),
    key("fo1_", 43, 43, "_-"),
    key("gho_", 36, 36, ""),
    key("ghp_", 36, 36, ""),
    key("ghr_", 36, 76, ""),
    key("ghs_", 36, 36, ""),
    key("ghu_", 36, 36, ""),
    key("github_pat_", 70, 90, "_"),
    key("glagent-", 40, 60, "_-"),
    key("glc_", 32, 400, "+/="),
    key("glcbt-", 20, 60, "_-"),
    key("gldt-", 20, 60, "_-"),
    key("glffct-", 20, 60, "_-"),
    key("glft-", 20, 60, "_-"),
    key("glimt-", 25, 60, "_-"),
    key("gloas-", 64, 64, "_-"),
    key("glpat-", 20, 60, "_-."),
    key("glptt-", 40, 40, ""),
    key("glrt-", 20, 60, "_-."),
    key("glsa_", 41, 41, "_"),
    key("glsoat-", 20, 60, "_-"),
    key("GOCSPX-", 28, 28, "_-"),
    key("GR1348941", 20, 30, "_-"),
    key("gsk_", 48, 60, ""),
    key("hf_", 34, 40, ""),
    key("hooks.slack.com/services/", 30, 60, "/+"),
    key("hooks.slack.com/triggers/", 30, 90, "/"),
    key("hooks.slack.com/workflows/T", 30, 90, "/"),
    key("HRKU-", 36, 64, "_-"),
    key("hvb.", 100, 300, "_-"),
    key("hvs.", 80, 130, "_-"),
    key("ico-", 32, 32, ""),
    key("key-", 32, 32, ""),
    key("lin_api_", 32, 48, ""),
    key("live_", 35, 35, ""),
    key("lsv2_pt_", 40, 50, "_"),
    key("lsv2_sk_", 40, 50, "_"),
    key("LTAI", 17, 26, ""),
    key("mlsn.", 60, 70, ""),
    key("nfp_", 36, 44, ""),
    key("npm_", 36, 36, ""),
    key("NRAK", 27, 27, ""),
    key("NRAK-", 27, 27, ""),
    key("NRII-", 32, 36, "-"),
    key("ntn_", 40, 60, ""),
    key("ops_eyJ", 200, 2000, "+/="),
    key("oy2", 43, 43, ""),
    key("p8e-", 32, 32, ""),
    key("pat", 79, 79, "."),
    key("pat-eu1-", 36, 36, "-"),
    key("pat-na1-", 36, 36, "-"),
    key("pat.", 68, 68, "._-"),
    key("pcsk_", 60, 80, "_"),
    key("pk.eyJ", 60, 200, "._-"),
    key("PMAK", 59, 59, "-"),
    key("PMAK-", 59, 59, "-"),
    key("pnu_", 36, 36, ""),
    key("pplx-", 40, 60, ""),
    key("pscale_oauth_", 32, 64, "_-.="),
    key("pscale_pw_", 32, 64, "_-.="),
    key("pscale_tkn_", 32, 64, "_-.="),
    key("pul-", 40, 40, ""),
    key("PuTTY-User-Key-File-", 2, 4, ":"),
    key("pypi-AgE", 60, 300, "_-"),
    inner(4, "Q~", 31, 34, "_~.-"),
    key("r8_", 37, 40, ""),
    key("rdme_", 70, 70, ""),
    key("rk_live_", 16, 120, ""),
    key("rk_prod_", 16, 120, ""),
    key("rk_test_", 24, 120, ""),
    key("rnd_", 24, 32, ""),
    key("rubygems_", 48, 48, ""),
    key("rzp_live_", 14, 24, ""),
    key("s-s4t2af-", 64, 64, ""),
    key("s-s4t2ud-", 64, 64, ""),
    key("s.", 24, 24, ""),
    key("sat.", 68, 68, "._-"),
    key("sbp_", 40, 44, ""),
    key("secret_", 43, 43, ""),
    key("SG.", 60, 70, "_-.="),
    key("sgp_", 40, 60, "_"),
    key("sha256~", 43, 43, "_-"),
    key("shippo_live_", 40, 40, ""),
    key("shippo_test_", 40, 40, ""),
    key("shpat_", 32, 32, ""),
    key("shpca_", 32, 32, ""),
    key("shppa_", 32, 32, ""),
    key("shpss_", 32, 32, ""),
    key("SK", 32, 32, ""),
    key("sk-admin-", 40, 200, "_-"),
    key("sk-ant-", 60, 140, "_-"),
    key("sk-ant-admin01-", 60, 140, "_-"),
    key("sk-or-v1-", 64, 64, ""),
    key("sk-proj-", 40, 200, "_-"),
    key("sk-svcacct-", 40, 200, "_-"),
    key("sk.eyJ", 60, 200, "._-"),
    key("sk_live_", 16, 120, ""),
    key("sk_prod_", 16, 120, ""),
    key("sk_test_", 24, 120, ""),
    key("sl.", 130, 1400, "_-"),
    key("sm_aat_", 16, 16, ""),
    key("sm_pat_", 16, 16, ""),
    key("sm_sat_", 16, 16, ""),
    key("sntrys_", 100, 300, "+/=_"),
    key("sntryu_", 64, 64, ""),
    key("sq0atp-", 22, 60, "_-"),
    key("sq0csp-", 43, 43, "_-"),
    key("sqa_", 40, 40, ""),
    key("sqp_", 40, 40, ""),
    key("squ_", 40, 40, ""),
    key("t1.", 90, 300, "._-="),
    inner(20, "T3BlbkFJ", 20, 90, "_-"),
    key("test_", 35, 35, ""),
    key("tfp_", 40, 60, "_-"),
    key("tk-us-", 48, 48, "_-"),
    key("tskey-", 30, 70, "-"),
    key("v1.0-", 171, 171, "-"),
    key("vercel_blob_rw_", 30, 60, "_"),
    key("whsec_", 24, 80, "+/="),
    key("xai-", 60, 90, ""),
    key("xapp-", 40, 160, "-"),
    key("xkeysib-", 70, 90, "-"),
    key("xoxa-", 16, 120, "-"),
    key("xoxb-", 30, 120, "-"),
    key("xoxc-", 30, 160, "-"),
    key("xoxd-", 60, 300, "%+/="),
    key("xoxe-", 60, 260, "-"),
    key("xoxe.", 60, 260, "-"),
    key("xoxp-", 30, 120, "-"),
    key("xoxr-", 16, 160, "-"),
    key("xoxs-", 30, 160, "-"),
    key("xwfp-", 60, 200, "-"),
    key("ya29.", 40, 2000, "_-."),
    key("YC", 38, 38, "_-"),
    inner(15, "|", 27, 40, "_-"),
];

/// All prefixes in one pass.
static PREFIXES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let prefixes = KEYS.iter().map(|format| format.prefix);
    AhoCorasick::new(prefixes).expect("a few short words")
});

/// The keys in documented formats.
pub(super) fn find(text: &[u8], found: &mut Found) {
    let marks = PREFIXES.find_overlapping_iter(text);
    let keys = marks.filter_map(|mark| KEYS[mark.pattern().as_usize()].at(text, mark.start()));
    found.extend(keys);
}

/// Says whether a word begins as the keys of some issuer do, whatever its length: enough for who would rather
/// hide a word too many than show half of a key.
pub fn begins_as_key(word: &str) -> bool {
    let is_begun = |format: &KeyFormat| {
        let is_telling = format.prefix.len() > 2 && format.n_before == 0;
        is_telling && word.len() > format.prefix.len() && word.starts_with(format.prefix)
    };
    KEYS.iter().any(is_begun)
}

impl KeyFormat {
    /// The key whose mark begins there.
    fn at(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let start = self.start(text, at)?;
        let from = at + self.prefix.len();
        let belongs =
            |byte: &u8| byte.is_ascii_alphanumeric() || self.also.as_bytes().contains(byte);
        let rest = &text[from..text.len().min(from + self.n_bytes.end() + 1)];
        let n_bytes = rest.iter().take_while(|byte| belongs(byte)).count();
        let key = start..from + n_bytes;
        let drawn = if self.n_before == 0 {
            &rest[..n_bytes]
        } else {
            &text[key.clone()]
        };
        // A short mark says little.
        let is_told = self.prefix.len() > 3 || self.prefix.ends_with(['-', '_', '~']);
        let is_key = self.n_bytes.contains(&n_bytes)
            && is_random(drawn)
            && (is_told || str::from_utf8(drawn).is_ok_and(is_drawn));
        is_key.then_some(key)
    }

    /// The start of a key: with its mark, or as far before it as its letters reach.
    fn start(&self, text: &[u8], at: usize) -> Option<usize> {
        let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let is_of_key = |byte: &&u8| is_of_word(byte) || b"-~.".contains(*byte);
        let before = text[at.saturating_sub(MOST_BEFORE)..at].iter().rev();
        if self.n_before == 0 {
            let is_within = before.take(1).any(|byte| is_of_word(&byte));
            return (!is_within
                || !self
                    .prefix
                    .starts_with(|first: char| first.is_alphanumeric()))
            .then_some(at);
        }
        let n_bytes = before.take_while(is_of_key).count();
        (n_bytes >= self.n_before).then(|| at - n_bytes)
    }
}

/// Bytes before its mark where a key may begin.
const MOST_BEFORE: usize = 120;
/// Entropy in bits a byte from which a value was drawn and not written.
const LEAST_ENTROPY: f64 = 3.0;

fn is_random(value: &[u8]) -> bool {
    if value.len() < 5 {
        return true;
    }
    let text = String::from_utf8_lossy(value);
    let has_lower = value.iter().any(u8::is_ascii_lowercase);
    let is_word = has_lower && !value.iter().any(u8::is_ascii_digit) && !is_unspeakable(&text);
    !is_word && !is_example(&text) && entropy(value) >= LEAST_ENTROPY
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_key(text: &[u8]) -> bool {
        let mut found = Vec::new();
        find(text, &mut found);
        !found.is_empty()
    }

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
            let before = drawn(format.n_before, seed + 1);
            let value = drawn(*format.n_bytes.start(), seed);
            let prefix = format.prefix;
            let text = format!("# how to\n\ntoken: \"{before}{prefix}{value}\"\nmore\n");
            assert!(has_key(text.as_bytes()), "{text}");
        }
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
            assert!(!has_key(text.as_bytes()), "{text}");
        }
    }
}

//! Moments: what callers write, as commits and milliseconds.

use crate::error::{EngineError, Result};
use whyrank_source::CommitId;

const DAY_MS: i64 = 86_400_000;
/// How far ahead of the clock here another one may be that recorded a fact: it was set wrong, or lies.
pub(super) const LEAD_MS: i64 = 366 * DAY_MS;

/// Milliseconds since the epoch.
pub(super) fn clock_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

pub(super) fn not_in_history(commit: Option<CommitId>) -> EngineError {
    let commit = commit.map_or_else(String::new, |commit| commit.to_string());
    EngineError::new(
        "unknown-revision",
        format!("the commit {commit} is not in the history"),
        "fetch it, or give a branch, a tag or another commit",
    )
}

/// A moment: `2026-05-01`, `2026-05-01T12:30`, `…:15Z`, `2h` ago, or milliseconds since the epoch.
pub(super) fn parse_time(text: &str, now_ms: i64) -> Result<i64> {
    let text = text.trim();
    let bad = || {
        EngineError::bad_argument(
            format!("`{text}` is not a time"),
            "give 2026-05-01, 2026-05-01T12:30:00Z, 2h, 3d, or milliseconds since the epoch",
        )
    };
    if text.eq_ignore_ascii_case("now") {
        return Ok(now_ms);
    }
    if text.len() > 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().map_err(|_| bad());
    }
    let units = [
        ('m', 60_000),
        ('h', 3_600_000),
        ('d', DAY_MS),
        ('w', 7 * DAY_MS),
    ];
    for (unit, ms) in units {
        if let Some(number) = text.strip_suffix(unit)
            && let Ok(number) = number.parse::<i64>()
        {
            return Ok(now_ms - number.saturating_mul(ms));
        }
    }
    let (date, clock) = match text.split_once(['T', ' ']) {
        Some((date, clock)) => (date, Some(clock)),
        None => (text, None),
    };
    let date = parse_date(date).ok_or_else(bad)?;
    // A day without a clock means its end: what was recorded on it counts.
    let clock = clock
        .map_or(Some(DAY_MS - 1), parse_clock)
        .ok_or_else(bad)?;
    Ok(date * DAY_MS + clock)
}

/// Days since the epoch.
fn parse_date(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_date =
        (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    let shifted = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (shifted / 400, shifted % 400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    is_date.then(|| era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Milliseconds of a day, the zone taken off.
fn parse_clock(text: &str) -> Option<i64> {
    let text = text.trim_end_matches(['Z', 'z']);
    let (text, zone) = match text.rfind(['+', '-']) {
        Some(at) => (&text[..at], zone_ms(&text[at..])?),
        None => (text, 0),
    };
    let mut parts = text.splitn(3, ':');
    let (hour, minute): (i64, i64) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let second: f64 = parts.next().map_or(Some(0.0), |part| part.parse().ok())?;
    let is_clock =
        (0..24).contains(&hour) && (0..60).contains(&minute) && (0.0..61.0).contains(&second);
    is_clock.then(|| hour * 3_600_000 + minute * 60_000 + (second * 1000.0) as i64 - zone)
}

fn zone_ms(text: &str) -> Option<i64> {
    let (sign, rest) = text.split_at(1);
    let (hours, minutes) = rest.split_once(':').unwrap_or((rest, "0"));
    let ms = hours.parse::<i64>().ok()? * 3_600_000 + minutes.parse::<i64>().ok()? * 60_000;
    Some(if sign == "-" { -ms } else { ms })
}

/// Writes the day of a moment in milliseconds since the epoch, in UTC: `2026-05-01`.
pub fn day_words(ms: f64) -> String {
    time_words(ms as i64).split_at(10).0.to_owned()
}

/// Writes a moment in milliseconds since the epoch, in UTC: `2026-05-01T12:30:15Z`.
pub fn time_words(ms: i64) -> String {
    let (days, of_day) = (ms.div_euclid(DAY_MS), ms.rem_euclid(DAY_MS) / 1000);
    // civil_from_days of the same source.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = era * 400 + year + i64::from(month <= 2);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_in_the_usual_forms() {
        let now = 1_800_000_000_000;
        let cases = [
            ("2026-05-01T12:30:15Z", 1_777_638_615_000),
            ("2026-05-01T14:30:15+02:00", 1_777_638_615_000),
            ("2026-05-01 12:30", 1_777_638_600_000),
            ("2026-05-01", 1_777_679_999_999),
            ("2h", now - 7_200_000),
            ("1777638615000", 1_777_638_615_000),
            ("now", now),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_time(text, now).expect(text), expected, "{text}");
        }
        for text in ["", "yesterday", "2026-13-01", "2026-05-01T25:00"] {
            assert!(parse_time(text, now).is_err(), "{text}");
        }
        assert_eq!(time_words(1_777_638_615_000), "2026-05-01T12:30:15Z");
        assert_eq!(time_words(951_782_400_000), "2000-02-29T00:00:00Z");
    }
}

//! Moments: what callers write, as commits and milliseconds.

use crate::error::{EngineError, Result};
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{Date, Month, OffsetDateTime, PrimitiveDateTime};
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
    let midnight = date.midnight().assume_utc().unix_timestamp();
    Ok(midnight * 1000 + clock)
}

fn parse_date(text: &str) -> Option<Date> {
    let mut parts = text.splitn(3, '-');
    let year: i32 = parts.next()?.parse().ok()?;
    let month: u8 = parts.next()?.parse().ok()?;
    let day = parts.next()?.parse().ok()?;
    let date = Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()?;
    (1970..10_000).contains(&year).then_some(date)
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
    written(ms as i64, format_description!("[year]-[month]-[day]"))
}

/// Writes a moment in milliseconds since the epoch, in UTC: `2026-05-01T12:30:15Z`.
pub fn time_words(ms: i64) -> String {
    let format = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]Z");
    written(ms, format)
}

/// What lies beyond the years that there are is written as the first or the last moment of them.
fn written(ms: i64, format: &[BorrowedFormatItem<'_>]) -> String {
    let [first, last] = [PrimitiveDateTime::MIN, PrimitiveDateTime::MAX]
        .map(|moment| moment.assume_utc().unix_timestamp());
    let seconds = ms.div_euclid(1000).clamp(first, last);
    let moment = OffsetDateTime::from_unix_timestamp(seconds).expect("it is within the years");
    moment.format(format).expect("a moment has all parts")
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
        for text in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-02-31",
            "2026-05-01T25:00",
        ] {
            assert!(parse_time(text, now).is_err(), "{text}");
        }
        assert_eq!(time_words(1_777_638_615_000), "2026-05-01T12:30:15Z");
        assert_eq!(time_words(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(day_words(951_782_400_000.0), "2000-02-29");
        assert_eq!(time_words(i64::MAX), "9999-12-31T23:59:59Z");
    }
}

//! When an element applies: dates that may be partial, open, or only words.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::problem::FieldError;

const SECONDS_A_DAY: i64 = 86_400;

/// A year, a month, a day or a second, in the proleptic Gregorian calendar with astronomical years (0 is 1 BC, −9999 is 10000 BC).
/// On the wire `2000`, `2000-02`, `2000-02-18`, `2000-02-18T00:00:00Z` or `-9999`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PartialDate {
    year: i32,
    month: Option<u8>,
    day: Option<u8>,
    /// Second of the day, UTC.
    second: Option<u32>,
}

impl PartialDate {
    pub fn year(&self) -> i32 {
        self.year
    }

    /// The first second it covers, in seconds since 1970-01-01T00:00:00Z.
    pub fn first_second(&self) -> i64 {
        let days = days_from_civil(self.year, self.month.unwrap_or(1), self.day.unwrap_or(1));
        days * SECONDS_A_DAY + i64::from(self.second.unwrap_or(0))
    }

    /// The last second it covers: a year is its whole range, a month too.
    pub fn last_second(&self) -> i64 {
        if self.second.is_some() {
            return self.first_second();
        }
        let next_day = match (self.month, self.day) {
            (Some(month), Some(day)) => days_from_civil(self.year, month, day) + 1,
            (Some(12), None) | (None, _) => days_from_civil(self.year + 1, 1, 1),
            (Some(month), None) => days_from_civil(self.year, month + 1, 1),
        };
        next_day * SECONDS_A_DAY - 1
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar.
/// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
fn days_from_civil(year: i32, month: u8, day: u8) -> i64 {
    let (month, day) = (i64::from(month), i64::from(day));
    let year = i64::from(year) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted_month = (month + 9) % 12;
    let day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn days_in_month(year: i32, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

impl FromStr for PartialDate {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        parse_date(text.trim()).ok_or_else(|| {
            FieldError::new("datetime", format!("`{text}` is not a date; use 2015, 2015-06, 2015-06-30 or 2015-06-30T12:00:00Z"))
        })
    }
}

fn parse_date(text: &str) -> Option<PartialDate> {
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (text.get(..at)?, Some(text.get(at + 1..)?)),
        None => (text, None),
    };
    let (negative, digits) = match date.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, date.strip_prefix('+').unwrap_or(date)),
    };
    let mut parts = digits.split('-');
    let year_text = parts.next()?;
    if year_text.is_empty() || year_text.len() > 6 || !(negative || year_text.len() >= 4) {
        return None;
    }
    let year = number(year_text)? as i32 * if negative { -1 } else { 1 };
    let month = parts.next().map(number).map_or(Some(None), |month| month.map(Some))?;
    let day = parts.next().map(number).map_or(Some(None), |day| day.map(Some))?;
    if parts.next().is_some() {
        return None;
    }
    let month = month.map(u8::try_from).transpose().ok()?;
    let day = day.map(u8::try_from).transpose().ok()?;
    if month.is_some_and(|month| !(1..=12).contains(&month)) {
        return None;
    }
    if let (Some(month), Some(day)) = (month, day)
        && (day < 1 || day > days_in_month(year, month))
    {
        return None;
    }
    let Some(time) = time else {
        return Some(PartialDate { year, month, day, second: None });
    };
    let (second, offset_seconds) = parse_time(time)?;
    let moment = days_from_civil(year, month?, day?) * SECONDS_A_DAY + i64::from(second) - offset_seconds;
    Some(from_seconds(moment))
}

fn number(text: &str) -> Option<u32> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Second of the day and the offset from UTC in seconds; fractions are dropped, a missing offset is UTC.
fn parse_time(text: &str) -> Option<(u32, i64)> {
    let (clock, offset_seconds) = if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        (clock, 0)
    } else if let Some(at) = text.rfind(['+', '-']) {
        let (hours, minutes) = text.get(at + 1..)?.split_once(':')?;
        let (hours, minutes) = (number(hours)?, number(minutes)?);
        if hours > 23 || minutes > 59 {
            return None;
        }
        let seconds = i64::from(hours * 3600 + minutes * 60);
        (text.get(..at)?, if text.get(at..=at)? == "-" { -seconds } else { seconds })
    } else {
        (text, 0)
    };
    let clock = clock.split('.').next()?;
    let mut parts = clock.split(':');
    let (hour, minute) = (number(parts.next()?)?, number(parts.next()?)?);
    let second = parts.next().map_or(Some(0), number)?;
    let ends_the_day = hour == 24 && minute == 0 && second == 0;
    if (hour > 23 && !ends_the_day) || minute > 59 || second > 60 || parts.next().is_some() {
        return None;
    }
    Some((hour * 3600 + minute * 60 + second.min(59), offset_seconds))
}

/// The inverse of [`days_from_civil`], from the same source.
fn from_seconds(moment: i64) -> PartialDate {
    let days = moment.div_euclid(SECONDS_A_DAY) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    PartialDate {
        year: year as i32,
        month: Some(month as u8),
        day: Some(day as u8),
        second: Some(moment.rem_euclid(SECONDS_A_DAY) as u32),
    }
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.year < 0 {
            write!(f, "-{:04}", -self.year)?;
        } else {
            write!(f, "{:04}", self.year)?;
        }
        if let Some(month) = self.month {
            write!(f, "-{month:02}")?;
        }
        if let Some(day) = self.day {
            write!(f, "-{day:02}")?;
        }
        if let Some(second) = self.second {
            write!(f, "T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)?;
        }
        Ok(())
    }
}

impl TryFrom<String> for PartialDate {
    type Error = FieldError;

    fn try_from(text: String) -> Result<Self, FieldError> {
        text.parse()
    }
}

impl From<PartialDate> for String {
    fn from(date: PartialDate) -> Self {
        date.to_string()
    }
}

/// The temporal coverage of an element. Either end may be open; `text` keeps what could not be a date, such as "Holocene".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Period {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub start: Option<PartialDate>,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub end: Option<PartialDate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Period {
    /// The seconds covered, both ends inclusive; `None` when only words are known.
    pub fn seconds(&self) -> Option<(i64, i64)> {
        if self.start.is_none() && self.end.is_none() {
            return None;
        }
        let start = self.start.map_or(i64::MIN, |date| date.first_second());
        Some((start, self.end.map_or(i64::MAX, |date| date.last_second())))
    }
}

/// A time range that is asked for: `2015`, `2015/2020`, `2015/..`, `../2015`, `/2015`. Inclusive; never both ends open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Interval {
    start: Option<PartialDate>,
    end: Option<PartialDate>,
}

impl Interval {
    /// # Errors
    /// Both ends open, or the start after the end.
    pub fn new(start: Option<PartialDate>, end: Option<PartialDate>) -> Result<Self, FieldError> {
        if start.is_none() && end.is_none() {
            return Err(FieldError::new("datetime", "a time range needs a start or an end, such as 2015/.."));
        }
        if let (Some(start), Some(end)) = (start, end)
            && start.first_second() > end.last_second()
        {
            return Err(FieldError::new(
                "datetime",
                format!("the start {start} is after the end {end}; write the earlier one first"),
            ));
        }
        Ok(Self { start, end })
    }

    pub fn start(&self) -> Option<PartialDate> {
        self.start
    }

    pub fn end(&self) -> Option<PartialDate> {
        self.end
    }

    /// First and last second asked for; open ends are the extremes of `i64`.
    pub fn seconds(&self) -> (i64, i64) {
        (self.start.map_or(i64::MIN, |date| date.first_second()), self.end.map_or(i64::MAX, |date| date.last_second()))
    }

    /// Whether the coverage overlaps the range. Coverage known only in words does not.
    pub fn overlaps(&self, period: &Period) -> bool {
        let Some((start, end)) = period.seconds() else { return false };
        let (asked_start, asked_end) = self.seconds();
        start <= asked_end && asked_start <= end
    }
}

impl FromStr for Interval {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        let end_of = |part: &str| match part.trim() {
            "" | ".." => Ok(None),
            date => date.parse().map(Some),
        };
        match text.split_once('/') {
            Some((start, end)) => Self::new(end_of(start)?, end_of(end)?),
            None => {
                let date: PartialDate = text.parse()?;
                Self::new(Some(date), Some(date))
            }
        }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |date: Option<PartialDate>| date.map_or_else(|| "..".to_owned(), |date| date.to_string());
        if self.start == self.end {
            f.write_str(&write(self.start))
        } else {
            write!(f, "{}/{}", write(self.start), write(self.end))
        }
    }
}

impl TryFrom<String> for Interval {
    type Error = FieldError;

    fn try_from(text: String) -> Result<Self, FieldError> {
        text.parse()
    }
}

impl From<Interval> for String {
    fn from(interval: Interval) -> Self {
        interval.to_string()
    }
}

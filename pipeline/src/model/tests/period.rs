use proptest::prelude::*;

use crate::model::period::{Interval, PartialDate, Period};

fn date(text: &str) -> PartialDate {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

const DAY: i64 = 86_400;

#[test]
fn partial_dates_are_their_whole_range() {
    let cases = [
        ("1970", 0, 365 * DAY - 1),
        ("1970-01", 0, 31 * DAY - 1),
        ("1970-01-01", 0, DAY - 1),
        ("1970-12", 334 * DAY, 365 * DAY - 1),
        ("1970-01-01T00:00:10Z", 10, 10),
        ("1970-01-01T01:00:10+01:00", 10, 10),
        ("1969-12-31T23:00:10-01:00", 10, 10),
        ("1970-01-01T00:00:10.75Z", 10, 10),
        ("1970-01-01 00:00", 0, 0),
        ("1970-01-01T24:00:00Z", DAY, DAY),
        ("2000-02", 949_363_200, 949_363_200 + 29 * DAY - 1),
        ("0000-03-01", -62_162_035_200, -62_162_035_200 + DAY - 1),
        ("-9999", -377_705_116_800, -377_673_580_801),
    ];
    for (text, first, last) in cases {
        assert_eq!((date(text).first_second(), date(text).last_second()), (first, last), "{text}");
    }
}

#[test]
fn what_is_no_date_is_refused() {
    let cases = [
        "",
        "Holocene",
        "10000 BC",
        "2015-13",
        "2015-00",
        "2015-02-29",
        "1900-02-29",
        "2015-04-31",
        "2015-06-30T",
        "2015-06-30T25:00Z",
        "2015-06-30T24:30Z",
        "2015-06-30T12:60Z",
        "2015-06-30T12:00:00+99999999:00",
        "2015-06-30T12:00:00+4294967295:4294967295",
        "2015-06T12:00Z",
        "15",
        "2015-6-",
        "12/06/2015",
        "2015-06-30-01",
        "99999999",
        "--2015",
        "２０１５",
    ];
    for text in cases {
        let error = text.parse::<PartialDate>().expect_err(text);
        assert_eq!(error.field, "datetime");
        assert!(error.message.contains("2015-06-30"), "{text}: {}", error.message);
    }
    for leap in ["2000-02-29", "2016-02-29", "-0004-02-29", "0000-02-29"] {
        assert_eq!(date(leap).to_string(), leap);
    }
}

#[test]
fn intervals_may_be_open() {
    let cases = [
        ("2015", "2015", Some("2015"), Some("2015")),
        ("2015/2020", "2015/2020", Some("2015"), Some("2020")),
        ("2015/..", "2015/..", Some("2015"), None),
        ("2015/", "2015/..", Some("2015"), None),
        ("../2015", "../2015", None, Some("2015")),
        ("/2015", "../2015", None, Some("2015")),
        (" 2015-06 / 2015-07-04 ", "2015-06/2015-07-04", Some("2015-06"), Some("2015-07-04")),
        ("-9999/-5000", "-9999/-5000", Some("-9999"), Some("-5000")),
        ("2015/2015-06", "2015/2015-06", Some("2015"), Some("2015-06")),
    ];
    for (text, written, start, end) in cases {
        let interval: Interval = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(interval.to_string(), written, "{text}");
        assert_eq!((interval.start(), interval.end()), (start.map(date), end.map(date)), "{text}");
    }
    assert_eq!("2015/..".parse::<Interval>().unwrap().seconds().1, i64::MAX);
    assert_eq!("/2015".parse::<Interval>().unwrap().seconds().0, i64::MIN);
}

#[test]
fn what_is_no_interval_says_why() {
    let cases = [
        ("2020/2015", "after the end"),
        ("2015-07/2015-06-30", "after the end"),
        ("../..", "needs a start or an end"),
        ("/", "needs a start or an end"),
        ("", "not a date"),
        ("2015/2016/2017", "not a date"),
        ("Holocene/..", "not a date"),
        ("yesterday", "not a date"),
    ];
    for (text, word) in cases {
        let error = text.parse::<Interval>().expect_err(text);
        assert_eq!(error.field, "datetime");
        assert!(error.message.contains(word), "{text}: {}", error.message);
    }
}

#[test]
fn coverage_overlaps_by_its_whole_range() {
    let period = |start: &str, end: &str| Period {
        start: (!start.is_empty()).then(|| date(start)),
        end: (!end.is_empty()).then(|| date(end)),
        text: None,
    };
    let cases = [
        ("2015", period("2015-12-31", "2016-03"), true),
        ("2015", period("2016", "2017"), false),
        ("2015-06", period("2015", "2015"), true),
        ("../2015", period("2016-01-01", ""), false),
        ("../2016", period("2016-01-01", ""), true),
        ("2030/..", period("2016-01-01", ""), true),
        ("2030/..", period("", "2029-12-31T23:59:59Z"), false),
        ("2029-12-31/..", period("", "2029-12-31T23:59:59Z"), true),
        ("-9999/-9000", period("-9500", "-9400"), true),
        ("2015", period("", ""), false),
    ];
    for (asked, covered, expected) in cases {
        let asked: Interval = asked.parse().unwrap();
        assert_eq!(asked.overlaps(&covered), expected, "{asked} {covered:?}");
    }
}

#[test]
fn words_are_kept_and_cover_nothing() {
    for words in ["Holocene", "10000 BC", "since the last ice age"] {
        let period: Period = serde_json::from_value(serde_json::json!({"text": words})).unwrap();
        assert_eq!(period.seconds(), None);
        assert_eq!(serde_json::to_value(&period).unwrap(), serde_json::json!({"start": null, "end": null, "text": words}));
    }
    let error = serde_json::from_str::<Period>(r#"{"start":"Holocene"}"#).expect_err("no date");
    assert!(error.to_string().contains("not a date"), "{error}");
    assert!(serde_json::from_str::<Period>(r#"{"begin":"2015"}"#).is_err(), "a typing error must not vanish");
}

fn dates() -> impl Strategy<Value = PartialDate> {
    let year = prop_oneof![1900..2100i32, -20_000..20_000i32];
    (year, 1..=12u8, 1..=28u8, 0..DAY, 0..4u8).prop_map(|(year, month, day, second, parts)| {
        let sign = if year < 0 { "-" } else { "" };
        let mut text = format!("{sign}{:04}", year.abs());
        if parts > 0 {
            text += &format!("-{month:02}");
        }
        if parts > 1 {
            text += &format!("-{day:02}");
        }
        if parts > 2 {
            text += &format!("T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60);
        }
        date(&text)
    })
}

proptest! {
    #[test]
    fn written_dates_read_back_the_same(date in dates()) {
        prop_assert_eq!(date.to_string().parse::<PartialDate>().unwrap(), date);
        prop_assert!(date.first_second() <= date.last_second());
    }

    #[test]
    fn an_offset_moves_the_moment(year in 0..9999i32, month in 1..=12u8, day in 1..=28u8, hours in 0..=23i64, minutes in 0..=59i64, east in any::<bool>()) {
        let at_midnight = format!("{year:04}-{month:02}-{day:02}T00:00:00");
        let sign = if east { "+" } else { "-" };
        let moved: PartialDate = format!("{at_midnight}{sign}{hours:02}:{minutes:02}").parse().unwrap();
        let plain: PartialDate = format!("{at_midnight}Z").parse().unwrap();
        let offset = (hours * 3600 + minutes * 60) * if east { 1 } else { -1 };
        prop_assert_eq!(moved.first_second(), plain.first_second() - offset);
        prop_assert_eq!(moved.to_string().parse::<PartialDate>().unwrap(), moved);
    }

    #[test]
    fn intervals_read_back_the_same(a in dates(), b in dates()) {
        if let Ok(interval) = Interval::new(Some(a), Some(b)) {
            prop_assert_eq!(interval.to_string().parse::<Interval>().unwrap(), interval);
        }
    }

    #[test]
    fn nothing_typed_breaks_a_date(text in ".{0,24}") {
        let _ = text.parse::<PartialDate>();
        let _ = text.parse::<Interval>();
    }

    #[test]
    fn nothing_like_a_date_breaks_it(text in "[-+]?[0-9]{1,7}(-[0-9]{1,3}){0,3}([T ][0-9:.+Z-]{0,14})?") {
        let _ = text.parse::<PartialDate>();
        let _ = text.parse::<Interval>();
    }
}

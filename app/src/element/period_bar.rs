//! The temporal coverage of an element as a bar on a time line.

use leptos::prelude::*;
use pipeline::model::period::Period;

use crate::words;

const WIDTH: f64 = 360.0;
/// Years shown before the start and after the end at least.
const MARGIN_YEARS: i32 = 5;
/// The same where one end is open.
const OPEN_YEARS: i32 = 20;

/// The years at the two ends of the line and the bar on it in the units of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    from: i32,
    to: i32,
    bar_from: f64,
    bar_to: f64,
    open_start: bool,
    open_end: bool,
}

/// `None` when no year is known. An open end runs to the end of the line.
fn line(period: &Period) -> Option<Line> {
    let (start, end) = (period.start.map(|date| date.year()), period.end.map(|date| date.year()));
    let first = start.or(end)?;
    let last = end.or(start)?;
    let open = start.is_none() || end.is_none();
    let margin = if open { OPEN_YEARS } else { MARGIN_YEARS.max((last - first) / 4) };
    let from = (first - margin).div_euclid(10) * 10;
    let to = (last + margin).div_euclid(10) * 10 + 10;
    let at = |year: f64| (year - f64::from(from)) / f64::from(to - from) * WIDTH;
    Some(Line {
        from,
        to,
        bar_from: start.map_or(0.0, |year| at(f64::from(year))),
        bar_to: end.map_or(WIDTH, |year| at(f64::from(year) + 1.0)),
        open_start: start.is_none(),
        open_end: end.is_none(),
    })
}

#[component]
pub fn PeriodBar(period: Period) -> impl IntoView {
    let words = words::period(&period)?;
    let drawing = line(&period).map(|line| {
        view! {
            <svg class="period" viewBox="0 0 360 26" aria-hidden="true">
                <line x1="0" x2="360" y1="7" y2="7" />
                <rect x=line.bar_from y="3" width=(line.bar_to - line.bar_from).max(3.0) height="8" rx="2" />
                <text x="0" y="24">{if line.open_start { "open".to_owned() } else { line.from.to_string() }}</text>
                <text x="360" y="24" text-anchor="end">
                    {if line.open_end { "open".to_owned() } else { line.to.to_string() }}
                </text>
            </svg>
        }
    });
    let text = period.text.filter(|text| *text != words);
    Some(
        view! {
            <section aria-labelledby="period">
                <h2 id="period">"Period"</h2>
                <p>{words} {text.map(|text| view! { <span class="quiet">" ("{text}")"</span> })}</p>
                {drawing}
            </section>
        }
        .into_any(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(start: &str, end: &str) -> Period {
        Period { start: start.parse().ok(), end: end.parse().ok(), text: None }
    }

    #[test]
    fn the_line_holds_the_bar() {
        let drawn = line(&period("2000", "2015-06")).unwrap();
        assert_eq!((drawn.from, drawn.to), (1990, 2030));
        assert_eq!((drawn.bar_from, drawn.bar_to), (90.0, 234.0));
    }

    #[test]
    fn open_ends_run_to_the_end_of_the_line() {
        assert_eq!(line(&period("2000", "..")).unwrap().bar_to, WIDTH);
        assert_eq!(line(&period("..", "2000")).unwrap().bar_from, 0.0);
        assert_eq!(line(&period("..", "..")), None);
    }
}

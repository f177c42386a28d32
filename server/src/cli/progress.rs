//! Bars on the standard error; hidden where it is no terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::failure::Failure;
use crate::wiring::Cairn;

const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A bar of `length` things; a length of 0 is not known.
pub fn bar(what: &str, length: u64) -> ProgressBar {
    let bar = if length == 0 { ProgressBar::new_spinner() } else { ProgressBar::new(length) };
    let template = if length == 0 { "{msg:>14} {pos} {elapsed}" } else { "{msg:>14} {bar:32} {pos}/{len} {eta}" };
    // the template is a constant; should it not parse, the plain style does
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_message(what.to_owned())
}

/// Waits until all projections have come as far as the records are now. An interrupt is safe: the rest goes on at the next
/// start.
///
/// # Errors
/// A projection that cannot be read, or that has stopped.
pub async fn until_caught_up(cairn: &Cairn) -> Result<(), Failure> {
    let target = cairn.services.records.last_seq().await?;
    let shown = bar("indexing", target);
    loop {
        let lags = cairn.moving().await?;
        let slowest = lags.iter().map(|lag| lag.checkpoint).min().unwrap_or(target);
        shown.set_position(slowest.min(target));
        if slowest >= target {
            shown.finish_and_clear();
            return Ok(());
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

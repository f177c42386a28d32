//! `kill -9` at random points of an import loses nothing that was acknowledged.

use std::{
    collections::BTreeSet,
    fmt::Write,
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::command_line::{cairn, run};

const ELEMENTS: usize = 4_000;
const KILLS: usize = 6;

#[test]
fn nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let file = folder.path().join("elements.ndjson");
    std::fs::write(&file, elements()).unwrap();

    let mut acknowledged = 0;
    for kill in 0..KILLS {
        // somewhat further each time, so that all parts of the way are met
        let after_lines = random(3) + kill % 3;
        let later = Duration::from_micros(random(40_000) as u64);
        let now = import_until_killed(&data, &file, after_lines, later);
        println!("kill {kill}: {later:?} after {after_lines} lines, {now} acknowledged");
        acknowledged = acknowledged.max(now);
        let kept = exported_ids(&data);
        let missing: Vec<usize> = (0..acknowledged).filter(|number| !kept.contains(&id(*number))).collect();
        assert!(missing.is_empty(), "{} of {acknowledged} acknowledged are lost, such as {:?}", missing.len(), missing.first());
    }

    let completed = run(&data, &["import", file.to_str().unwrap(), "--json"]);
    assert!(completed.status.success(), "{}", String::from_utf8_lossy(&completed.stderr));
    assert_eq!(exported_ids(&data).len(), ELEMENTS);
    // the projections agree with the records
    let doctor: Value = serde_json::from_slice(&run(&data, &["doctor", "--json"]).stdout).unwrap();
    assert_eq!(doctor["catalogue"]["elements"], ELEMENTS);
    for projection in doctor["catalogue"]["projections"].as_array().unwrap() {
        assert_eq!(projection["behind"], 0, "{doctor}");
    }
    let everything: Value = serde_json::from_slice(&run(&data, &["search", "--json", "--limit", "1"]).stdout).unwrap();
    let of_kinds: u64 =
        everything["facets"]["kinds"].as_array().unwrap().iter().map(|kind| kind["count"].as_u64().unwrap()).sum();
    assert_eq!(of_kinds, ELEMENTS as u64);
    for number in [0, ELEMENTS / 2, ELEMENTS - 1] {
        let query = format!("marker{number}");
        let found: Value =
            serde_json::from_slice(&run(&data, &["search", &query, "--method", "keyword", "--json"]).stdout).unwrap();
        assert_eq!(found["items"][0]["id"], id(number), "{found}");
    }
    let unchanged: Value = last_json(&run(&data, &["import", file.to_str().unwrap(), "--json"]).stdout);
    assert_eq!(unchanged["reports"][0]["unchanged"], ELEMENTS);
}

/// Kills the import after it has acknowledged `after_lines` times and a little later; returns how many elements it had
/// acknowledged by then.
fn import_until_killed(data: &Path, file: &Path, after_lines: usize, later: Duration) -> usize {
    let mut import = cairn(data, &["import", file.to_str().unwrap(), "--json"]);
    let mut child = import.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = 0;
    let mut read = |line: String| {
        let progress: Value = serde_json::from_str(&line).unwrap();
        if let Some(count) = progress["acknowledged"].as_u64() {
            acknowledged = usize::try_from(count).unwrap();
        }
    };
    for _ in 0..after_lines {
        let Some(Ok(line)) = lines.next() else { break };
        read(line);
    }
    let moment = Instant::now() + later;
    while Instant::now() < moment {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    // what it had written before counts as well; the last line may be cut
    lines.map_while(Result::ok).filter(|line| line.ends_with('}')).for_each(read);
    child.wait().unwrap();
    acknowledged
}

fn exported_ids(data: &Path) -> BTreeSet<String> {
    let exported = run(data, &["export"]);
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    let lines = String::from_utf8(exported.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned()).collect()
}

fn last_json(stdout: &[u8]) -> Value {
    serde_json::from_str(String::from_utf8_lossy(stdout).lines().last().unwrap()).unwrap()
}

fn id(number: usize) -> String {
    format!("element-{number:05}")
}

fn elements() -> String {
    let kinds = ["dataset", "notebook", "publication", "map", "code", "oer"];
    let mut lines = String::new();
    for number in 0..ELEMENTS {
        let (west, south) = ((number % 340) as f64 - 170.0, (number % 160) as f64 - 80.0);
        writeln!(
            lines,
            r#"{{"id":"{}","kind":"{}","title":"Element marker{number}","description":"Generated for the import that is killed.","spatial":{{"bbox":[{west},{south},{},{}]}}}}"#,
            id(number),
            kinds[number % kinds.len()],
            west + 5.0,
            south + 5.0
        )
        .unwrap();
    }
    lines
}

/// 0 to below `limit`.
fn random(limit: usize) -> usize {
    // the lower bits of a version 7 are random
    usize::try_from(uuid::Uuid::now_v7().as_u128() % limit as u128).unwrap()
}

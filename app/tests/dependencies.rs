//! What the browser downloads holds nothing of the server.

use std::process::Command;

#[test]
fn the_browser_never_sees_the_servers_crates() {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--package",
            "frontend",
            "--target",
            "wasm32-unknown-unknown",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ])
        .args(["--offline", "--locked", "--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("names are UTF-8");
    let crates: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(crates.contains(&"app") && crates.contains(&"leptos"), "this is not the browser's tree");
    for forbidden in ["tokio", "axum", "sqlx", "tantivy", "ort", "tokenizers", "reqwest", "geo", "rayon", "moka"] {
        assert!(!crates.contains(&forbidden), "{forbidden} is in what the browser downloads");
    }
}

//! One struct a concern. Each field says its variable and its default.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use serde::{Deserialize, Serialize};

/// What is kept, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Data {
    /// The folder of records, index and graph. `CAIRN_DATA_DIR`, default `./data`.
    pub dir: PathBuf,
    /// Whether `serve` fills an empty catalogue with the demo elements. `CAIRN_DATA_DEMO`, default `true`.
    pub demo: bool,
}

impl Default for Data {
    fn default() -> Self {
        Self { dir: PathBuf::from("./data"), demo: true }
    }
}

/// How the program listens and what it lets in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// `CAIRN_SERVER_ADDR`, else cargo-leptos's `LEPTOS_SITE_ADDR`, default `127.0.0.1:3000`.
    pub addr: SocketAddr,
    /// The address people use when a proxy stands before the server, such as `https://cairn.example`: posts from pages of
    /// this origin are accepted. `CAIRN_SERVER_PUBLIC_URL`, default none: the origin is what the request's `Host` says.
    pub public_url: Option<String>,
    /// The proxy whose `X-Forwarded-For` is believed. `CAIRN_SERVER_PROXY`, default none.
    pub proxy: Option<IpAddr>,
    /// After this long a reply that has not begun is a 503. `CAIRN_SERVER_REQUEST_TIMEOUT_SECONDS`, default 30.
    pub request_timeout_seconds: u64,
    /// A larger request body is refused. `CAIRN_SERVER_BODY_LIMIT_BYTES`, default 1048576.
    pub body_limit_bytes: usize,
    /// How long open requests may still take when the program is told to stop. `CAIRN_SERVER_SHUTDOWN_SECONDS`, default 10.
    pub shutdown_seconds: u64,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            addr: SocketAddr::from((Ipv4Addr::LOCALHOST, 3000)),
            public_url: None,
            proxy: None,
            request_timeout_seconds: 30,
            body_limit_bytes: 1 << 20,
            shutdown_seconds: 10,
        }
    }
}

/// The files of the pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Site {
    /// What `cargo leptos build` made. `CAIRN_SITE_ROOT`, else `LEPTOS_SITE_ROOT`, default `target/site`.
    pub root: PathBuf,
}

impl Default for Site {
    fn default() -> Self {
        Self { root: PathBuf::from("target/site") }
    }
}

/// The embedding model of semantic search. Without it the other methods work and semantic is marked degraded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Model {
    /// The folder with `model.onnx` and `tokenizer.json`. `CAIRN_MODEL_DIR`, default where `scripts/model.sh` puts it:
    /// `cairn/model/all-minilm-l6-v2-int8` in `XDG_CACHE_HOME` or `~/.cache`.
    pub dir: Option<PathBuf>,
    /// The library of ONNX Runtime. `CAIRN_MODEL_RUNTIME`, else `ORT_DYLIB_PATH`, default `libonnxruntime.so` (macOS:
    /// `.dylib`) in the model's folder.
    pub runtime: Option<PathBuf>,
}

/// How questions are answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ask {
    /// An answer ends by then, with what there is. `CAIRN_ASK_DEADLINE_SECONDS`, default 60.
    pub deadline_seconds: u64,
    /// The language model grades candidates one by one: better order, many calls. `CAIRN_ASK_GRADING`, default `false`.
    pub grading: bool,
}

impl Default for Ask {
    fn default() -> Self {
        Self { deadline_seconds: 60, grading: false }
    }
}

/// The map of the pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Map {
    /// An address of raster tiles with `{z}`, `{x}` and `{y}`. `CAIRN_MAP_TILES`, default none: the vendored outlines alone.
    pub tiles: Option<String>,
}

/// What is logged, to the standard error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// Levels by module, as `RUST_LOG` writes them. `CAIRN_LOG_FILTER`, default `info`; other commands than `serve` show
    /// errors only unless it is set.
    pub filter: Option<String>,
    /// `text` or `json`. `CAIRN_LOG_FORMAT`, default `text`.
    pub format: LogFormat,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    #[default]
    Text,
    Json,
}

impl Default for Log {
    fn default() -> Self {
        Self { filter: None, format: LogFormat::Text }
    }
}

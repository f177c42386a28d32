//! The real program, started on a data folder and stopped when dropped.

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

/// A start that takes longer has failed.
const START: Duration = Duration::from_secs(120);

/// The program that is meant, or `cairn` beside this one.
pub fn program(given: Option<&Path>) -> Result<PathBuf> {
    let cairn = given.map_or_else(|| Ok(std::env::current_exe()?.with_file_name("cairn")), |path| anyhow::Ok(path.to_owned()))?;
    anyhow::ensure!(cairn.exists(), "{} is not there; build it with `cargo build --release -p server`", cairn.display());
    Ok(cairn)
}

pub struct Server {
    pub address: String,
    pub ready_after_ms: f64,
    child: Child,
}

impl Server {
    /// With settings as variables of the environment.
    pub async fn start(cairn: &Path, data: &Path, settings: &[(&str, &str)]) -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let address = format!("127.0.0.1:{port}");
        let started = Instant::now();
        let child = Command::new(cairn)
            .args(["serve", "--addr", &address, "--data"])
            .arg(data)
            .env("RUST_LOG", "warn")
            .envs(settings.iter().copied())
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("{} does not start", cairn.display()))?;
        let mut server = Self { address, ready_after_ms: 0.0, child };
        let ready = format!("http://{}/readyz", server.address);
        while started.elapsed() < START {
            if let Some(status) = server.child.try_wait()? {
                bail!("the server stopped at once: {status}");
            }
            if reqwest::get(&ready).await.is_ok_and(|response| response.status().is_success()) {
                server.ready_after_ms = started.elapsed().as_secs_f64() * 1_000.0;
                return Ok(server);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        bail!("the server was not ready after {} s", START.as_secs())
    }

    /// Resident memory.
    pub fn memory_mb(&self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))
            .context("resident memory is read from /proc, which only Linux has")?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no VmRSS")?;
        let kilobytes: f64 = line.split_whitespace().nth(1).context("no number in VmRSS")?.parse()?;
        Ok(kilobytes / 1_024.0)
    }

    /// Open files and connections.
    pub fn handles(&self) -> Result<usize> {
        let open = fs::read_dir(format!("/proc/{}/fd", self.child.id()));
        Ok(open.context("open files are read from /proc, which only Linux has")?.count())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

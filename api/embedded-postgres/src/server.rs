//! One `postgres` process: start, readiness, shutdown, stale pid files, log rotation.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::os_user::OsUser;

use crate::binaries::Binaries;
use crate::{Durability, PostgresError};

/// How long a failing start is retried: after a crash, child processes and shared memory of the old server linger.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Interval between checks of the pid file and of processes.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How long a fast shutdown (SIGINT, writes a checkpoint) may take before an immediate one (SIGQUIT) is sent.
const FAST_SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(60);

/// Size at which the log file is rotated at a start; one old file is kept.
const MAX_LOG_BYTES: u64 = 16 * 1024 * 1024;

/// Everything needed to start the server, again and again.
#[derive(Clone, Debug)]
pub(crate) struct ServerConfig {
    pub(crate) binaries: Binaries,
    pub(crate) os_user: OsUser,
    pub(crate) cluster: PathBuf,
    pub(crate) log_file: PathBuf,
    pub(crate) durability: Durability,
}

/// Which port to listen on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Port {
    /// This one if it is free, else any free one.
    Prefer(u16),
    /// This one: URLs with it have been handed out.
    Exactly(u16),
    /// Any free one.
    Any,
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    /// The port it listens on.
    pub(crate) port: u16,
}

impl Server {
    /// Starts the server and waits until it accepts connections. The process is signalled when the calling thread ends,
    /// so call this from a thread that lives as long as the server should.
    pub(crate) fn start(
        config: &ServerConfig,
        port: Port,
        stop: &AtomicBool,
    ) -> Result<Self, PostgresError> {
        let begun = Instant::now();
        loop {
            clear_stale_pid_file(&config.cluster)?;
            match Self::try_start(config, port, stop) {
                Err(PostgresError::NotStarting { output, .. })
                    if begun.elapsed() < START_TIMEOUT =>
                {
                    tracing::debug!(output, "PostgreSQL did not start; trying again");
                    thread::sleep(Duration::from_millis(200));
                }
                result => return result,
            }
        }
    }

    fn try_start(
        config: &ServerConfig,
        port: Port,
        stop: &AtomicBool,
    ) -> Result<Self, PostgresError> {
        let port = port
            .choose()
            .map_err(PostgresError::file(&config.cluster))?;
        let (log, log_start) =
            open_log(&config.log_file).map_err(PostgresError::file(&config.log_file))?;
        let child = config
            .command(port)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        let child = child.map_err(PostgresError::file(&config.binaries.path("postgres")))?;
        let mut server = Self { child, port };
        let begun = Instant::now();
        let mut last_report = Duration::ZERO;
        loop {
            if server.is_ready(&config.cluster) {
                return Ok(server);
            }
            if server.exit_status().is_some() {
                return Err(PostgresError::NotStarting {
                    log: config.log_file.display().to_string(),
                    output: log_tail(&config.log_file, log_start),
                });
            }
            if stop.load(Ordering::Relaxed) {
                server.stop();
                return Err(PostgresError::Stopped);
            }
            if begun.elapsed() > last_report + Duration::from_secs(10) {
                last_report = begun.elapsed();
                tracing::info!(
                    seconds = last_report.as_secs(),
                    "PostgreSQL is still starting (recovering after a crash)"
                );
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Exit status, if the process has exited.
    pub(crate) fn exit_status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Shuts the server down: connections are terminated and a checkpoint is written.
    pub(crate) fn stop(&mut self) {
        if self.exit_status().is_some() {
            return;
        }
        signal("INT", self.pid());
        if !self.exits_within(FAST_SHUTDOWN_TIMEOUT) {
            tracing::warn!("PostgreSQL is slow to stop; asking it to hurry");
            signal("QUIT", self.pid());
            let _ = self.child.wait();
        }
    }

    fn exits_within(&mut self, time: Duration) -> bool {
        let begun = Instant::now();
        while self.exit_status().is_none() {
            if begun.elapsed() > time {
                return false;
            }
            thread::sleep(POLL_INTERVAL);
        }
        true
    }

    /// Whether the pid file belongs to this process (line 1) and reports `ready` (line 8).
    fn is_ready(&self, cluster: &Path) -> bool {
        let text = fs::read_to_string(pid_file(cluster)).unwrap_or_default();
        let mut lines = text.lines().map(str::trim);
        lines.next().and_then(|line| line.parse().ok()) == Some(self.pid())
            && lines.nth(6) == Some("ready")
    }
}

impl ServerConfig {
    fn command(&self, port: u16) -> Command {
        let mut command = self.os_user.command(&self.binaries.path("postgres"), true);
        // its own process group: Ctrl-C in a terminal must reach only this process, which stops the server last
        command.process_group(0);
        command
            .arg("-D")
            .arg(&self.cluster)
            .args(["-c", &format!("port={port}")]);
        let fixed = [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "logging_collector=off",
            "timezone=UTC",
            "log_timezone=UTC",
        ];
        // Of tests, each core runs one, with some forty connections a shop.
        let loose = [
            "max_connections=1000",
            "fsync=off",
            "synchronous_commit=off",
            "full_page_writes=off",
        ];
        let strict = [
            "max_connections=200",
            "fsync=on",
            "synchronous_commit=on",
            "full_page_writes=on",
        ];
        let disk = match self.durability {
            Durability::Production => strict,
            Durability::Test => loose,
        };
        for option in fixed.into_iter().chain(disk) {
            command.args(["-c", option]);
        }
        command
    }
}

impl Port {
    fn choose(self) -> std::io::Result<u16> {
        match self {
            Self::Exactly(port) => Ok(port),
            Self::Prefer(port) if TcpListener::bind(("127.0.0.1", port)).is_ok() => Ok(port),
            Self::Prefer(_) | Self::Any => {
                Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
            }
        }
    }
}

fn pid_file(cluster: &Path) -> PathBuf {
    cluster.join("postmaster.pid")
}

/// Handles a pid file left behind by a crash. Call it only while holding the data folder's lock: then no supervisor owns
/// the process it names. An orphaned server of this cluster is shut down; a file with the pid of a dead process, or of
/// an unrelated one that reused the pid (usual in a restarted container), is removed.
fn clear_stale_pid_file(cluster: &Path) -> Result<(), PostgresError> {
    let file = pid_file(cluster);
    let Ok(text) = fs::read_to_string(&file) else {
        return Ok(());
    };
    let pid = text
        .lines()
        .next()
        .and_then(|line| line.trim().parse::<u32>().ok());
    match pid {
        Some(pid) if is_server_of(pid, cluster) => {
            tracing::info!(pid, "shutting down a PostgreSQL left behind by a crash");
            signal("INT", pid);
            let begun = Instant::now();
            while is_server_of(pid, cluster) && begun.elapsed() < FAST_SHUTDOWN_TIMEOUT {
                thread::sleep(POLL_INTERVAL);
            }
            Ok(())
        }
        // without /proc only Postgres itself can check the pid, and it does
        _ if !Path::new("/proc/self/cwd").exists() => Ok(()),
        _ => match fs::remove_file(&file) {
            Err(error) if file.exists() => Err(PostgresError::file(&file)(error)),
            _ => Ok(()),
        },
    }
}

/// Whether the process is a server of this cluster: Postgres runs with the cluster's folder as working directory.
fn is_server_of(pid: u32, cluster: &Path) -> bool {
    fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|folder| folder == cluster)
}

/// Sends a signal with the shell's `kill`, which is always there and needs no unsafe code.
fn signal(name: &str, pid: u32) {
    let sent = Command::new("sh")
        .args(["-c", "kill -s \"$0\" \"$1\"", name, &pid.to_string()])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if let Err(error) = sent {
        tracing::error!(%error, pid, "cannot signal PostgreSQL");
    }
}

/// Opens the log for appending; returns the offset at which this run begins.
fn open_log(file: &Path) -> std::io::Result<(File, u64)> {
    let length = |file: &Path| fs::metadata(file).map_or(0, |data| data.len());
    if length(file) > MAX_LOG_BYTES {
        fs::rename(file, file.with_extension("log.old"))?;
    }
    let open = OpenOptions::new().create(true).append(true).open(file)?;
    Ok((open, length(file)))
}

/// What was written to the log since an offset, at most the last 2000 bytes.
fn log_tail(file: &Path, since: u64) -> String {
    let mut text = Vec::new();
    let read = File::open(file).and_then(|mut open| {
        let end = open.metadata()?.len();
        open.seek(SeekFrom::Start(since.max(end.saturating_sub(2000))))?;
        open.read_to_end(&mut text)
    });
    match read {
        Ok(_) => String::from_utf8_lossy(&text).trim().to_owned(),
        Err(error) => error.to_string(),
    }
}

//! One Postgres process: started, known to be ready, stopped.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use event_store::os_user::OsUser;

use super::programs::Programs;
use super::{Durability, PostgresError};

/// After a crash the old server's children and shared memory linger for a moment; starting is tried for this long.
const TRIED_FOR: Duration = Duration::from_secs(10);

/// How often files and processes are looked at.
const GLANCE: Duration = Duration::from_millis(20);

/// How long an orderly shutdown may take (it writes a checkpoint) before a hasty one is asked for.
const ORDERLY_STOP: Duration = Duration::from_secs(60);

/// The log file is begun anew at a start when it is larger than this; the old one is kept once.
const LARGEST_LOG: u64 = 16 * 1024 * 1024;

/// How a server is to be run.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) programs: Programs,
    pub(super) identity: OsUser,
    pub(super) cluster: PathBuf,
    pub(super) log_file: PathBuf,
    pub(super) durability: Durability,
}

/// Which port to listen at.
#[derive(Clone, Copy, Debug)]
pub(super) enum Port {
    /// This one if it is free, else any.
    Preferred(u16),
    /// This one; others rely on it.
    Exactly(u16),
    /// Any.
    Any,
}

/// A running server.
#[derive(Debug)]
pub(super) struct Server {
    child: Child,
    /// Where it listens.
    pub(super) port: u16,
}

impl Server {
    /// Starts it and waits until it takes connections. The process ends with the calling thread, so call this from a
    /// thread that lives as long as the server shall.
    pub(super) fn start(plan: &Plan, port: Port, stop: &AtomicBool) -> Result<Self, PostgresError> {
        let begun = Instant::now();
        loop {
            clear_left_over(&plan.cluster)?;
            match Self::try_start(plan, port, stop) {
                Err(PostgresError::NotStarting { output, .. }) if begun.elapsed() < TRIED_FOR => {
                    tracing::debug!(output, "PostgreSQL did not start; trying again");
                    thread::sleep(Duration::from_millis(200));
                }
                result => return result,
            }
        }
    }

    fn try_start(plan: &Plan, port: Port, stop: &AtomicBool) -> Result<Self, PostgresError> {
        let port = port.choose().map_err(PostgresError::file(&plan.cluster))?;
        let (log, log_start) =
            open_log(&plan.log_file).map_err(PostgresError::file(&plan.log_file))?;
        let child = plan.command(port).stdout(Stdio::null()).stderr(log).spawn();
        let child = child.map_err(PostgresError::file(&plan.programs.path("postgres")))?;
        let mut server = Self { child, port };
        let begun = Instant::now();
        let mut told = Duration::ZERO;
        loop {
            if server.is_ready(&plan.cluster) {
                return Ok(server);
            }
            if server.ended().is_some() {
                return Err(PostgresError::NotStarting {
                    log: plan.log_file.display().to_string(),
                    output: last_words(&plan.log_file, log_start),
                });
            }
            if stop.load(Ordering::Relaxed) {
                server.stop();
                return Err(PostgresError::Stopped);
            }
            if begun.elapsed() > told + Duration::from_secs(10) {
                told = begun.elapsed();
                tracing::info!(
                    seconds = told.as_secs(),
                    "PostgreSQL is still starting (recovering after a crash)"
                );
            }
            thread::sleep(GLANCE);
        }
    }

    /// Its process.
    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, if it did.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Shuts it down: clients are cut off, everything is written.
    pub(super) fn stop(&mut self) {
        if self.ended().is_some() {
            return;
        }
        signal("INT", self.process());
        if !self.ends_within(ORDERLY_STOP) {
            tracing::warn!("PostgreSQL is slow to stop; asking it to hurry");
            signal("QUIT", self.process());
            let _ = self.child.wait();
        }
    }

    fn ends_within(&mut self, time: Duration) -> bool {
        let begun = Instant::now();
        while self.ended().is_none() {
            if begun.elapsed() > time {
                return false;
            }
            thread::sleep(GLANCE);
        }
        true
    }

    /// The eighth line of its pid file says `ready`, and the first that the file is this process's.
    fn is_ready(&self, cluster: &Path) -> bool {
        let text = fs::read_to_string(pid_file(cluster)).unwrap_or_default();
        let mut lines = text.lines().map(str::trim);
        lines.next().and_then(|line| line.parse().ok()) == Some(self.process())
            && lines.nth(6) == Some("ready")
    }
}

impl Plan {
    fn command(&self, port: u16) -> Command {
        let mut command = self.identity.command(&self.programs.path("postgres"), true);
        // a Ctrl-C in the terminal is for us; the server goes down after the work that needs it
        command.process_group(0);
        command
            .arg("-D")
            .arg(&self.cluster)
            .args(["-c", &format!("port={port}")]);
        let fixed = [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=200",
            "logging_collector=off",
            "timezone=UTC",
            "log_timezone=UTC",
        ];
        let loose = [
            "fsync=off",
            "synchronous_commit=off",
            "full_page_writes=off",
        ];
        let strict = ["fsync=on", "synchronous_commit=on", "full_page_writes=on"];
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
            Self::Preferred(port) if TcpListener::bind(("127.0.0.1", port)).is_ok() => Ok(port),
            Self::Preferred(_) | Self::Any => {
                Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
            }
        }
    }
}

fn pid_file(cluster: &Path) -> PathBuf {
    cluster.join("postmaster.pid")
}

/// Deals with the pid file a crash left behind. Only for the holder of the data folder's lock, so whoever the file
/// names is not supervised by anyone: an orphan of this cluster is shut down, and the pid of a dead process, or of a
/// stranger who got the same number (usual in a restarted container), is struck off.
fn clear_left_over(cluster: &Path) -> Result<(), PostgresError> {
    let file = pid_file(cluster);
    let Ok(text) = fs::read_to_string(&file) else {
        return Ok(());
    };
    let pid = text
        .lines()
        .next()
        .and_then(|line| line.trim().parse::<u32>().ok());
    match pid {
        Some(pid) if works_in(pid, cluster) => {
            tracing::info!(pid, "shutting down a PostgreSQL left behind by a crash");
            signal("INT", pid);
            let begun = Instant::now();
            while works_in(pid, cluster) && begun.elapsed() < ORDERLY_STOP {
                thread::sleep(GLANCE);
            }
            Ok(())
        }
        // without /proc only Postgres itself can tell, and does
        _ if !Path::new("/proc/self/cwd").exists() => Ok(()),
        _ => match fs::remove_file(&file) {
            Err(error) if file.exists() => Err(PostgresError::file(&file)(error)),
            _ => Ok(()),
        },
    }
}

/// Whether a living process works in the cluster's folder, as a Postgres server does.
fn works_in(pid: u32, cluster: &Path) -> bool {
    fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|folder| folder == cluster)
}

/// Sends a signal. By the shell, because its `kill` is everywhere and needs no unsafe code.
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

/// The log, and where this run's part of it begins.
fn open_log(file: &Path) -> std::io::Result<(File, u64)> {
    let length = |file: &Path| fs::metadata(file).map_or(0, |data| data.len());
    if length(file) > LARGEST_LOG {
        fs::rename(file, file.with_extension("log.old"))?;
    }
    let open = OpenOptions::new().create(true).append(true).open(file)?;
    Ok((open, length(file)))
}

/// What was written to the log since, at most 2000 bytes of it.
fn last_words(file: &Path, since: u64) -> String {
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

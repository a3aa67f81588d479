//! The server of a data folder: supervised by one process, used by every process on that folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::os_user::OsUser;

use crate::binaries::Binaries;
use crate::data_dir::{DataDir, port_of};
use crate::server::{Port, Server, ServerConfig};
use crate::{LaunchOptions, PostgresError};

/// How often the supervisor checks the server, or the lock of the process that owns it.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How long a guest waits for the owner to bring the server up: initdb or crash recovery may be running.
const GUEST_TIMEOUT: Duration = Duration::from_secs(120);

/// The running embedded Postgres. Dropping it stops the server if this process owns it.
///
/// A dedicated thread spawns and supervises the server: the server is signalled when its spawning thread ends
/// (`pdeathsig`), so it never outlives this process, not even after a `kill -9`.
#[derive(Debug)]
pub struct Cluster {
    url: String,
    shared: Arc<Shared>,
    supervisor: Option<JoinHandle<()>>,
}

/// State shared by the supervisor thread and the [`Cluster`].
#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    /// Process id of the server if this process owns it, else 0.
    process: AtomicU32,
}

impl Cluster {
    /// Starts the server of a data folder, or connects to the one another process owns. The server accepts connections
    /// when this returns.
    ///
    /// # Errors
    /// No binaries are found, or the server does not start within 10 seconds (crash recovery is not counted).
    pub fn start(options: LaunchOptions) -> Result<Self, PostgresError> {
        let shared = Arc::new(Shared::default());
        let (report, first) = mpsc::sync_channel(1);
        let of_supervisor = Arc::clone(&shared);
        let supervisor = thread::Builder::new()
            .name("postgres-keeper".to_owned())
            .spawn(move || supervise(&options, &of_supervisor, &report))
            .map_err(PostgresError::file("a thread".as_ref()))?;
        let url = first.recv().unwrap_or(Err(PostgresError::Stopped))?;
        Ok(Self {
            url,
            shared,
            supervisor: Some(supervisor),
        })
    }

    /// Connection URL, including the password. It survives restarts of the server.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Process id of the server, if this process owns it. Crash tests kill it.
    pub fn process(&self) -> Option<u32> {
        Some(self.shared.process.load(Ordering::Relaxed)).filter(|pid| *pid != 0)
    }

    /// Stops the server if this process owns it, with a checkpoint; no process is left behind.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(supervisor) = self.supervisor.take() {
            supervisor.thread().unpark();
            if supervisor.join().is_err() {
                tracing::error!("the supervisor of PostgreSQL failed");
            }
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.end();
    }
}

/// The role of this process on the data folder.
enum Role {
    /// Runs the server and holds the lock file.
    Owner(Box<OwnedServer>),
    /// Uses the server another process owns, at this port.
    Guest(u16),
}

struct OwnedServer {
    config: ServerConfig,
    server: Server,
    data_dir: DataDir,
    _lock: File,
}

/// Body of the supervisor thread: starts the server, reports its URL, restarts it on failure until stopped.
fn supervise(
    options: &LaunchOptions,
    shared: &Shared,
    report: &mpsc::SyncSender<Result<String, PostgresError>>,
) {
    let begun = DataDir::open(&options.data_folder).and_then(|data_dir| {
        let (role, url) = acquire(options, &data_dir, shared)?;
        Ok((data_dir, role, url))
    });
    let (data_dir, mut role) = match begun {
        Ok((data_dir, role, url)) => {
            let _ = report.send(Ok(url));
            (data_dir, role)
        }
        Err(error) => {
            let _ = report.send(Err(error));
            return;
        }
    };
    while !shared.stop.load(Ordering::Relaxed) {
        shared.process.store(role.process(), Ordering::Relaxed);
        role = match role {
            Role::Owner(owned) => Role::Owner(owned.restart_if_dead(shared)),
            Role::Guest(port) => take_over(options, &data_dir, port, shared),
        };
        thread::park_timeout(POLL_INTERVAL);
    }
    if let Role::Owner(mut owned) = role {
        owned.server.stop();
        owned.data_dir.withdraw();
    }
}

impl Role {
    fn process(&self) -> u32 {
        match self {
            Self::Owner(owned) => owned.server.pid(),
            Self::Guest(_) => 0,
        }
    }
}

/// Becomes owner if the lock is free, else waits for the owner to announce its URL.
fn acquire(
    options: &LaunchOptions,
    data_dir: &DataDir,
    shared: &Shared,
) -> Result<(Role, String), PostgresError> {
    let begun = Instant::now();
    loop {
        if let Some(lock) = try_lock(data_dir)? {
            let port = data_dir.last_port().map_or(Port::Any, Port::Prefer);
            let owned = OwnedServer::start(options, data_dir, lock, port, shared)?;
            let url = data_dir.announce(owned.server.port)?;
            return Ok((Role::Owner(Box::new(owned)), url));
        }
        // the URL file exists while a server is ready, or is stale after a crash
        if let Some(url) = data_dir.url()
            && let Some(port) = port_of(&url)
            && accepts_connections(port)
        {
            tracing::info!("using the PostgreSQL another process runs");
            return Ok((Role::Guest(port), url));
        }
        if begun.elapsed() > GUEST_TIMEOUT {
            return Err(PostgresError::OtherNotReady {
                data_folder: data_dir.root().display().to_string(),
            });
        }
        if shared.stop.load(Ordering::Relaxed) {
            return Err(PostgresError::Stopped);
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Becomes owner once the previous owner has released the lock. The port is kept, so open URLs stay valid.
fn take_over(options: &LaunchOptions, data_dir: &DataDir, port: u16, shared: &Shared) -> Role {
    let taken = try_lock(data_dir).and_then(|lock| {
        let Some(lock) = lock else { return Ok(None) };
        tracing::info!("the process that ran PostgreSQL has gone; running it here");
        let owned = OwnedServer::start(options, data_dir, lock, Port::Exactly(port), shared)?;
        data_dir.announce(port)?;
        Ok(Some(owned))
    });
    match taken {
        Ok(Some(owned)) => Role::Owner(Box::new(owned)),
        Ok(None) | Err(PostgresError::Stopped) => Role::Guest(port),
        Err(error) => {
            tracing::error!(%error, "cannot take over PostgreSQL; trying again");
            Role::Guest(port)
        }
    }
}

impl OwnedServer {
    fn start(
        options: &LaunchOptions,
        data_dir: &DataDir,
        lock: File,
        port: Port,
        shared: &Shared,
    ) -> Result<Self, PostgresError> {
        data_dir.withdraw();
        let binaries = Binaries::find(options.bin_dir.as_deref(), data_dir.root())?;
        let os_user = OsUser::of_process();
        let config = ServerConfig {
            cluster: data_dir.prepare(&binaries, os_user, options.durability)?,
            binaries,
            os_user,
            log_file: data_dir.log_file(),
            durability: options.durability,
        };
        let server = Server::start(&config, port, &shared.stop)?;
        tracing::info!(
            version = config.binaries.major,
            port = server.port,
            "PostgreSQL is ready"
        );
        Ok(Self {
            config,
            server,
            data_dir: data_dir.clone(),
            _lock: lock,
        })
    }

    /// Restarts the server on the same port if it has exited.
    fn restart_if_dead(mut self: Box<Self>, shared: &Shared) -> Box<Self> {
        if let Some(status) = self.server.exit_status() {
            tracing::error!(%status, "PostgreSQL died; starting it again");
            match Server::start(&self.config, Port::Exactly(self.server.port), &shared.stop) {
                Ok(server) => {
                    tracing::info!(port = server.port, "PostgreSQL is back");
                    self.server = server;
                }
                Err(PostgresError::Stopped) => {}
                Err(error) => tracing::error!(%error, "PostgreSQL is still down; trying again"),
            }
        }
        self
    }
}

/// Takes the lock on the data folder, unless another process holds it. The OS releases it however its holder ends.
fn try_lock(data_dir: &DataDir) -> Result<Option<File>, PostgresError> {
    let path = data_dir.lock_file();
    let open = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path);
    let file = open.map_err(PostgresError::file(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(PostgresError::file(&path)(error)),
    }
}

fn accepts_connections(port: u16) -> bool {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok()
}

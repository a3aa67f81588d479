//! The embedded Postgres of a data folder, run by one process and shared by all on it.

use std::fs::{File, OpenOptions, TryLockError};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use event_store::os_user::OsUser;

use super::folder::{Folder, port_of};
use super::programs::Programs;
use super::server::{Plan, Port, Server};
use super::{Launch, PostgresError};

/// How often the keeper looks after the server, or whether the process that runs it has gone.
const ROUND: Duration = Duration::from_millis(100);

/// How long to wait for another process to bring the server up; it may be making the cluster or recovering.
const OTHER_READY_WITHIN: Duration = Duration::from_secs(120);

/// The embedded Postgres, running. Dropping it stops the server if this process runs it.
///
/// A thread of its own spawns and keeps the server, because the server is told to shut down when the thread that
/// spawned it ends (that is how it survives nobody, not even a `kill -9` of this process).
#[derive(Debug)]
pub struct Cluster {
    url: String,
    shared: Arc<Shared>,
    keeper: Option<JoinHandle<()>>,
}

/// What the keeper and the rest of the process tell each other.
#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    /// The server's process if this process runs it, else 0.
    process: AtomicU32,
}

impl Cluster {
    /// Starts the server of a data folder, or joins the one another process runs; it is ready when this returns.
    ///
    /// # Errors
    /// When there are no programs, or the server does not come up within 10 seconds of trying (recovery after a crash is
    /// waited for).
    pub fn start(launch: Launch) -> Result<Self, PostgresError> {
        let shared = Arc::new(Shared::default());
        let (report, first) = mpsc::sync_channel(1);
        let told = Arc::clone(&shared);
        let keeper = thread::Builder::new()
            .name("postgres-keeper".to_owned())
            .spawn(move || keep(&launch, &told, &report))
            .map_err(PostgresError::file("a thread".as_ref()))?;
        let url = first.recv().unwrap_or(Err(PostgresError::Stopped))?;
        Ok(Self {
            url,
            shared,
            keeper: Some(keeper),
        })
    }

    /// Its address, with the password in it. A restart keeps it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The server's process, if this process runs it. Crash tests kill it.
    pub fn process(&self) -> Option<u32> {
        Some(self.shared.process.load(Ordering::Relaxed)).filter(|pid| *pid != 0)
    }

    /// Stops the server if this process runs it: everything is written and no process is left.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(keeper) = self.keeper.take() {
            keeper.thread().unpark();
            if keeper.join().is_err() {
                tracing::error!("the keeper of PostgreSQL failed");
            }
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.end();
    }
}

/// This process's part in running the server.
enum Part {
    /// It runs the server, and holds the lock that says so.
    Runs(Box<Running>),
    /// Another process runs it at this port.
    Joins(u16),
}

struct Running {
    plan: Plan,
    server: Server,
    folder: Folder,
    _lock: File,
}

/// The keeper's life: bring the server up, report, look after it until told to stop.
fn keep(
    launch: &Launch,
    shared: &Shared,
    report: &mpsc::SyncSender<Result<String, PostgresError>>,
) {
    let begun = Folder::open(&launch.data_folder).and_then(|folder| {
        let (part, url) = begin(launch, &folder, shared)?;
        Ok((folder, part, url))
    });
    let (folder, mut part) = match begun {
        Ok((folder, part, url)) => {
            let _ = report.send(Ok(url));
            (folder, part)
        }
        Err(error) => {
            let _ = report.send(Err(error));
            return;
        }
    };
    while !shared.stop.load(Ordering::Relaxed) {
        shared.process.store(part.process(), Ordering::Relaxed);
        part = match part {
            Part::Runs(running) => Part::Runs(running.look_after(shared)),
            Part::Joins(port) => take_over(launch, &folder, port, shared),
        };
        thread::park_timeout(ROUND);
    }
    if let Part::Runs(mut running) = part {
        running.server.stop();
        running.folder.withdraw();
    }
}

impl Part {
    fn process(&self) -> u32 {
        match self {
            Self::Runs(running) => running.server.process(),
            Self::Joins(_) => 0,
        }
    }
}

/// Runs the server, or joins the process that does.
fn begin(
    launch: &Launch,
    folder: &Folder,
    shared: &Shared,
) -> Result<(Part, String), PostgresError> {
    let begun = Instant::now();
    loop {
        if let Some(lock) = try_lock(folder)? {
            let port = folder.last_port().map_or(Port::Any, Port::Preferred);
            let running = Running::start(launch, folder, lock, port, shared)?;
            let url = folder.announce(running.server.port)?;
            return Ok((Part::Runs(Box::new(running)), url));
        }
        // the file is there only while a server is ready, or after a crash
        if let Some(url) = folder.url()
            && let Some(port) = port_of(&url)
            && answers(port)
        {
            tracing::info!("using the PostgreSQL another process runs");
            return Ok((Part::Joins(port), url));
        }
        if begun.elapsed() > OTHER_READY_WITHIN {
            return Err(PostgresError::OtherNotReady {
                data_folder: folder.root().display().to_string(),
            });
        }
        if shared.stop.load(Ordering::Relaxed) {
            return Err(PostgresError::Stopped);
        }
        thread::sleep(ROUND);
    }
}

/// Becomes the process that runs the server once nobody else does; the address stays.
fn take_over(launch: &Launch, folder: &Folder, port: u16, shared: &Shared) -> Part {
    let taken = try_lock(folder).and_then(|lock| {
        let Some(lock) = lock else { return Ok(None) };
        tracing::info!("the process that ran PostgreSQL has gone; running it here");
        let running = Running::start(launch, folder, lock, Port::Exactly(port), shared)?;
        folder.announce(port)?;
        Ok(Some(running))
    });
    match taken {
        Ok(Some(running)) => Part::Runs(Box::new(running)),
        Ok(None) | Err(PostgresError::Stopped) => Part::Joins(port),
        Err(error) => {
            tracing::error!(%error, "cannot take over PostgreSQL; trying again");
            Part::Joins(port)
        }
    }
}

impl Running {
    fn start(
        launch: &Launch,
        folder: &Folder,
        lock: File,
        port: Port,
        shared: &Shared,
    ) -> Result<Self, PostgresError> {
        folder.withdraw();
        let programs = Programs::find(launch.bin_dir.as_deref(), folder.root())?;
        let identity = OsUser::of_process();
        let plan = Plan {
            cluster: folder.prepare(&programs, identity, launch.durability)?,
            programs,
            identity,
            log_file: folder.log_file(),
            durability: launch.durability,
        };
        let server = Server::start(&plan, port, &shared.stop)?;
        tracing::info!(
            version = plan.programs.major,
            port = server.port,
            "PostgreSQL is ready"
        );
        Ok(Self {
            plan,
            server,
            folder: folder.clone(),
            _lock: lock,
        })
    }

    /// Starts the server again, at the same port, if it has died.
    fn look_after(mut self: Box<Self>, shared: &Shared) -> Box<Self> {
        if let Some(status) = self.server.ended() {
            tracing::error!(%status, "PostgreSQL died; starting it again");
            match Server::start(&self.plan, Port::Exactly(self.server.port), &shared.stop) {
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

/// The lock on the data folder, unless another process holds it. The system lets go of it when its holder ends, however.
fn try_lock(folder: &Folder) -> Result<Option<File>, PostgresError> {
    let path = folder.lock_file();
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

fn answers(port: u16) -> bool {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok()
}

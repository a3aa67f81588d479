//! A throw-away Postgres for tests (feature `testing`): one cluster per test binary, one database per test.
//!
//! ```no_run
//! # async fn test() {
//! let database = event_store::testing::Database::create().await;
//! let store = database.store().await; // migrated
//! # }
//! ```
//!
//! With `JANGBU_TEST_DATABASE_URL` (a URL whose user may create databases) that server is used. Otherwise one is
//! started: its programs are looked for in `PG_BIN_DIR`, on `PATH` and where Debian puts them. It runs without
//! `fsync`, on a free port of 127.0.0.1, in a folder of its own, and stops when the test process ends, however it ends.
//! No Postgres is a failure, not a skipped test.

use std::fs;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use rand::RngExt;
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, Executor, PgConnection};

use crate::store::{Store, StoreOptions};
use embedded_postgres::os_user::OsUser;

mod rounds;
mod servers;

pub use rounds::{at, measured};
pub use servers::Server;

/// Admin URL of an existing server.
pub const URL_VARIABLE: &str = "JANGBU_TEST_DATABASE_URL";
/// Folder of `initdb` and `postgres`.
pub const BIN_VARIABLE: &str = "PG_BIN_DIR";

/// Timeout of a start, and of any other wait, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Fast, without durability: the data is deleted with the process.
const SETTINGS: [&str; 10] = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=1000",
    "shared_buffers=64MB",
    "autovacuum_naptime=10s",
    "log_min_messages=fatal",
    "max_wal_size=256MB",
];

static SERVER: OnceLock<Result<String, String>> = OnceLock::new();
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Waits until `looks` returns true.
///
/// # Panics
/// After a minute.
pub async fn until(what: &str, mut looks: impl AsyncFnMut() -> bool) {
    let since = Instant::now();
    while !looks().await {
        assert!(since.elapsed() < PATIENCE, "never: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// An empty database for one test.
#[derive(Clone, Debug)]
pub struct Database {
    url: String,
    name: String,
}

impl Database {
    /// Creates a database, starting the server if this is the first.
    ///
    /// # Panics
    /// Without a Postgres.
    #[expect(
        clippy::panic,
        reason = "a test without its database has to fail, and to say why"
    )]
    pub async fn create() -> Self {
        match Self::made_of("template0").await {
            Ok(database) => database,
            Err(why) => panic!("no Postgres for this test: {why}"),
        }
    }

    /// Copies this database, which must have no connections.
    ///
    /// # Panics
    /// If it cannot be created.
    #[expect(
        clippy::panic,
        reason = "a test without its database has to fail, and to say why"
    )]
    pub async fn copy(&self) -> Self {
        match Self::made_of(&self.name).await {
            Ok(database) => database,
            Err(why) => panic!("no copy of {}: {why}", self.name),
        }
    }

    async fn made_of(template: &str) -> Result<Self, String> {
        let server = tokio::task::spawn_blocking(|| SERVER.get_or_init(server).clone())
            .await
            .map_err(|error| error.to_string())??;
        let admin: PgConnectOptions = server
            .parse()
            .map_err(|error| format!("{URL_VARIABLE}: {error}"))?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("t_{}_{number}", std::process::id());
        let make = async {
            let mut connection = PgConnection::connect_with(&admin).await?;
            let sql = format!("DROP DATABASE IF EXISTS {name}; ");
            connection.execute(sql.as_str()).await?;
            let sql = format!("CREATE DATABASE {name} TEMPLATE {template} ENCODING 'UTF8'");
            connection.execute(sql.as_str()).await?;
            connection.close().await
        };
        make.await
            .map_err(|error: sqlx::Error| format!("CREATE DATABASE: {error}"))?;
        Ok(Self {
            url: with_database(&server, &name),
            name,
        })
    }

    /// URL of the database.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A store on it, migrated.
    ///
    /// # Panics
    /// If connecting or migrating fails.
    #[expect(
        clippy::panic,
        reason = "a test without its database has to fail, and to say why"
    )]
    pub async fn store(&self) -> Store {
        let options = StoreOptions {
            max_connections: 40,
            acquire_timeout: Duration::from_secs(30),
            ..StoreOptions::default()
        };
        let store = match Store::connect(&self.url, options).await {
            Ok(store) => store,
            Err(why) => panic!("{}: {why}", self.url),
        };
        match store.migrate().await {
            Ok(()) => store,
            Err(why) => panic!("{}: {why}", self.url),
        }
    }

    /// A pool of this many connections.
    ///
    /// # Panics
    /// If connecting fails.
    #[expect(
        clippy::panic,
        reason = "a test without its database has to fail, and to say why"
    )]
    pub async fn pool(&self, connections: u32) -> sqlx::PgPool {
        let pool = crate::store::pool_options().max_connections(connections);
        match pool.connect(&self.url).await {
            Ok(pool) => pool,
            Err(why) => panic!("{}: {why}", self.url),
        }
    }
}

/// `url` with another database name.
fn with_database(url: &str, name: &str) -> String {
    let (address, options) = match url.split_once('?') {
        Some((address, options)) => (address, format!("?{options}")),
        None => (url, String::new()),
    };
    let host = address.find("://").map_or(0, |scheme| scheme + 3);
    let end = address
        .get(host..)
        .and_then(|rest| rest.find('/'))
        .map_or(address.len(), |slash| host + slash);
    let server = address.get(..end).unwrap_or(address);
    format!("{server}/{name}{options}")
}

/// The admin URL of the server: the configured one, or one started now.
fn server() -> Result<String, String> {
    if let Ok(url) = std::env::var(URL_VARIABLE) {
        return Ok(url);
    }
    let programs = programs()?;
    let port = free_port();
    let folder =
        std::env::temp_dir().join(format!("event-store-test-{}-{port}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let identity = OsUser::of_process();
    let started = start(identity, &programs, &folder, port);
    if started.is_err() {
        let _ = fs::remove_dir_all(&folder);
    }
    started.map(|()| format!("postgres://shop@127.0.0.1:{port}/postgres"))
}

fn programs() -> Result<PathBuf, String> {
    let mut places: Vec<PathBuf> = Vec::new();
    places.extend(std::env::var_os(BIN_VARIABLE).map(PathBuf::from));
    places.extend(
        std::env::var_os("PATH")
            .iter()
            .flat_map(std::env::split_paths),
    );
    places.extend(debian());
    places
        .into_iter()
        .find(|place| place.join("initdb").is_file() && place.join("postgres").is_file())
        .ok_or_else(|| {
            format!(
                "initdb and postgres are neither in {BIN_VARIABLE} nor on PATH nor in /usr/lib/postgresql; \
                 install Postgres 15 or newer, or set {URL_VARIABLE}"
            )
        })
}

/// `/usr/lib/postgresql/<major>/bin`, the highest first.
fn debian() -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir("/usr/lib/postgresql") else {
        return Vec::new();
    };
    let mut majors: Vec<u32> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    majors.sort_unstable();
    majors
        .iter()
        .rev()
        .map(|major| PathBuf::from(format!("/usr/lib/postgresql/{major}/bin")))
        .collect()
}

/// A fresh cluster in `folder/data`.
fn initdb(identity: OsUser, programs: &Path, folder: &Path) -> Result<(), String> {
    let data = folder.join("data");
    identity
        .take(folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let made = identity
        .command(&programs.join("initdb"), false)
        .args([
            "-U",
            "shop",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
            "-D",
        ])
        .arg(&data)
        .output()
        .map_err(|error| format!("initdb: {error}"))?;
    if !made.status.success() {
        return Err(format!("initdb: {}", String::from_utf8_lossy(&made.stderr)));
    }
    Ok(())
}

fn start(identity: OsUser, programs: &Path, folder: &Path, port: u16) -> Result<(), String> {
    initdb(identity, programs, folder)?;
    let (answer, answered) = mpsc::channel();
    let postgres = programs.join("postgres");
    let folder = folder.to_owned();
    // The server is tied to the thread that spawns it, so this thread lives as long as the process.
    thread::Builder::new()
        .name("postgres".to_owned())
        .spawn(move || match serve(identity, &postgres, &folder, port) {
            Ok(mut child) => {
                let ready = ready(&mut child, &folder.join("data"));
                let _ = answer.send(ready.map_err(|why| with_log(&why, &folder)));
                let _ = child.wait();
            }
            Err(error) => {
                let _ = answer.send(Err(format!("postgres: {error}")));
            }
        })
        .map_err(|error| format!("a thread: {error}"))?;
    answered.recv().map_err(|error| error.to_string())?
}

/// A shell that stops the server when this process ends, and then removes the folder.
fn serve(identity: OsUser, postgres: &Path, folder: &Path, port: u16) -> io::Result<Child> {
    const KEEPER: &str = "folder=$1; shift; trap 'kill -INT $server' INT TERM; \
                          \"$@\" >\"$folder/log\" 2>&1 & server=$!; wait $server; wait $server; rm -rf \"$folder\"";
    let mut keeper = identity.command(Path::new("sh"), true);
    keeper
        .args(["-c", KEEPER, "sh"])
        .arg(folder)
        .arg(postgres)
        .arg("-D")
        .arg(folder.join("data"));
    keeper.args(["-p", &port.to_string()]);
    for setting in SETTINGS {
        keeper.args(["-c", setting]);
    }
    keeper.stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// The eighth line of `postmaster.pid` contains the state.
fn ready(keeper: &mut Child, data: &Path) -> Result<(), String> {
    let since = Instant::now();
    while since.elapsed() < PATIENCE {
        let status = fs::read_to_string(data.join("postmaster.pid")).unwrap_or_default();
        if status
            .lines()
            .nth(7)
            .is_some_and(|line| line.trim() == "ready")
        {
            return Ok(());
        }
        if let Ok(Some(status)) = keeper.try_wait() {
            return Err(format!("postgres ended at once: {status}"));
        }
        thread::sleep(Duration::from_millis(20));
    }
    Err("postgres did not start in time".to_owned())
}

fn with_log(why: &str, folder: &Path) -> String {
    let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
    format!("{why}\n{log}")
}

/// A free port of this machine, for a process that listens some seconds later: below the ports that the system gives to outgoing
/// connections (from 32768 on Linux), since one of those may be taken by then.
pub fn free_port() -> u16 {
    loop {
        let port = rand::rng().random_range(20_000..32_000);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::with_database;

    #[test]
    fn an_admin_url_gets_another_database() {
        let url = with_database(
            "postgres://shop:secret@127.0.0.1:5432/postgres?sslmode=disable",
            "t_1",
        );
        assert_eq!(
            url,
            "postgres://shop:secret@127.0.0.1:5432/t_1?sslmode=disable"
        );
        assert_eq!(
            with_database("postgres://shop@host", "t_1"),
            "postgres://shop@host/t_1"
        );
    }
}

//! Additional servers, for tests that need more than one cluster: a backup restored elsewhere, a standby, a failing primary. Unlike
//! [`super::Database`] they are durable.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use sqlx::{Connection, Executor, PgConnection};

use super::{PATIENCE, free_port, initdb, programs, until};
use embedded_postgres::os_user::OsUser;

/// Settings of a primary that can have standbys.
const SETTINGS: [&str; 9] = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "wal_level=replica",
    "wal_keep_size=256MB",
    "hot_standby=on",
    "max_connections=120",
    "shared_buffers=64MB",
    "log_min_messages=fatal",
    "wal_retrieve_retry_interval=200ms",
];

/// The name of a pair's standby.
const SECOND: &str = "second";

/// A running server; it is stopped and its folder removed when this value is dropped.
#[derive(Debug)]
pub struct Server {
    folder: PathBuf,
    port: u16,
    process: u32,
    keeper: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a fresh cluster, with these settings (`name=value`) in addition to the defaults.
    ///
    /// # Errors
    /// The reason why it did not start.
    pub fn start(settings: &[&str]) -> Result<Self, String> {
        let (folder, port) = place()?;
        let identity = OsUser::of_process();
        initdb(identity, &programs()?, &folder)?;
        Self::run(identity, folder, port, settings)
    }

    /// Starts a hot standby of this server, under a name the primary can wait for.
    ///
    /// # Errors
    /// The reason why it did not start.
    pub fn standby(&self, name: &str, settings: &[&str]) -> Result<Self, String> {
        let (folder, port) = place()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| format!("a runtime: {error}"))?;
        let data = folder.join("data");
        runtime.block_on(self.copy_data(&data))?;
        let follow = format!(
            "primary_conninfo = 'host=127.0.0.1 port={} user=shop application_name={name}'\n",
            self.port
        );
        // Not on the command line, so that a test can change the primary.
        let settled = data.join("postgresql.auto.conf");
        let mut text =
            fs::read_to_string(&settled).map_err(|error| format!("its settings: {error}"))?;
        text.push_str(&follow);
        fs::write(&settled, text).map_err(|error| format!("its settings: {error}"))?;
        let identity = OsUser::of_process();
        identity
            .take(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        Self::run(identity, folder, port, settings)
    }

    /// Starts a fresh cluster with a database of this name, and a hot standby of it.
    ///
    /// # Errors
    /// The reason why one of them did not start.
    pub async fn pair(database: &str) -> Result<(Self, Self), String> {
        let started = tokio::task::spawn_blocking(|| {
            let primary = Self::start(&[])?;
            let standby = primary.standby(SECOND, &[])?;
            Ok::<_, String>((primary, standby))
        });
        let (primary, standby) = started.await.map_err(|error| error.to_string())??;
        let made = format!("CREATE DATABASE {database}");
        primary.execute(&[&made]).await?;
        Ok((primary, standby))
    }

    /// From now on the primary of a pair acknowledges a commit only once its standby has it.
    ///
    /// # Errors
    /// Errors of the server.
    ///
    /// # Panics
    /// After a timeout.
    pub async fn wait_for_standby(&self) -> Result<(), String> {
        let named = format!("ALTER SYSTEM SET synchronous_standby_names = '{SECOND}'");
        self.execute(&[&named, "SELECT pg_reload_conf()"]).await?;
        let waits = "SELECT coalesce(bool_or(sync_state = 'sync'), false) FROM pg_stat_replication";
        until("the standby is waited for", async || {
            self.says(waits).await == Ok(true)
        })
        .await;
        Ok(())
    }

    /// Promotes the standby of a pair, without standbys to wait for.
    ///
    /// # Errors
    /// Errors of the server.
    ///
    /// # Panics
    /// After a timeout.
    pub async fn take_over(&self) -> Result<(), String> {
        self.execute(&[
            "ALTER SYSTEM RESET synchronous_standby_names",
            "SELECT pg_reload_conf()",
            "SELECT pg_promote()",
        ])
        .await?;
        until("the standby takes over", async || {
            self.says("SELECT NOT pg_is_in_recovery()").await == Ok(true)
        })
        .await;
        Ok(())
    }

    /// Runs statements in sequence, as superuser.
    ///
    /// # Errors
    /// Errors of the server.
    pub async fn execute(&self, statements: &[&str]) -> Result<(), String> {
        let run = async {
            let mut admin = PgConnection::connect(&self.url("postgres")).await?;
            for statement in statements {
                admin.execute(*statement).await?;
            }
            admin.close().await
        };
        run.await.map_err(|error: sqlx::Error| error.to_string())
    }

    async fn says(&self, question: &str) -> Result<bool, String> {
        let ask = async {
            let mut admin = PgConnection::connect(&self.url("postgres")).await?;
            sqlx::query_scalar(question).fetch_one(&mut admin).await
        };
        ask.await.map_err(|error: sqlx::Error| error.to_string())
    }

    /// Copies the data folder for a standby while the server runs, as described in PostgreSQL's manual ("Making a Base Backup Using
    /// the Low Level API"): not every machine has `pg_basebackup`.
    async fn copy_data(&self, to: &Path) -> Result<(), String> {
        let said = |error: sqlx::Error| format!("a base backup: {error}");
        let mut connection = PgConnection::connect(&self.url("postgres"))
            .await
            .map_err(said)?;
        connection
            .execute("SELECT pg_backup_start('standby', true)")
            .await
            .map_err(said)?;
        // Files that vanish meanwhile are not needed; changes are in the WAL that the standby replays.
        const COPY: &str = "cp -a \"$0\" \"$1\"; cd \"$1\" && rm -rf postmaster.pid postmaster.opts pg_wal/* && touch standby.signal";
        let copied = Command::new("sh")
            .args(["-c", COPY])
            .args([&self.folder.join("data"), to])
            .output()
            .map_err(|error| format!("cp: {error}"))?;
        if !copied.status.success() {
            return Err(format!("cp: {}", String::from_utf8_lossy(&copied.stderr)));
        }
        let label: String = sqlx::query_scalar("SELECT labelfile FROM pg_backup_stop(false)")
            .fetch_one(&mut connection)
            .await
            .map_err(said)?;
        fs::write(to.join("backup_label"), label).map_err(|error| format!("the label: {error}"))
    }

    fn run(
        identity: OsUser,
        folder: PathBuf,
        port: u16,
        settings: &[&str],
    ) -> Result<Self, String> {
        let (answer, answered) = mpsc::channel();
        let postgres = programs()?.join("postgres");
        let all: Vec<String> = SETTINGS
            .iter()
            .chain(settings)
            .map(|setting| (*setting).to_owned())
            .collect();
        let there = folder.clone();
        // The server is tied to the thread that spawns it.
        let keeper = thread::spawn(move || {
            let started = spawn(identity, &postgres, &there, port, &all);
            let mut child = match started {
                Ok(child) => child,
                Err(error) => {
                    drop(answer.send(Err(format!("postgres: {error}"))));
                    return;
                }
            };
            let ready = ready(&mut child, &there);
            drop(answer.send(ready.map(|()| child.id())));
            drop(child.wait());
        });
        let process = answered.recv().map_err(|error| error.to_string())??;
        Ok(Self {
            folder,
            port,
            process,
            keeper: Some(keeper),
        })
    }

    /// URL of a database on it.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://shop@127.0.0.1:{}/{database}", self.port)
    }

    /// Kills the server and all its processes with SIGKILL, as in a power failure.
    pub fn kill(&mut self) {
        let children = format!("/proc/{0}/task/{0}/children", self.process);
        let mut all = vec![self.process.to_string()];
        let children = fs::read_to_string(children).unwrap_or_default();
        all.extend(children.split_whitespace().map(str::to_owned));
        // Some child processes exit without their parent before they are killed.
        let mut kill = Command::new("kill");
        drop(kill.arg("-9").args(&all).stderr(Stdio::null()).status());
        self.ended();
    }

    /// Shuts the server down.
    pub fn stop(&mut self) {
        let process = self.process.to_string();
        drop(Command::new("kill").args(["-INT", &process]).status());
        self.ended();
    }

    fn ended(&mut self) {
        if let Some(keeper) = self.keeper.take() {
            drop(keeper.join());
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.keeper.is_some() {
            self.stop();
        }
        drop(fs::remove_dir_all(&self.folder));
    }
}

/// A free folder and port.
fn place() -> Result<(PathBuf, u16), String> {
    let port = free_port();
    let name = format!("event-store-server-{}-{port}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok((folder, port))
}

fn spawn(
    identity: OsUser,
    postgres: &Path,
    folder: &Path,
    port: u16,
    settings: &[String],
) -> std::io::Result<Child> {
    let log = fs::File::create(folder.join("log"))?;
    let mut server = identity.command(postgres, true);
    server.arg("-D").arg(folder.join("data"));
    server.args(["-p", &port.to_string()]);
    for setting in settings {
        server.args(["-c", setting]);
    }
    server.stdout(Stdio::null()).stderr(log).spawn()
}

/// The eighth line of `postmaster.pid` contains the state: `ready`, or `standby` for a standby.
fn ready(child: &mut Child, folder: &Path) -> Result<(), String> {
    let since = Instant::now();
    while since.elapsed() < PATIENCE {
        let status = fs::read_to_string(folder.join("data/postmaster.pid")).unwrap_or_default();
        let mut lines = status.lines().map(str::trim);
        let ours = lines.next().and_then(|line| line.parse().ok()) == Some(child.id());
        if ours && lines.nth(6).is_some_and(|line| line == "ready") {
            return Ok(());
        }
        if let Ok(Some(status)) = child.try_wait() {
            let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
            return Err(format!("postgres ended at once: {status}\n{log}"));
        }
        thread::sleep(std::time::Duration::from_millis(20));
    }
    Err("postgres did not start in time".to_owned())
}

//! Tests of the crate against a real Postgres: any that this machine has (`PG_BIN_DIR` names another).

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use crate::os_user::OsUser;
use sqlx::{Connection, PgConnection};

use super::*;
use crate::binaries::Binaries;
use crate::data_dir::DataDir;
use crate::server::{Port, Server, ServerConfig};

fn options(data: &Path) -> LaunchOptions {
    LaunchOptions {
        data_folder: data.to_owned(),
        bin_dir: std::env::var_os("PG_BIN_DIR").map(PathBuf::from),
        durability: Durability::Test,
    }
}

fn ask(url: &str, sql: &str) -> Result<String, sqlx::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut connection = PgConnection::connect(url).await?;
        let answer: Option<(String,)> = sqlx::query_as(sql).fetch_optional(&mut connection).await?;
        connection.close().await?;
        Ok(answer.map(|(text,)| text).unwrap_or_default())
    })
}

fn soon<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "it did not happen in time"
        );
        thread::sleep(Duration::from_millis(50));
    }
}

fn kill(signal: &str, pid: u32) {
    assert!(
        Command::new("sh")
            .args(["-c", &format!("kill -{signal} {pid}")])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn a_cluster_is_made_stopped_and_found_again() {
    let data = tempfile::tempdir().unwrap();
    let first = Cluster::start(options(data.path())).unwrap();
    assert_eq!(
        ask(
            first.url(),
            "SELECT current_database() || ' ' || current_user"
        )
        .unwrap(),
        "jangbu shop"
    );
    assert_eq!(ask(first.url(), "SHOW fsync").unwrap(), "off");
    ask(first.url(), "CREATE EXTENSION pg_trgm").unwrap();
    let similar = ask(
        first.url(),
        "SELECT (similarity('사과나무', '사과나라') > 0.2)::text",
    )
    .unwrap();
    assert_eq!(similar, "true", "trigrams see Hangul");
    ask(
        first.url(),
        "CREATE TABLE kept AS SELECT 'apples'::text AS what",
    )
    .unwrap();
    let (url, pid) = (first.url().to_owned(), first.process().unwrap());
    for private in ["postgres.url", "postgres.password"] {
        let mode = fs::metadata(data.path().join(private))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{private}");
    }
    first.stop();
    assert!(
        !Path::new(&format!("/proc/{pid}")).exists(),
        "no process is left"
    );
    assert!(!data.path().join("postgres.url").exists());

    let durable = LaunchOptions {
        durability: Durability::Production,
        ..options(data.path())
    };
    let second = Cluster::start(durable).unwrap();
    assert_eq!(
        ask(second.url(), "SELECT what FROM kept").unwrap(),
        "apples"
    );
    assert_eq!(
        ask(
            second.url(),
            "SELECT current_setting('fsync') || current_setting('synchronous_commit')"
        )
        .unwrap(),
        "onon"
    );
    let wrong = url.replace("postgres://shop:", "postgres://shop:x");
    assert!(ask(&wrong, "SELECT ''").is_err(), "a password is asked for");
}

#[test]
fn a_server_that_dies_is_started_again_at_the_same_address() {
    let data = tempfile::tempdir().unwrap();
    let durable = LaunchOptions {
        durability: Durability::Production,
        ..options(data.path())
    };
    let cluster = Cluster::start(durable).unwrap();
    ask(
        cluster.url(),
        "CREATE TABLE kept AS SELECT 'pears'::text AS what",
    )
    .unwrap();
    let before = cluster.process().unwrap();
    kill("KILL", before);
    let what = soon(|| ask(cluster.url(), "SELECT what FROM kept").ok());
    assert_eq!(what, "pears");
    soon(|| cluster.process().filter(|pid| *pid != before));
}

#[test]
fn several_on_one_folder_share_the_server_and_one_takes_over() {
    let data = tempfile::tempdir().unwrap();
    let (first, second) = thread::scope(|scope| {
        let one = scope.spawn(|| Cluster::start(options(data.path())).unwrap());
        let other = scope.spawn(|| Cluster::start(options(data.path())).unwrap());
        (one.join().unwrap(), other.join().unwrap())
    });
    assert_eq!(first.url(), second.url());
    let (runs, joins) = soon(|| {
        Some((first.process(), second.process())).filter(|(a, b)| a.is_some() || b.is_some())
    });
    assert!(runs.is_some() != joins.is_some(), "exactly one runs it");
    let (runner, guest) = if runs.is_some() {
        (first, second)
    } else {
        (second, first)
    };
    ask(
        guest.url(),
        "CREATE TABLE kept AS SELECT 'plums'::text AS what",
    )
    .unwrap();
    runner.stop();
    assert_eq!(
        soon(|| ask(guest.url(), "SELECT what FROM kept").ok()),
        "plums"
    );
    assert!(soon(|| guest.process()) > 0);
    assert_eq!(
        fs::read_to_string(data.path().join("postgres.url"))
            .unwrap()
            .trim(),
        guest.url()
    );
}

#[test]
fn a_left_over_pid_file_with_a_strangers_pid_does_not_block() {
    let data = tempfile::tempdir().unwrap();
    let cluster = Cluster::start(options(data.path())).unwrap();
    let folder = cluster_folder(data.path());
    let pid_file = fs::read_to_string(folder.join("postmaster.pid")).unwrap();
    cluster.stop();
    let mut stranger = Command::new("sleep").arg("60").spawn().unwrap();
    let own = pid_file.lines().next().unwrap();
    fs::write(
        folder.join("postmaster.pid"),
        pid_file.replacen(own, &stranger.id().to_string(), 1),
    )
    .unwrap();
    let again = Cluster::start(options(data.path())).unwrap();
    assert_eq!(ask(again.url(), "SELECT 'up'").unwrap(), "up");
    assert!(
        stranger.try_wait().unwrap().is_none(),
        "the stranger is left alone"
    );
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}

#[test]
fn an_orphan_of_the_cluster_is_shut_down_and_replaced() {
    let data = tempfile::tempdir().unwrap();
    Cluster::start(options(data.path())).unwrap().stop();
    let folder = cluster_folder(data.path());
    let binaries = Binaries::find(options(data.path()).bin_dir.as_deref(), data.path()).unwrap();
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut orphan = OsUser::of_process()
        .command(&binaries.path("postgres"), false)
        .arg("-D")
        .arg(&folder)
        .args([
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=",
        ])
        .args(["-c", &format!("port={free}")])
        .spawn()
        .unwrap();
    soon(|| {
        fs::read_to_string(folder.join("postmaster.pid"))
            .ok()
            .filter(|text| text.contains("ready"))
    });
    let reaper = thread::spawn(move || orphan.wait().unwrap());
    let cluster = Cluster::start(options(data.path())).unwrap();
    assert_eq!(ask(cluster.url(), "SELECT 'up'").unwrap(), "up");
    assert!(
        reaper.join().unwrap().success(),
        "it was shut down in order"
    );
}

#[test]
fn a_folder_that_cannot_hold_a_cluster_is_an_error_that_says_why() {
    let data = tempfile::tempdir().unwrap();
    let cluster = Cluster::start(options(data.path())).unwrap();
    cluster.stop();
    fs::write(
        cluster_folder(data.path()).join("postgresql.conf"),
        "nonsense = 1",
    )
    .unwrap();
    let error = Cluster::start(options(data.path()))
        .unwrap_err()
        .to_string();
    assert!(error.contains("nonsense"), "{error}");
}

#[test]
fn an_administrator_without_namespaces_lets_another_user_run_it() {
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        return; // only root can change the owner of files
    }
    let data = tempfile::tempdir().unwrap();
    fs::set_permissions(data.path(), Permissions::from_mode(0o755)).unwrap();
    let nobody = OsUser::Other(65534, 65534);
    let folder = DataDir::open(data.path()).unwrap();
    let binaries = Binaries::find(options(data.path()).bin_dir.as_deref(), data.path()).unwrap();
    let run = |os_user: OsUser| {
        let config = ServerConfig {
            cluster: folder
                .prepare(&binaries, os_user, Durability::Test)
                .unwrap(),
            binaries: binaries.clone(),
            os_user,
            log_file: folder.log_file(),
            durability: Durability::Test,
        };
        let mut server = Server::start(&config, Port::Any, &AtomicBool::new(false)).unwrap();
        let url = folder.announce(server.port).unwrap();
        let up = ask(&url, "SELECT 'up'");
        server.stop();
        up.unwrap()
    };
    assert_eq!(run(nobody), "up");
    assert_eq!(run(OsUser::of_process()), "up", "and takes it back later");
}

fn cluster_folder(data: &Path) -> PathBuf {
    let entries = fs::read_dir(data)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let found = entries
        .into_iter()
        .find(|path| path.join("PG_VERSION").exists());
    found.unwrap().canonicalize().unwrap()
}

//! Files of the embedded Postgres in the data folder, and initialising the cluster.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::os_user::OsUser;

use crate::binaries::Binaries;
use crate::private_file;
use crate::{Durability, PostgresError};

/// The role that owns the database.
const ROLE: &str = "shop";

/// The database inside the cluster.
const DATABASE: &str = "jangbu";

/// Paths in a data folder.
#[derive(Clone, Debug)]
pub(crate) struct DataDir {
    root: PathBuf,
}

impl DataDir {
    /// Opens the data folder, created if missing. The path is made absolute.
    pub(crate) fn open(root: &Path) -> Result<Self, PostgresError> {
        fs::create_dir_all(root).map_err(PostgresError::file(root))?;
        let root = root.canonicalize().map_err(PostgresError::file(root))?;
        Ok(Self { root })
    }

    /// The data folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Locked by the owner of the server.
    pub(crate) fn lock_file(&self) -> PathBuf {
        self.root.join("postgres.lock")
    }

    /// Log of the server.
    pub(crate) fn log_file(&self) -> PathBuf {
        self.root.join("postgres.log")
    }

    /// Cluster folder of a major version.
    pub(crate) fn cluster(&self, major: u32) -> PathBuf {
        self.root.join(format!("pg{major}"))
    }

    fn url_file(&self) -> PathBuf {
        self.root.join("postgres.url")
    }

    /// URL of the running server, if one was announced.
    pub(crate) fn url(&self) -> Option<String> {
        let text = fs::read_to_string(self.url_file()).ok()?;
        Some(text.trim().to_owned())
    }

    /// Port of the last announced server.
    pub(crate) fn last_port(&self) -> Option<u16> {
        port_of(&self.url()?)
    }

    /// Writes the URL file, read by guests.
    pub(crate) fn announce(&self, port: u16) -> Result<String, PostgresError> {
        let password = self.password()?;
        let url = format!("postgres://{ROLE}:{password}@127.0.0.1:{port}/{DATABASE}");
        let file = self.url_file();
        private_file::replace(&file, &format!("{url}\n")).map_err(PostgresError::file(&file))?;
        Ok(url)
    }

    /// Removes the URL file.
    pub(crate) fn withdraw(&self) {
        // missing if no server was announced
        let _ = fs::remove_file(self.url_file());
    }

    /// Password of the role, generated once.
    fn password(&self) -> Result<String, PostgresError> {
        let file = self.root.join("postgres.password");
        let fresh = hex::encode(rand::random::<[u8; 16]>());
        if !file.exists() {
            private_file::make_once(&file, &fresh).map_err(PostgresError::file(&file))?;
        }
        let text = fs::read_to_string(&file).map_err(PostgresError::file(&file))?;
        Ok(text.trim().to_owned())
    }

    /// Initialises the cluster if it does not exist and makes `os_user` its owner. Call it only while holding the lock.
    /// An interrupted run leaves nothing that looks like a cluster.
    pub(crate) fn prepare(
        &self,
        binaries: &Binaries,
        os_user: OsUser,
        durability: Durability,
    ) -> Result<PathBuf, PostgresError> {
        let cluster = self.cluster(binaries.major);
        if matches!(os_user, OsUser::Other(..)) {
            // the other user needs search permission on the way to the cluster
            let _ = fs::set_permissions(&self.root, fs::Permissions::from_mode(0o711));
        }
        if !cluster.join("PG_VERSION").is_file() {
            let draft = self.root.join(format!("pg{}.unfinished", binaries.major));
            if draft.exists() {
                fs::remove_dir_all(&draft).map_err(PostgresError::file(&draft))?;
            }
            self.initialise(&draft, binaries, os_user, durability)?;
            fs::rename(&draft, &cluster).map_err(PostgresError::file(&cluster))?;
        }
        os_user
            .take(&cluster)
            .map_err(PostgresError::file(&cluster))?;
        Ok(cluster)
    }

    fn initialise(
        &self,
        draft: &Path,
        binaries: &Binaries,
        os_user: OsUser,
        durability: Durability,
    ) -> Result<(), PostgresError> {
        tracing::info!(version = binaries.major, folder = %self.root.display(), "making the database");
        fs::create_dir(draft).map_err(PostgresError::file(draft))?;
        fs::set_permissions(draft, fs::Permissions::from_mode(0o700))
            .map_err(PostgresError::file(draft))?;
        let password_file = self.root.join("postgres.password.initdb");
        private_file::replace(&password_file, &self.password()?)
            .map_err(PostgresError::file(&password_file))?;
        os_user.take(draft).map_err(PostgresError::file(draft))?;
        os_user
            .take(&password_file)
            .map_err(PostgresError::file(&password_file))?;

        let mut initdb = os_user.command(&binaries.path("initdb"), false);
        initdb
            .arg("-D")
            .arg(draft)
            .args(["-U", ROLE, "--auth=scram-sha-256", "--encoding=UTF8"]);
        initdb.arg(format!("--pwfile={}", password_file.display()));
        // not plain C: pg_trgm would ignore Hangul
        if cfg!(target_os = "linux") {
            initdb.arg("--locale=C.UTF-8");
        }
        if binaries.major >= 17 {
            initdb.args(["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]);
        }
        if binaries.major >= 16 {
            // Iterations slow down guessing of weak passwords. This one has 128 random bits, and each connection would pay
            // for them.
            initdb.args(["-c", "scram_iterations=1"]);
        }
        if durability == Durability::Test {
            initdb.arg("--no-sync");
        }
        let made = run(&mut initdb, "initdb", "");
        fs::remove_file(&password_file).map_err(PostgresError::file(&password_file))?;
        made?;

        let mut single = os_user.command(&binaries.path("postgres"), false);
        single.arg("--single").arg("-D").arg(draft);
        if durability == Durability::Test {
            single.args(["-c", "fsync=off"]);
        }
        run(
            single.arg("template1"),
            "postgres --single",
            &format!("CREATE DATABASE {DATABASE}\n"),
        )
    }
}

/// Port of a URL written by [`DataDir::announce`].
pub(crate) fn port_of(url: &str) -> Option<u16> {
    url.rsplit_once(':')?.1.split('/').next()?.parse().ok()
}

/// Runs a command to completion. Postgres in single-user mode exits with 0 even if the statement failed, so an ERROR on
/// stderr is a failure too.
fn run(command: &mut Command, program: &str, input: &str) -> Result<(), PostgresError> {
    let failed = |output: String| PostgresError::Program {
        program: program.to_owned(),
        output,
    };
    let output = run_with_input(command, input).map_err(|error| failed(error.to_string()))?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() && !stderr.contains("ERROR:") && !stderr.contains("FATAL:") {
        true => Ok(()),
        false => Err(failed(format!(
            "{}{stderr}",
            String::from_utf8_lossy(&output.stdout)
        ))),
    }
}

fn run_with_input(command: &mut Command, input: &str) -> std::io::Result<Output> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes())?;
    }
    child.wait_with_output()
}

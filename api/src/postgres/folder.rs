//! What the embedded Postgres keeps in the data folder, and making the cluster in it.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use event_store::os_user::OsUser;

use super::programs::Programs;
use super::{Durability, PostgresError};
use crate::private_file;

/// The role that owns everything.
const ROLE: &str = "shop";

/// The database inside the cluster.
const DATABASE: &str = "jangbu";

/// The places in a data folder.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The data folder, made if missing; its path is absolute from here on.
    pub(super) fn open(root: &Path) -> Result<Self, PostgresError> {
        fs::create_dir_all(root).map_err(PostgresError::file(root))?;
        let root = root.canonicalize().map_err(PostgresError::file(root))?;
        Ok(Self { root })
    }

    /// The data folder itself.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Held locked by the process that runs Postgres.
    pub(super) fn lock_file(&self) -> PathBuf {
        self.root.join("postgres.lock")
    }

    /// What Postgres says.
    pub(super) fn log_file(&self) -> PathBuf {
        self.root.join("postgres.log")
    }

    /// The cluster of a major version.
    pub(super) fn cluster(&self, major: u32) -> PathBuf {
        self.root.join(format!("pg{major}"))
    }

    fn url_file(&self) -> PathBuf {
        self.root.join("postgres.url")
    }

    /// Where the running Postgres is, if one runs.
    pub(super) fn url(&self) -> Option<String> {
        let text = fs::read_to_string(self.url_file()).ok()?;
        Some(text.trim().to_owned())
    }

    /// The port the last one ran at.
    pub(super) fn last_port(&self) -> Option<u16> {
        port_of(&self.url()?)
    }

    /// Tells other processes where the running Postgres is.
    pub(super) fn announce(&self, port: u16) -> Result<String, PostgresError> {
        let password = self.password()?;
        let url = format!("postgres://{ROLE}:{password}@127.0.0.1:{port}/{DATABASE}");
        let file = self.url_file();
        private_file::replace(&file, &format!("{url}\n")).map_err(PostgresError::file(&file))?;
        Ok(url)
    }

    /// Tells other processes that none runs.
    pub(super) fn withdraw(&self) {
        // it is missing when none ever ran
        let _ = fs::remove_file(self.url_file());
    }

    /// The role's password, made once.
    fn password(&self) -> Result<String, PostgresError> {
        let file = self.root.join("postgres.password");
        let fresh = hex::encode(rand::random::<[u8; 16]>());
        if !file.exists() {
            private_file::make_once(&file, &fresh).map_err(PostgresError::file(&file))?;
        }
        let text = fs::read_to_string(&file).map_err(PostgresError::file(&file))?;
        Ok(text.trim().to_owned())
    }

    /// Makes the cluster if there is none yet, and hands it to who will run it. Only for the holder of the lock. A run
    /// cut short leaves nothing that looks like a cluster.
    pub(super) fn prepare(
        &self,
        programs: &Programs,
        identity: OsUser,
        durability: Durability,
    ) -> Result<PathBuf, PostgresError> {
        let cluster = self.cluster(programs.major);
        if matches!(identity, OsUser::Other(..)) {
            // another user has to be able to walk through to the cluster
            let _ = fs::set_permissions(&self.root, fs::Permissions::from_mode(0o711));
        }
        if !cluster.join("PG_VERSION").is_file() {
            let draft = self.root.join(format!("pg{}.unfinished", programs.major));
            if draft.exists() {
                fs::remove_dir_all(&draft).map_err(PostgresError::file(&draft))?;
            }
            self.make(&draft, programs, identity, durability)?;
            fs::rename(&draft, &cluster).map_err(PostgresError::file(&cluster))?;
        }
        identity
            .take(&cluster)
            .map_err(PostgresError::file(&cluster))?;
        Ok(cluster)
    }

    fn make(
        &self,
        draft: &Path,
        programs: &Programs,
        identity: OsUser,
        durability: Durability,
    ) -> Result<(), PostgresError> {
        tracing::info!(version = programs.major, folder = %self.root.display(), "making the database");
        fs::create_dir(draft).map_err(PostgresError::file(draft))?;
        fs::set_permissions(draft, fs::Permissions::from_mode(0o700))
            .map_err(PostgresError::file(draft))?;
        let password_file = self.root.join("postgres.password.initdb");
        private_file::replace(&password_file, &self.password()?)
            .map_err(PostgresError::file(&password_file))?;
        identity.take(draft).map_err(PostgresError::file(draft))?;
        identity
            .take(&password_file)
            .map_err(PostgresError::file(&password_file))?;

        let mut initdb = identity.command(&programs.path("initdb"), false);
        initdb
            .arg("-D")
            .arg(draft)
            .args(["-U", ROLE, "--auth=scram-sha-256", "--encoding=UTF8"]);
        initdb.arg(format!("--pwfile={}", password_file.display()));
        // never plain C: trigrams then see no Hangul
        if cfg!(target_os = "linux") {
            initdb.arg("--locale=C.UTF-8");
        }
        if programs.major >= 17 {
            initdb.args(["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]);
        }
        if programs.major >= 16 {
            // Many rounds make guesses at a word somebody chose slow; nobody guesses 128 random bits, and every connection
            // would wait for them.
            initdb.args(["-c", "scram_iterations=1"]);
        }
        if durability == Durability::Test {
            initdb.arg("--no-sync");
        }
        let made = run(&mut initdb, "initdb", "");
        fs::remove_file(&password_file).map_err(PostgresError::file(&password_file))?;
        made?;

        let mut single = identity.command(&programs.path("postgres"), false);
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

/// The port in an address of ours.
pub(super) fn port_of(url: &str) -> Option<u16> {
    url.rsplit_once(':')?.1.split('/').next()?.parse().ok()
}

/// Runs a command to its end. Postgres alone in single-user mode ends well even when the statement failed, so an ERROR in
/// what it says counts too.
fn run(command: &mut Command, program: &str, input: &str) -> Result<(), PostgresError> {
    let failed = |output: String| PostgresError::Program {
        program: program.to_owned(),
        output,
    };
    let output = feed(command, input).map_err(|error| failed(error.to_string()))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() && !said.contains("ERROR:") && !said.contains("FATAL:") {
        true => Ok(()),
        false => Err(failed(format!(
            "{}{said}",
            String::from_utf8_lossy(&output.stdout)
        ))),
    }
}

fn feed(command: &mut Command, input: &str) -> std::io::Result<Output> {
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

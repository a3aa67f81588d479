//! The template of a test's shop.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{fs, io, thread};

use domain::message::{Message, MessageState};
use event_store::testing::Database;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::support::mail::MAILED;
use crate::support::{TestApp, until};

/// The initial state of a new shop, created once and copied for every test.
pub(super) struct Model {
    pub(super) database: Database,
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Model {
    /// With all tables empty, or with the demonstration.
    pub(super) fn of(seeded: bool) -> &'static Self {
        static EMPTY: OnceLock<Model> = OnceLock::new();
        static SEEDED: OnceLock<Model> = OnceLock::new();
        let model = if seeded { &SEEDED } else { &EMPTY };
        // On a separate thread: the test is running in its own runtime.
        let make = move || Runtime::new().unwrap().block_on(Self::make(seeded));
        model.get_or_init(|| thread::spawn(make).join().unwrap())
    }

    async fn make(seeded: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::create().await;
        let shop = TestApp::on(&[MAILED], database.clone(), folder, seeded).await;
        shop.becomes_whole().await;
        // Nothing is left to do: copies of it write no events of their own.
        until("all mail is sent", async || {
            let messages = shop.messages().await;
            let is_sent = |(_, message): &(_, Message)| message.state == MessageState::Sent;
            messages.iter().all(is_sent).then_some(())
        })
        .await;
        drop(shop.stop);
        shop.server.ended().await;
        shop.worker.into_inner().unwrap().ended().await;
        shop.app.store.pool().close().await;
        Self {
            database,
            files: files_in(shop.folder.path()).unwrap(),
        }
    }

    pub(super) fn folder(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in &self.files {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        folder
    }
}

/// The files in a folder and below it, by relative path; an error if one of them vanishes meanwhile.
pub fn files_in(folder: &Path) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            let below = files_in(&path)?.into_iter();
            files.extend(below.map(|(inner, bytes)| (name.join(inner), bytes)));
        } else {
            files.push((name, fs::read(&path)?));
        }
    }
    Ok(files)
}

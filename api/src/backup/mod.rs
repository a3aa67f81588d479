//! `jangbu backup` and `restore`: a shop without the keys of personal data, in one file; and `jangbu keys backup` and `restore`: those
//! keys.
//!
//! They are separate so that a backup that is kept for years does not restore the personal data of members erased since. A member who is
//! erased according to the log, the database or the backup of the keys stays erased.

pub mod archive;
mod keys;

use application::blob_store::{BlobStore, FileName};
use std::fs;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use event_store::backup::Contents;
use event_store::projection::Rebuild;
use event_store::{Projection, Store};
use indicatif::{ProgressBar, ProgressStyle};
use projections::state::search_rebuilds;
use time::format_description::well_known::Rfc3339;

pub use keys::{
    backup as backup_keys, backup_from_terminal as backup_keys_from_terminal, forgotten,
    restore as restore_keys, restore_from_terminal as restore_keys_from_terminal,
};

use crate::app::{AppBuilder, AppState, in_our_words, migrate};
use crate::audit::seal;
use crate::settings::Settings;
use application::policies::followers;
use archive::{Archive, Draft, Manifest, TableEntry, file_name, next, piece, table_name};

/// Summary of a backup or a restore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BackupSummary {
    /// Number of events.
    pub events: i64,
    /// Position of the newest event.
    pub head: i64,
    /// Number of rows of all tables.
    pub rows: u64,
    /// Number of uploaded files.
    pub files: usize,
    /// Size of the backup in bytes.
    pub bytes: u64,
}

/// Writes everything except keys, read models and indexes into a new file, while the shop is running.
///
/// # Errors
/// The file exists already; database and disk errors. Then no file is left.
pub async fn backup(app: &AppState, file: &Path) -> anyhow::Result<BackupSummary> {
    let mut draft = Draft::begin(file)?;
    let mut manifest = begun(app, Contents::Shop)?;
    let bar = bar(0, "백업");
    let rows = copy_out(app, &mut draft, &mut manifest, &bar).await?;
    for (name, path) in uploaded(&app.blobs)? {
        // A file that disappears meanwhile was removed intentionally.
        let Ok(mut open) = fs::File::open(&path) else {
            continue;
        };
        draft.entry(&file_name(&name), false)?;
        let mut piece = piece();
        while let Some(some) = next(&mut open, &mut piece)? {
            draft.write(some)?;
            bar.inc(u64::try_from(some.len())?);
        }
        manifest.files.insert(name, draft.written().0);
    }
    let bytes = draft.finish(&manifest)?;
    bar.finish_and_clear();
    Ok(BackupSummary {
        events: manifest.events,
        head: manifest.head,
        rows,
        files: manifest.files.len(),
        bytes,
    })
}

fn begun(app: &AppState, contents: Contents) -> anyhow::Result<Manifest> {
    Ok(Manifest::begun(contents, app.clock.now().format(&Rfc3339)?))
}

/// Writes the tables into the draft; returns the number of rows.
async fn copy_out(
    app: &AppState,
    draft: &mut Draft,
    manifest: &mut Manifest,
    bar: &ProgressBar,
) -> anyhow::Result<u64> {
    let mut outgoing = app
        .store
        .backup(manifest.contents, &followers(&app.application()))
        .await?;
    manifest.migrations = app.store.migrations().await?;
    manifest.events = outgoing.events;
    manifest.head = outgoing.head;
    manifest.postgres = outgoing.postgres.clone();
    let mut all = 0;
    for table in outgoing.tables() {
        bar.set_message(table.name.clone());
        draft.entry(&table_name(&table), true)?;
        let sink = |some: &[u8]| {
            bar.inc(u64::try_from(some.len()).unwrap_or_default());
            draft.write(some)
        };
        outgoing.copy(&table, sink).await?;
        let (sum, rows) = draft.written();
        all += rows;
        manifest.tables.push(TableEntry { table, rows, sum });
    }
    manifest.sequences = outgoing.sequences().await?;
    Ok(all)
}

/// Restores a backup into an empty database and this machine's data folder, and builds the read models. Everything is checked before
/// anything is written.
///
/// # Errors
/// The backup is damaged or of another program; the database is not empty; database and disk errors. The database stays empty then.
pub async fn restore(
    settings: &Settings,
    database: &str,
    file: &Path,
) -> anyhow::Result<BackupSummary> {
    let mut archive = Archive::open(file, Contents::Shop)?;
    let bar = bar(archive.bytes().saturating_mul(2), "복원");
    bar.set_message("확인");
    archive.check(|bytes| bar.inc(bytes))?;
    let manifest = archive.manifest.clone();
    let store = Store::connect(database, event_store::StoreOptions::default()).await?;
    let store = in_our_words(store);
    store
        .migrate_like(&manifest.migrations, &[&projections::state::TABLES])
        .await?;
    let followers = followers_of(settings, &store)?;
    let mut incoming = store.restore(Contents::Shop, &followers).await?;
    // Files first: rows in the database refer to them.
    put_back(&mut archive, &BlobStore::of(&settings.data_folder), &bar)?;
    let rows = copy_in(&mut archive, &mut incoming, &bar).await?;
    incoming.finish(&manifest.sequences).await?;
    bar.finish_and_clear();
    migrate(&store).await?;
    let head = store.head().await?;
    if head != manifest.head {
        bail!(
            "the log ends at position {head} and not at {}",
            manifest.head
        );
    }
    for projection in followers.into_iter().filter(|one| one.is_read_model()) {
        rebuilt(&store, projection).await?;
    }
    forget_search(settings)?;
    if settings.search.meilisearch_url.is_some() {
        // The index of a search server also contains the earlier data.
        let target = settings.search_target();
        let now = time::OffsetDateTime::now_utc();
        search_rebuilds::ask(store.pool(), uuid::Uuid::now_v7(), &target, now).await?;
    }
    Ok(BackupSummary {
        events: manifest.events,
        head,
        rows,
        files: manifest.files.len(),
        bytes: fs::metadata(file)?.len(),
    })
}

/// All followers of the log, including policies, which the program needs to build although none of them runs.
fn followers_of(settings: &Settings, store: &Store) -> anyhow::Result<Vec<Arc<dyn Projection>>> {
    let app = AppBuilder::new(settings.clone(), "").over(store.clone())?;
    Ok(followers(&app.application()))
}

async fn copy_in(
    archive: &mut Archive,
    incoming: &mut event_store::backup::Incoming,
    bar: &ProgressBar,
) -> anyhow::Result<u64> {
    let mut all = 0;
    let mut piece = piece();
    for entry in archive.manifest.tables.clone() {
        bar.set_message(entry.table.name.clone());
        let mut from = archive.read(&table_name(&entry.table))?;
        let mut table = incoming.table(&entry.table).await?;
        while let Some(some) = next(&mut from, &mut piece)? {
            table.send(some).await?;
            bar.inc(u64::try_from(some.len())?);
        }
        let rows = table.finish().await?;
        if rows != entry.rows {
            bail!(
                "{}: {rows} rows came in, {} were written",
                entry.table.name,
                entry.rows
            );
        }
        all += rows;
    }
    Ok(all)
}

/// All complete uploaded files, with their names.
fn uploaded(blobs: &BlobStore) -> anyhow::Result<Vec<(String, std::path::PathBuf)>> {
    let mut found = Vec::new();
    for path in blobs.all()? {
        if let Some(name) = path.file_name().and_then(|name| name.to_str())
            && FileName::parse(name).is_some()
        {
            found.push((name.to_owned(), path));
        }
    }
    found.sort();
    Ok(found)
}

fn put_back(archive: &mut Archive, blobs: &BlobStore, bar: &ProgressBar) -> anyhow::Result<()> {
    for (name, sum) in archive.manifest.files.clone() {
        let Some(known) = FileName::parse(&name) else {
            bail!("{name} in the backup is no name of an uploaded file");
        };
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut archive.read(&file_name(&name))?, &mut bytes)?;
        blobs.write(&[(known, bytes)])?;
        bar.inc(sum.bytes);
    }
    Ok(())
}

async fn rebuilt(store: &Store, projection: Arc<dyn Projection>) -> anyhow::Result<()> {
    let name = projection.name();
    let done = Rebuild::of(store, projection).run().await?;
    println!(
        "{name}: 이벤트 {}건으로 다시 만들었습니다 ({:.1?}).",
        done.events, done.took
    );
    Ok(())
}

/// Removes the embedded search index, which is of the earlier data; the shop builds a new one.
fn forget_search(settings: &Settings) -> anyhow::Result<()> {
    match fs::remove_dir_all(settings.search_folder()) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn bar(length: u64, prefix: &'static str) -> ProgressBar {
    let bar = if !std::io::stderr().is_terminal() {
        ProgressBar::hidden()
    } else if length == 0 {
        ProgressBar::no_length()
    } else {
        ProgressBar::new(length)
    };
    let style = match length {
        0 => "{prefix} {msg:24} {bytes} {bytes_per_sec}",
        _ => "{prefix} {msg:24} [{bar:30}] {bytes}/{total_bytes} {bytes_per_sec} {eta} 남음",
    };
    let style = ProgressStyle::with_template(style).unwrap_or(ProgressStyle::default_bar());
    bar.with_style(style).with_prefix(prefix)
}

/// `jangbu backup FILE`.
///
/// # Errors
/// As [`backup`].
pub async fn backup_from_terminal(
    settings: &Settings,
    database: &str,
    file: &Path,
) -> anyhow::Result<()> {
    let app = outside(settings, database).await?;
    let done = backup(&app, file).await?;
    println!(
        "기록 {}건(위치 {}까지), {}행, 파일 {}개를 백업했습니다: {} ({}바이트)",
        done.events,
        done.head,
        done.rows,
        done.files,
        file.display(),
        done.bytes
    );
    println!(
        "개인정보의 키는 들어 있지 않습니다: `jangbu keys backup`으로 따로 백업하고, {}의 마스터 키도 따로 보관하세요.",
        crate::settings::keys::Keys::files(&settings.data_folder)
            .0
            .display()
    );
    Ok(())
}

/// `jangbu restore FILE`.
///
/// # Errors
/// As [`restore`].
pub async fn restore_from_terminal(
    settings: &Settings,
    database: &str,
    file: &Path,
) -> anyhow::Result<()> {
    let done = restore(settings, database, file).await?;
    println!(
        "기록 {}건(위치 {}까지), {}행, 파일 {}개를 복원했습니다.",
        done.events, done.head, done.rows, done.files
    );
    println!(
        "다음: 가장 새로운 키 백업으로 `jangbu keys restore`, 그다음 `jangbu verify`. 키가 없는 동안 이름은 보이지 않습니다."
    );
    if seal::seen(settings)?.is_some() {
        println!(
            "이 데이터 폴더는 다른 기록을 본 적이 있습니다: `jangbu seal --accept`가 필요할 수 있습니다."
        );
    }
    Ok(())
}

async fn outside(settings: &Settings, database: &str) -> anyhow::Result<AppState> {
    AppBuilder::new(settings.clone(), database)
        .without_search()
        .build()
        .await
}

//! The backup format: one file, a zip archive that standard programs can list and test. `tables/` has the rows in the text format of
//! Postgres' `COPY`, `files/` the uploaded files, and `manifest.json`, written last, lists all entries with their SHA-256.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use event_store::backup::{AppliedMigration, Contents, SequenceAt, TableCopy};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The format version written by this program; it reads this and older ones.
const FORMAT: u32 = 1;
const MANIFEST: &str = "manifest.json";
/// Maximum size of a manifest in bytes; that of a shop with a million files is much smaller.
const LARGEST_MANIFEST: u64 = 1 << 30;
/// Bytes per read.
const PIECE: usize = 64 * 1024;

/// The manifest of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The version of the format.
    pub jangbu_backup: u32,
    /// The contents.
    pub contents: Contents,
    /// Time of the backup (RFC 3339).
    pub made_at: String,
    /// Version of the program that created it.
    pub program: String,
    /// Version of the Postgres it was created from.
    pub postgres: String,
    /// Number of events.
    pub events: i64,
    /// Position of the newest event.
    pub head: i64,
    /// Migrations applied to the tables.
    pub migrations: Vec<AppliedMigration>,
    /// The tables.
    pub tables: Vec<TableEntry>,
    /// Current values of the sequences.
    pub sequences: Vec<SequenceAt>,
    /// Uploaded files, by their name in `files/`.
    pub files: BTreeMap<String, Sum>,
}

/// A table in the archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableEntry {
    /// The table and its columns.
    #[serde(flatten)]
    pub table: TableCopy,
    /// Number of rows.
    pub rows: u64,
    /// Checksum of its text.
    #[serde(flatten)]
    pub sum: Sum,
}

/// Size and checksum of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sum {
    /// Uncompressed size in bytes.
    pub bytes: u64,
    /// SHA-256, in hexadecimal.
    pub sha256: String,
}

/// Computes the checksum of a stream, and counts its lines.
struct Counter {
    bytes: u64,
    rows: u64,
    hash: Sha256,
}

impl Counter {
    fn new() -> Self {
        Self {
            bytes: 0,
            rows: 0,
            hash: Sha256::new(),
        }
    }

    /// Every row of `COPY` text ends with a line feed, and contains no other.
    fn count(&mut self, some: &[u8]) {
        self.bytes += u64::try_from(some.len()).unwrap_or_default();
        let lines = some.iter().filter(|byte| **byte == b'\n').count();
        self.rows += u64::try_from(lines).unwrap_or_default();
        self.hash.update(some);
    }

    fn sum(self) -> (Sum, u64) {
        let sha256 = hex::encode(self.hash.finalize());
        let bytes = self.bytes;
        (Sum { bytes, sha256 }, self.rows)
    }
}

/// A backup being written: under a temporary name until it is complete and on disk.
pub struct Draft {
    zip: ZipWriter<BufWriter<File>>,
    file: PathBuf,
    draft: PathBuf,
    counter: Counter,
}

impl Draft {
    /// Creates it; only its owner may read it.
    ///
    /// # Errors
    /// The file exists already; I/O errors.
    pub fn begin(file: &Path) -> anyhow::Result<Self> {
        if file.exists() {
            bail!(
                "{} is there already; a backup replaces nothing",
                file.display()
            );
        }
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(".unfinished");
        let draft = file.with_file_name(name);
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let open = options
            .open(&draft)
            .with_context(|| draft.display().to_string())?;
        Ok(Self {
            zip: ZipWriter::new(BufWriter::new(open)),
            file: file.to_owned(),
            draft,
            counter: Counter::new(),
        })
    }

    /// Starts an entry; pictures are compressed already.
    ///
    /// # Errors
    /// I/O errors.
    pub fn entry(&mut self, name: &str, pack: bool) -> io::Result<()> {
        let method = match pack {
            true => CompressionMethod::Deflated,
            false => CompressionMethod::Stored,
        };
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .large_file(true);
        self.counter = Counter::new();
        self.zip.start_file(name, options).map_err(io::Error::from)
    }

    /// Appends to the entry.
    ///
    /// # Errors
    /// I/O errors.
    pub fn write(&mut self, some: &[u8]) -> io::Result<()> {
        self.counter.count(some);
        self.zip.write_all(some)
    }

    /// Checksum and number of lines of the entry.
    pub fn written(&mut self) -> (Sum, u64) {
        std::mem::replace(&mut self.counter, Counter::new()).sum()
    }

    /// Writes the manifest and renames the file; returns its size.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish(mut self, manifest: &Manifest) -> anyhow::Result<u64> {
        self.entry(MANIFEST, true)?;
        let text = serde_json::to_vec_pretty(manifest)?;
        self.write(&text)?;
        let open = self.zip.finish().map_err(io::Error::from)?;
        let open = open.into_inner().map_err(io::IntoInnerError::into_error)?;
        open.sync_all()?;
        let bytes = open.metadata()?.len();
        fs::rename(&self.draft, &self.file)?;
        if let Some(folder) = self.file.parent()
            && !folder.as_os_str().is_empty()
        {
            File::open(folder)?.sync_all()?;
        }
        Ok(bytes)
    }
}

impl Manifest {
    /// A manifest with the current time, to be completed.
    pub fn begun(contents: Contents, made_at: String) -> Self {
        Self {
            jangbu_backup: FORMAT,
            contents,
            made_at,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            postgres: String::new(),
            events: 0,
            head: 0,
            migrations: Vec::new(),
            tables: Vec::new(),
            sequences: Vec::new(),
            files: BTreeMap::new(),
        }
    }
}

/// Name of the entry of a table.
pub fn table_name(table: &TableCopy) -> String {
    format!("tables/{}.copy", table.name)
}

/// Name of the entry of an uploaded file.
pub fn file_name(name: &str) -> String {
    format!("files/{name}")
}

/// A backup being read.
pub struct Archive {
    zip: ZipArchive<BufReader<File>>,
    /// Its manifest.
    pub manifest: Manifest,
}

impl Archive {
    /// Opens a backup.
    ///
    /// # Errors
    /// It is not a backup of these contents, or one of a newer program; I/O errors.
    pub fn open(file: &Path, contents: Contents) -> anyhow::Result<Self> {
        let named = || file.display().to_string();
        let open = File::open(file).with_context(named)?;
        let mut zip = ZipArchive::new(BufReader::new(open))
            .with_context(|| format!("{} is no whole backup", file.display()))?;
        let mut text = String::new();
        zip.by_name(MANIFEST)
            .with_context(|| format!("{} is no backup of Jangbu", file.display()))?
            .take(LARGEST_MANIFEST)
            .read_to_string(&mut text)?;
        let version: serde_json::Value = serde_json::from_str(&text).with_context(named)?;
        let version = version
            .get("jangbuBackup")
            .and_then(serde_json::Value::as_u64);
        if version.is_none_or(|version| version > u64::from(FORMAT)) {
            bail!(
                "{} was made by a newer version of the program",
                file.display()
            );
        }
        let manifest: Manifest = serde_json::from_str(&text).with_context(named)?;
        if manifest.contents != contents {
            bail!(
                "{} is a backup of {:?}, not of {contents:?}",
                file.display(),
                manifest.contents
            );
        }
        Ok(Self { zip, manifest })
    }

    /// Reads the whole archive and compares it with the manifest; `tell` receives the number of bytes read.
    ///
    /// # Errors
    /// The first entry that is missing or differs.
    pub fn check(&mut self, mut tell: impl FnMut(u64)) -> anyhow::Result<()> {
        let tables = self.manifest.tables.clone();
        for entry in tables {
            let name = table_name(&entry.table);
            let (sum, rows) = self.sum(&name, &mut tell)?;
            if (sum, rows) != (entry.sum, entry.rows) {
                bail!("{name} in the backup is not what was written: the backup is damaged");
            }
        }
        for (file, wanted) in self.manifest.files.clone() {
            let name = file_name(&file);
            let (sum, _) = self.sum(&name, &mut tell)?;
            if sum != wanted {
                bail!("{name} in the backup is not what was written: the backup is damaged");
            }
        }
        Ok(())
    }

    fn sum(&mut self, name: &str, tell: &mut impl FnMut(u64)) -> anyhow::Result<(Sum, u64)> {
        let mut counter = Counter::new();
        let mut entry = self.read(name)?;
        let mut piece = vec![0; PIECE];
        while let Some(some) = next(&mut entry, &mut piece)
            .with_context(|| format!("{name} in the backup is damaged"))?
        {
            counter.count(some);
            tell(u64::try_from(some.len()).unwrap_or_default());
        }
        Ok(counter.sum())
    }

    /// Opens an entry.
    ///
    /// # Errors
    /// It is missing.
    pub fn read(&mut self, name: &str) -> anyhow::Result<impl Read + '_> {
        self.zip
            .by_name(name)
            .with_context(|| format!("{name} is missing in the backup"))
    }

    /// Total size, uncompressed.
    pub fn bytes(&self) -> u64 {
        let tables = self.manifest.tables.iter().map(|entry| entry.sum.bytes);
        let files = self.manifest.files.values().map(|sum| sum.bytes);
        tables.chain(files).sum()
    }
}

/// A buffer to read into.
pub fn piece() -> Vec<u8> {
    vec![0; PIECE]
}

/// Reads the next bytes; none at the end.
///
/// # Errors
/// I/O errors.
pub fn next<'a>(from: &mut impl Read, piece: &'a mut [u8]) -> io::Result<Option<&'a [u8]>> {
    let read = from.read(piece)?;
    Ok(piece.get(..read).filter(|some| !some.is_empty()))
}

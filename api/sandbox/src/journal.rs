//! The journal file: append-only, one JSON entry per line, synced before an answer is sent. Entries that arrive during a
//! sync are written together.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use tokio::sync::watch;

use crate::state::Entry;

/// Progress of the writer.
#[derive(Clone, Debug, Default)]
struct Progress {
    written: u64,
    failed: Option<String>,
}

/// The open journal.
#[derive(Debug)]
pub(crate) struct Journal {
    lines: mpsc::Sender<Vec<u8>>,
    queued: u64,
    progress: watch::Receiver<Progress>,
}

/// A position in the journal that can be awaited.
#[derive(Clone, Debug)]
pub(crate) struct JournalPosition {
    number: u64,
    progress: watch::Receiver<Progress>,
}

impl Journal {
    /// Opens the file, created if missing, and reads its entries. An incomplete last line was never answered and is
    /// truncated.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, Vec<Entry>)> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::other(format!(
                    "{} is in use by another sandbox",
                    path.display()
                )));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let whole = text
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        text.truncate(whole);
        file.set_len(u64::try_from(whole).map_err(io::Error::other)?)?;
        file.seek(SeekFrom::End(0))?;
        let entries = text
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .enumerate();
        let entries = entries.map(|(number, line)| {
            serde_json::from_slice(line).map_err(|error| {
                let position = format!("{} line {}: {error}", path.display(), number + 1);
                io::Error::new(ErrorKind::InvalidData, position)
            })
        });
        let entries = entries.collect::<io::Result<_>>()?;
        let (lines, incoming) = mpsc::channel();
        let (report, progress) = watch::channel(Progress::default());
        thread::Builder::new()
            .name("sandbox-journal".to_owned())
            .spawn(move || write(file, &incoming, &report))?;
        Ok((
            Self {
                lines,
                queued: 0,
                progress,
            },
            entries,
        ))
    }

    /// Queues an entry behind all earlier ones.
    pub(crate) fn queue(&mut self, entry: &Entry) {
        let mut line = serde_json::to_vec(entry).unwrap_or_default();
        line.push(b'\n');
        self.queued += 1;
        // the writer ends with the journal, or by a failure that `reached` reports
        let _ = self.lines.send(line);
    }

    /// Position of the last queued entry.
    pub(crate) fn position(&self) -> JournalPosition {
        JournalPosition {
            number: self.queued,
            progress: self.progress.clone(),
        }
    }
}

impl JournalPosition {
    /// Waits until everything up to this position is on disk.
    ///
    /// # Errors
    /// When the file could not be written. The writer has stopped then.
    pub(crate) async fn reached(mut self) -> Result<(), String> {
        let number = self.number;
        let progress = self
            .progress
            .wait_for(|now| now.written >= number || now.failed.is_some());
        match progress.await.map(|now| now.failed.clone()) {
            Ok(None) => Ok(()),
            Ok(Some(why)) => Err(why),
            Err(_) => Err("the writer of the sandbox's file has ended".to_owned()),
        }
    }
}

fn write(mut file: File, lines: &mpsc::Receiver<Vec<u8>>, report: &watch::Sender<Progress>) {
    let mut written = 0;
    while let Ok(first) = lines.recv() {
        let mut batch = first;
        written += 1;
        while let Ok(next) = lines.try_recv() {
            batch.extend_from_slice(&next);
            written += 1;
        }
        if let Err(error) = file.write_all(&batch).and_then(|()| file.sync_data()) {
            tracing::error!(%error, "cannot write the sandbox's file");
            report.send_modify(|now| now.failed = Some(error.to_string()));
            return;
        }
        report.send_modify(|now| now.written = written);
    }
}

//! Small files with mode 0600, written atomically: keys, passwords, URLs that contain a password.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes `text` to `file` unless it exists. Of several concurrent processes exactly one wins, no reader sees a partial
/// file, and the content is on disk when this returns.
///
/// # Errors
/// The OS error, except that the file exists.
pub fn make_once(file: &Path, text: &str) -> io::Result<()> {
    let draft = write_draft(file, text)?;
    let linked = fs::hard_link(&draft, file);
    fs::remove_file(&draft)?;
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => sync_folder(file),
    }
}

/// Writes `text` to `file`, replacing it atomically.
///
/// # Errors
/// The OS error.
pub fn replace(file: &Path, text: &str) -> io::Result<()> {
    let draft = write_draft(file, text)?;
    fs::rename(&draft, file)?;
    sync_folder(file)
}

fn write_draft(file: &Path, text: &str) -> io::Result<PathBuf> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.{}", std::process::id(), rand::random::<u32>()));
    let draft = file.with_file_name(name);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut open = options.open(&draft)?;
    open.write_all(text.as_bytes())?;
    open.sync_all()?;
    Ok(draft)
}

/// A new directory entry survives a power cut only after the folder is synced.
fn sync_folder(file: &Path) -> io::Result<()> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

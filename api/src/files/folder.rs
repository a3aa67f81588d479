//! Where files are on disk: `files/ab/<hash>.webp` in the data folder. A name says what is in the file, so a file is
//! written once and never changes.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::settings::Settings;

/// Pixels across the smaller sizes of a picture.
pub const WIDTHS: [u32; 4] = [200, 400, 800, 1600];

/// Digits of a hash.
const HASH_DIGITS: usize = 64;

/// The name of a file: `<hash>.webp`, `<hash>-<width>.webp` or `<hash>.pdf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName {
    hash: String,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Picture(Option<u32>),
    Document,
}

impl FileName {
    /// Of a picture, whole or in one of [`WIDTHS`].
    pub fn picture(hash: &str, width: Option<u32>) -> Self {
        Self {
            hash: hash.to_owned(),
            form: Form::Picture(width),
        }
    }

    /// Of a document.
    pub fn document(hash: &str) -> Self {
        Self {
            hash: hash.to_owned(),
            form: Form::Document,
        }
    }

    /// Reads a name; none if no file can have it, so that no other file of the machine is ever asked for.
    pub fn read(name: &str) -> Option<Self> {
        let (hash, rest) = name.split_at_checked(HASH_DIGITS)?;
        let is_hash = hash
            .bytes()
            .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        let known = Self::all(hash);
        known
            .into_iter()
            .find(|known| is_hash && known.rest() == rest)
    }

    /// Every name a hash can have.
    fn all(hash: &str) -> Vec<Self> {
        let widths = WIDTHS
            .into_iter()
            .map(|width| Self::picture(hash, Some(width)));
        [Self::picture(hash, None), Self::document(hash)]
            .into_iter()
            .chain(widths)
            .collect()
    }

    /// The picture of which this is a smaller size.
    pub fn whole(&self) -> Option<Self> {
        match self.form {
            Form::Picture(Some(_)) => Some(Self::picture(&self.hash, None)),
            Form::Picture(None) | Form::Document => None,
        }
    }

    fn rest(&self) -> String {
        match self.form {
            Form::Picture(None) => ".webp".to_owned(),
            Form::Picture(Some(width)) => format!("-{width}.webp"),
            Form::Document => ".pdf".to_owned(),
        }
    }

    /// Where anybody finds it.
    pub fn url(&self) -> String {
        format!("/files/{self}")
    }

    /// What it is served as.
    pub fn content_type(&self) -> &'static str {
        match self.form {
            Form::Picture(_) => "image/webp",
            Form::Document => "application/pdf",
        }
    }

    /// A browser may show it; anything else is only saved.
    pub fn may_be_shown(&self) -> bool {
        matches!(self.form, Form::Picture(_))
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.hash, self.rest())
    }
}

/// The folder of all files.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The one these settings name.
    pub fn of(settings: &Settings) -> Self {
        Self(settings.data_folder.join("files"))
    }

    fn shelf(&self, name: &FileName) -> PathBuf {
        self.0.join(name.hash.get(..2).unwrap_or_default())
    }

    /// Where a file is.
    pub fn path(&self, name: &FileName) -> PathBuf {
        self.shelf(name).join(name.to_string())
    }

    /// Everything in it, drafts too.
    ///
    /// # Errors
    /// What the system says.
    pub fn all(&self) -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for shelf in entries(&self.0)? {
            if shelf.is_dir() {
                found.extend(entries(&shelf)?);
            }
        }
        Ok(found)
    }

    /// Writes files that are not there yet. They are on disk when this returns, and nobody ever sees half of one.
    ///
    /// # Errors
    /// What the system says.
    pub fn keep(&self, files: &[(FileName, Vec<u8>)]) -> io::Result<()> {
        for (name, bytes) in files {
            let path = self.path(name);
            if path.try_exists()? {
                continue;
            }
            let shelf = self.shelf(name);
            fs::create_dir_all(&shelf)?;
            let draft = shelf.join(format!(".{:032x}", rand::random::<u128>()));
            let written = write_whole(&draft, bytes).and_then(|()| fs::rename(&draft, &path));
            if written.is_err() {
                // a full disk should not also keep what did not fit
                let _ = fs::remove_file(&draft);
            }
            written?;
            File::open(&shelf)?.sync_all()?;
            File::open(&self.0)?.sync_all()?;
        }
        Ok(())
    }

    /// Removes whatever there is of a hash.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove(&self, hash: &str) -> io::Result<()> {
        for name in FileName::all(hash) {
            match fs::remove_file(self.path(&name)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// What is in a folder; nothing if there is no such folder.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn write_whole(path: &PathBuf, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn only_names_the_shop_gives_are_read() {
        let hash = "0123456789abcdef".repeat(4);
        for rest in [".webp", "-200.webp", "-1600.webp", ".pdf"] {
            let name = format!("{hash}{rest}");
            assert_eq!(FileName::read(&name).unwrap().to_string(), name);
        }
        let climbing = format!("{}{}", "../".repeat(21), "a.webp");
        for wrong in [
            String::new(),
            hash.clone(),
            climbing,
            format!("{hash}-300.webp"),
            format!("{hash}-200.pdf"),
            format!("{hash}.html"),
            format!("{hash}/../x.webp"),
            format!("{}.webp", hash.to_uppercase()),
            format!("{}.webp", "가".repeat(64)),
        ] {
            assert_eq!(FileName::read(&wrong), None, "{wrong}");
        }
    }
}

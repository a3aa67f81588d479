//! Files on disk, content-addressed: `files/ab/<hash>.webp` in the data folder. The name follows from the content, so a file is written
//! once and never changes.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Widths in pixels of the smaller variants of a picture.
pub const WIDTHS: [u32; 4] = [200, 400, 800, 1600];

/// Digits of a hash.
const HASH_DIGITS: usize = 64;

/// The name of a file: `<hash>.webp`, `<hash>-<width>.webp` or `<hash>.pdf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName {
    hash: String,
    form: FileForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileForm {
    Picture(Option<u32>),
    Document,
}

impl FileName {
    /// A picture, in full size or in one of [`WIDTHS`].
    pub fn picture(hash: &str, width: Option<u32>) -> Self {
        Self {
            hash: hash.to_owned(),
            form: FileForm::Picture(width),
        }
    }

    /// A document.
    pub fn document(hash: &str) -> Self {
        Self {
            hash: hash.to_owned(),
            form: FileForm::Document,
        }
    }

    /// Parses a name; none if it is not a valid file name, so that no other file of the machine can be read.
    pub fn parse(name: &str) -> Option<Self> {
        let (hash, rest) = name.split_at_checked(HASH_DIGITS)?;
        let is_hash = hash
            .bytes()
            .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        let known = Self::all(hash);
        known
            .into_iter()
            .find(|known| is_hash && known.rest() == rest)
    }

    /// All file names of a hash.
    fn all(hash: &str) -> Vec<Self> {
        let widths = WIDTHS
            .into_iter()
            .map(|width| Self::picture(hash, Some(width)));
        [Self::picture(hash, None), Self::document(hash)]
            .into_iter()
            .chain(widths)
            .collect()
    }

    /// The full-size file of a smaller variant.
    pub fn full_size(&self) -> Option<Self> {
        match self.form {
            FileForm::Picture(Some(_)) => Some(Self::picture(&self.hash, None)),
            FileForm::Picture(None) | FileForm::Document => None,
        }
    }

    fn rest(&self) -> String {
        match self.form {
            FileForm::Picture(None) => ".webp".to_owned(),
            FileForm::Picture(Some(width)) => format!("-{width}.webp"),
            FileForm::Document => ".pdf".to_owned(),
        }
    }

    /// Its public address.
    pub fn url(&self) -> String {
        format!("/files/{self}")
    }

    /// The content type it is served with.
    pub fn content_type(&self) -> &'static str {
        match self.form {
            FileForm::Picture(_) => "image/webp",
            FileForm::Document => "application/pdf",
        }
    }

    /// Whether a browser may display it; anything else is only downloaded.
    pub fn is_displayable(&self) -> bool {
        matches!(self.form, FileForm::Picture(_))
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.hash, self.rest())
    }
}

/// The folder with all uploaded files.
#[derive(Clone, Debug)]
pub struct BlobStore(PathBuf);

impl BlobStore {
    /// The store in this data folder.
    pub fn of(data_folder: &Path) -> Self {
        Self(data_folder.join("files"))
    }

    fn folder(&self, name: &FileName) -> PathBuf {
        self.0.join(name.hash.get(..2).unwrap_or_default())
    }

    /// Path of a file.
    pub fn path(&self, name: &FileName) -> PathBuf {
        self.folder(name).join(name.to_string())
    }

    /// Paths of all files, including unfinished ones.
    ///
    /// # Errors
    /// I/O errors.
    pub fn all(&self) -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for folder in entries(&self.0)? {
            if folder.is_dir() {
                found.extend(entries(&folder)?);
            }
        }
        Ok(found)
    }

    /// Writes files that do not exist yet. They are on disk when this returns, and readers never see a part of one.
    ///
    /// # Errors
    /// I/O errors.
    pub fn write(&self, files: &[(FileName, Vec<u8>)]) -> io::Result<()> {
        for (name, bytes) in files {
            let path = self.path(name);
            if path.try_exists()? {
                continue;
            }
            let folder = self.folder(name);
            fs::create_dir_all(&folder)?;
            let draft = folder.join(format!(".{:032x}", rand::random::<u128>()));
            let written = write_whole(&draft, bytes).and_then(|()| fs::rename(&draft, &path));
            if written.is_err() {
                // Do not leave a partial file behind when the disk is full.
                let _ = fs::remove_file(&draft);
            }
            written?;
            File::open(&folder)?.sync_all()?;
            File::open(&self.0)?.sync_all()?;
        }
        Ok(())
    }

    /// Removes all files of a hash.
    ///
    /// # Errors
    /// I/O errors.
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

/// Entries of a folder; none if it does not exist.
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
    fn only_names_of_uploads_are_parsed() {
        let hash = "0123456789abcdef".repeat(4);
        for rest in [".webp", "-200.webp", "-1600.webp", ".pdf"] {
            let name = format!("{hash}{rest}");
            assert_eq!(FileName::parse(&name).unwrap().to_string(), name);
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
            assert_eq!(FileName::parse(&wrong), None, "{wrong}");
        }
    }
}

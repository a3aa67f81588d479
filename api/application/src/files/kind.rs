//! The kind of an upload, detected from its first bytes: the file name and content type sent by the browser are not trusted.

use image::ImageFormat;

/// An accepted kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A picture; the first frame of an animation.
    Picture(ImageFormat),
    /// A PDF document.
    Document,
}

impl FileKind {
    /// The kind of this content; none if it is not accepted.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"%PDF-") {
            return Some(Self::Document);
        }
        match image::guess_format(bytes).ok()? {
            format @ (ImageFormat::Jpeg
            | ImageFormat::Png
            | ImageFormat::Gif
            | ImageFormat::WebP) => Some(Self::Picture(format)),
            _ => None,
        }
    }

    /// Maximum size in bytes.
    pub const fn max_bytes(self) -> usize {
        match self {
            Self::Picture(_) => 15 * 1024 * 1024,
            Self::Document => 10 * 1024 * 1024,
        }
    }

    /// Maximum size of all kinds in bytes.
    pub const MAX_BYTES: usize = Self::Picture(ImageFormat::Png).max_bytes();
}

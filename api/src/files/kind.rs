//! What a file is. Its name and what the browser calls it say nothing: only what is in it counts.

use image::ImageFormat;

/// What the shop takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A picture; an animation counts by its first frame.
    Picture(ImageFormat),
    /// A PDF document.
    Document,
}

impl FileKind {
    /// By its first bytes; none: it is not taken.
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

    /// Bytes at most.
    pub const fn bytes_most(self) -> usize {
        match self {
            Self::Picture(_) => 15 * 1024 * 1024,
            Self::Document => 10 * 1024 * 1024,
        }
    }

    /// Bytes of the largest kind.
    pub const LARGEST: usize = Self::Picture(ImageFormat::Png).bytes_most();
}

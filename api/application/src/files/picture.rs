//! Makes pictures safe and small: re-encoded as WebP, upright, in several widths, and without metadata of the camera.

use std::io::Cursor;

use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use tokio::sync::Semaphore;

use crate::blob_store::WIDTHS;

/// Maximum number of pixels.
const MAX_PIXELS: u64 = 40_000_000;
/// Maximum length of a side in pixels.
const MAX_SIDE: u32 = 30_000;
/// Maximum memory of a decoded picture in bytes.
const MAX_MEMORY: u64 = 256 * 1024 * 1024;
/// Pictures with more pixels are scaled by averaging: a finer filter would take as much memory again.
const MAX_FILTERED_PIXELS: u64 = 8_000_000;
/// Maximum stored width in pixels.
const MAX_WIDTH: u32 = 2_560;
/// Maximum height of WebP in pixels.
const MAX_HEIGHT: u32 = 16_383;
/// Quality of WebP, of 100.
const QUALITY: f32 = 82.0;

/// Pictures encoded concurrently: each takes a core and up to twice [`MAX_MEMORY`].
static PERMITS: Semaphore = Semaphore::const_new(2);

/// Reasons why a picture cannot be re-encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// It is truncated or malformed.
    #[error("broken")]
    Broken,
    /// It has too many pixels.
    #[error("too many pixels")]
    TooManyPixels,
    /// The program failed, not the picture.
    #[error("encoding failed")]
    Failed,
}

impl From<ImageError> for PictureError {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self::TooManyPixels,
            _ => Self::Broken,
        }
    }
}

/// A re-encoded picture.
#[derive(Debug)]
pub struct EncodedPicture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The full size as WebP.
    pub full: Vec<u8>,
    /// Width and WebP of the variants: those of [`WIDTHS`] that are not wider than the picture.
    pub variants: Vec<(u32, Vec<u8>)>,
}

/// Re-encodes a picture on a blocking thread.
///
/// # Errors
/// [`PictureError`].
pub async fn reencode(format: ImageFormat, bytes: Vec<u8>) -> Result<EncodedPicture, PictureError> {
    let _turn = PERMITS.acquire().await.map_err(|_| PictureError::Failed)?;
    tokio::task::spawn_blocking(move || reencode_now(format, &bytes))
        .await
        .map_err(|_| PictureError::Failed)?
}

/// Scales a WebP picture down to a width on a blocking thread; none if it is not wider.
///
/// # Errors
/// [`PictureError`].
pub async fn scale_down(bytes: Vec<u8>, width: u32) -> Result<Option<Vec<u8>>, PictureError> {
    let _turn = PERMITS.acquire().await.map_err(|_| PictureError::Failed)?;
    tokio::task::spawn_blocking(move || {
        let source = decoded(ImageFormat::WebP, &bytes)?;
        if source.width() <= width {
            return Ok(None);
        }
        let height = scaled(source.height(), width, source.width());
        encoded(&resized(&source, width, height)).map(Some)
    })
    .await
    .map_err(|_| PictureError::Failed)?
}

fn reencode_now(format: ImageFormat, bytes: &[u8]) -> Result<EncodedPicture, PictureError> {
    let source = decoded(format, bytes)?;
    let (width, height) = fitting(source.width(), source.height());
    let whole = resized(&source, width, height);
    drop(source);
    let mut variants = Vec::new();
    for across in WIDTHS.into_iter().filter(|across| *across <= width) {
        let smaller = resized(&whole, across, scaled(height, across, width));
        variants.push((across, encoded(&smaller)?));
    }
    Ok(EncodedPicture {
        width,
        height,
        full: encoded(&whole)?,
        variants,
    })
}

/// Decodes a picture, upright. Its size is checked before any pixel is decoded.
fn decoded(format: ImageFormat, bytes: &[u8]) -> Result<DynamicImage, PictureError> {
    if format == ImageFormat::Jpeg && !jpeg_has_its_end(bytes) {
        return Err(PictureError::Broken);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    if pixels(width, height) > MAX_PIXELS || decoder.total_bytes() > MAX_MEMORY {
        return Err(PictureError::TooManyPixels);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder)?;
    image.apply_orientation(orientation);
    Ok(image)
}

/// Whether a JPEG has its end marker. Decoders forgive a missing end and fill the rest with grey.
fn jpeg_has_its_end(bytes: &[u8]) -> bool {
    let byte = |at: usize| bytes.get(at).copied();
    let mut at = 2;
    loop {
        // to the next marker: 0xff, any number of them, and a byte that is neither stuffing nor a restart
        match (byte(at), byte(at + 1)) {
            (Some(0xff), Some(0xd9)) => return true,
            (Some(0xff), Some(0x00 | 0x01 | 0xd0..=0xd8)) => at += 2,
            (Some(0xff), Some(0xff)) => at += 1,
            (Some(0xff), Some(_)) => match (byte(at + 2), byte(at + 3)) {
                (Some(high), Some(low)) => at += 2 + usize::from(u16::from_be_bytes([high, low])),
                _ => return false,
            },
            (Some(_), Some(_)) => at += 1,
            _ => return false,
        }
    }
}

fn resized(image: &DynamicImage, width: u32, height: u32) -> DynamicImage {
    if (image.width(), image.height()) == (width, height) {
        image.clone()
    } else if pixels(image.width(), image.height()) > MAX_FILTERED_PIXELS {
        image.thumbnail_exact(width, height)
    } else {
        image.resize_exact(width, height, FilterType::CatmullRom)
    }
}

fn encoded(image: &DynamicImage) -> Result<Vec<u8>, PictureError> {
    let (width, height) = (image.width(), image.height());
    let webp = if image.color().has_alpha() {
        let pixels = image.to_rgba8();
        webp::Encoder::from_rgba(&pixels, width, height).encode_simple(false, QUALITY)
    } else {
        let pixels = image.to_rgb8();
        webp::Encoder::from_rgb(&pixels, width, height).encode_simple(false, QUALITY)
    };
    webp.map(|bytes| bytes.to_vec())
        .map_err(|_| PictureError::Failed)
}

/// The size a picture is stored in.
fn fitting(width: u32, height: u32) -> (u32, u32) {
    let (width, height) = if width > MAX_WIDTH {
        (MAX_WIDTH, scaled(height, MAX_WIDTH, width))
    } else {
        (width, height)
    };
    if height > MAX_HEIGHT {
        (scaled(width, MAX_HEIGHT, height), MAX_HEIGHT)
    } else {
        (width, height)
    }
}

/// `length * to / from`, at least 1.
fn scaled(length: u32, to: u32, from: u32) -> u32 {
    let scaled = u64::from(length) * u64::from(to) / u64::from(from.max(1));
    u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
}

fn pixels(width: u32, height: u32) -> u64 {
    u64::from(width) * u64::from(height)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_picture_keeps_its_shape_and_fits_into_webp() {
        assert_eq!(fitting(300, 200), (300, 200));
        assert_eq!(fitting(5_120, 2_000), (2_560, 1_000));
        assert_eq!(fitting(860, 30_000), (469, 16_383));
        assert_eq!(fitting(30_000, 1), (2_560, 1));
    }

    #[tokio::test]
    async fn a_picture_is_made_narrower_but_never_wider() {
        let whole = encoded(&DynamicImage::new_rgb8(800, 600)).unwrap();
        let smaller = scale_down(whole.clone(), 400).await.unwrap().unwrap();
        let smaller = decoded(ImageFormat::WebP, &smaller).unwrap();
        assert_eq!((smaller.width(), smaller.height()), (400, 300));
        assert_eq!(scale_down(whole, 800).await.unwrap(), None);
    }

    #[test]
    fn the_end_of_a_jpeg_is_not_the_end_of_a_picture_inside_it() {
        let thumbnail = [0xff, 0xe1, 0x00, 0x06, 0xff, 0xd8, 0xff, 0xd9];
        let scan = [
            0xff, 0xda, 0x00, 0x02, 0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56,
        ];
        let begun = [&[0xff, 0xd8][..], &thumbnail, &scan].concat();
        assert!(!jpeg_has_its_end(&begun));
        assert!(jpeg_has_its_end(&[&begun[..], &[0xff, 0xd9]].concat()));
        assert!(!jpeg_has_its_end(&[]));
    }
}

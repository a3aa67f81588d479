//! Making a picture safe and small: drawn anew as WebP, upright, in several widths, and without anything its camera wrote
//! into it.

use std::io::Cursor;

use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use tokio::sync::Semaphore;

use super::folder::WIDTHS;

/// Pixels of a picture at most.
pub const PIXELS_MOST: u64 = 40_000_000;
/// Pixels of one side at most.
const SIDE_MOST: u32 = 30_000;
/// Bytes a picture may take in memory.
const MEMORY_MOST: u64 = 256 * 1024 * 1024;
/// Above this many pixels a picture is made smaller by plain averages: anything finer would take as much memory again.
const FINE_MOST: u64 = 8_000_000;
/// Pixels across the largest size that is kept.
const WIDTH_MOST: u32 = 2_560;
/// Pixels down that WebP can have.
const HEIGHT_MOST: u32 = 16_383;
/// Of 100.
const QUALITY: f32 = 82.0;

/// Pictures drawn at once: each takes a core and up to twice [`MEMORY_MOST`].
static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureFlaw {
    /// It ends too early, or is not what it begins as.
    #[error("broken")]
    Broken,
    /// It is larger than the shop wants to draw.
    #[error("too many pixels")]
    TooManyPixels,
    /// The program failed, not the picture.
    #[error("drawing failed")]
    Failed,
}

impl From<ImageError> for PictureFlaw {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self::TooManyPixels,
            _ => Self::Broken,
        }
    }
}

/// A picture drawn anew.
#[derive(Debug)]
pub struct Drawn {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// The whole picture as WebP.
    pub whole: Vec<u8>,
    /// Width to WebP, of [`WIDTHS`] those that are not wider than the picture.
    pub variants: Vec<(u32, Vec<u8>)>,
}

/// Draws a picture anew, beside the threads that answer requests.
///
/// # Errors
/// [`PictureFlaw`].
pub(crate) async fn draw(format: ImageFormat, bytes: Vec<u8>) -> Result<Drawn, PictureFlaw> {
    let _turn = AT_ONCE.acquire().await.map_err(|_| PictureFlaw::Failed)?;
    tokio::task::spawn_blocking(move || drawn(format, &bytes))
        .await
        .map_err(|_| PictureFlaw::Failed)?
}

/// A WebP picture at one width, beside the threads that answer requests; none if it is not wider than that.
///
/// # Errors
/// [`PictureFlaw`].
pub(crate) async fn narrower(bytes: Vec<u8>, width: u32) -> Result<Option<Vec<u8>>, PictureFlaw> {
    let _turn = AT_ONCE.acquire().await.map_err(|_| PictureFlaw::Failed)?;
    tokio::task::spawn_blocking(move || {
        let source = decoded(ImageFormat::WebP, &bytes)?;
        if source.width() <= width {
            return Ok(None);
        }
        let height = scaled(source.height(), width, source.width());
        encoded(&resized(&source, width, height)).map(Some)
    })
    .await
    .map_err(|_| PictureFlaw::Failed)?
}

fn drawn(format: ImageFormat, bytes: &[u8]) -> Result<Drawn, PictureFlaw> {
    let source = decoded(format, bytes)?;
    let (width, height) = fitting(source.width(), source.height());
    let whole = resized(&source, width, height);
    drop(source);
    let mut variants = Vec::new();
    for across in WIDTHS.into_iter().filter(|across| *across <= width) {
        let smaller = resized(&whole, across, scaled(height, across, width));
        variants.push((across, encoded(&smaller)?));
    }
    Ok(Drawn {
        width,
        height,
        whole: encoded(&whole)?,
        variants,
    })
}

/// The picture, upright. Its size is looked at before anything of it is unpacked.
fn decoded(format: ImageFormat, bytes: &[u8]) -> Result<DynamicImage, PictureFlaw> {
    if format == ImageFormat::Jpeg && !jpeg_has_its_end(bytes) {
        return Err(PictureFlaw::Broken);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_MOST);
    limits.max_image_height = Some(SIDE_MOST);
    limits.max_alloc = Some(MEMORY_MOST);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    if pixels(width, height) > PIXELS_MOST || decoder.total_bytes() > MEMORY_MOST {
        return Err(PictureFlaw::TooManyPixels);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder)?;
    image.apply_orientation(orientation);
    Ok(image)
}

/// Whether a JPEG goes on to its end marker. Decoders forgive a missing end and paint the rest grey.
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
    } else if pixels(image.width(), image.height()) > FINE_MOST {
        image.thumbnail_exact(width, height)
    } else {
        image.resize_exact(width, height, FilterType::CatmullRom)
    }
}

fn encoded(image: &DynamicImage) -> Result<Vec<u8>, PictureFlaw> {
    let (width, height) = (image.width(), image.height());
    let webp = if image.color().has_alpha() {
        let pixels = image.to_rgba8();
        webp::Encoder::from_rgba(&pixels, width, height).encode_simple(false, QUALITY)
    } else {
        let pixels = image.to_rgb8();
        webp::Encoder::from_rgb(&pixels, width, height).encode_simple(false, QUALITY)
    };
    webp.map(|bytes| bytes.to_vec())
        .map_err(|_| PictureFlaw::Failed)
}

/// The size a picture is kept in.
fn fitting(width: u32, height: u32) -> (u32, u32) {
    let (width, height) = if width > WIDTH_MOST {
        (WIDTH_MOST, scaled(height, WIDTH_MOST, width))
    } else {
        (width, height)
    };
    if height > HEIGHT_MOST {
        (scaled(width, HEIGHT_MOST, height), HEIGHT_MOST)
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
        let smaller = narrower(whole.clone(), 400).await.unwrap().unwrap();
        let smaller = decoded(ImageFormat::WebP, &smaller).unwrap();
        assert_eq!((smaller.width(), smaller.height()), (400, 300));
        assert_eq!(narrower(whole, 800).await.unwrap(), None);
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

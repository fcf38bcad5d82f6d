/**
 * Pictures as they were sent become pictures of ours: decoded, turned upright and written anew as WebP, so nothing of
 * the file itself is ever served: no metadata, no trailing bytes, no script (reliability.md 3.3).
 */
import sharp, { type Raw, type Sharp } from 'sharp';
import { invalidField } from '#kit/errors.ts';
import { keyOf, outside, refuseInTransaction } from './outside.ts';

/** A small file can unfold to gigabytes; a camera's picture has at most about 60 million pixels. */
const MOST_PIXELS = 64_000_000;
/** Decoding a picture this small reads it whole: what is cut off or made up is found. */
const THUMB = 64;
const QUALITY = 82;

// Pictures are rare and other requests are not: one processor at most, nothing kept in memory afterwards.
sharp.concurrency(1);
sharp.cache(false);

export interface PictureLimits {
  /** Field that refusals are reported on. */
  field: string;
  /** Pixels of the shorter side, at least. */
  smallest_side: number;
  /** Width times height, at most; 64 million unless told. */
  most_pixels?: number;
}

/** A square cut from the middle, or the whole picture no larger than it is. */
export interface PictureSize { side: number; fit: 'cover' | 'inside' }
export interface DrawnPicture { content: Buffer; width: number; height: number }

/** The picture upright as WebP in each of these sizes; 422 at the field where it is none, too small or too large. */
export function drawPicture(
  sent: Buffer, limits: PictureLimits, sizes: readonly PictureSize[],
): Promise<DrawnPicture[]> {
  return outside(keyOf('picture', sent, limits, sizes), async () => {
    const picture = await open(sent, limits);
    const largest = Math.max(...sizes.map(({ side }) => side));
    const { data, info } = await reading(limits.field, () => resized(picture, { side: largest, fit: sizes[0]!.fit })
      .raw().toBuffer({ resolveWithObject: true }));
    const raw: Raw = { width: info.width, height: info.height, channels: info.channels };
    return Promise.all(sizes.map(async (size) => {
      const drawn = await resized(sharp(data, { raw }), size).webp({ quality: QUALITY })
        .toBuffer({ resolveWithObject: true });
      return { content: drawn.data, width: drawn.info.width, height: drawn.info.height };
    }));
  });
}

/** Refuses what is no whole picture, at the field. */
export function checkPicture(sent: Buffer, limits: PictureLimits): Promise<void> {
  return outside(keyOf('picture check', sent, limits), async () => {
    const picture = await open(sent, limits);
    await reading(limits.field, () => picture.resize(THUMB).toBuffer());
  });
}

const resized = (picture: Sharp, { side, fit }: PictureSize): Sharp =>
  picture.resize(side, side, { fit, withoutEnlargement: fit === 'inside' });

async function open(sent: Buffer, { field, smallest_side, most_pixels = MOST_PIXELS }: PictureLimits): Promise<Sharp> {
  refuseInTransaction('A picture is decoded');
  const options = { limitInputPixels: most_pixels, failOn: 'error', sequentialRead: true } as const;
  const { width, height } = await reading(field, () => sharp(sent, { ...options, limitInputPixels: false }).metadata());
  if (width * height > most_pixels) {
    throw invalidField(field, `This picture has ${Math.round(width * height / 1_000_000)} million pixels. `
      + `Choose one with at most ${most_pixels / 1_000_000} million.`);
  }
  if (Math.min(width, height) < smallest_side) {
    throw invalidField(field, `Choose a picture of at least ${smallest_side} × ${smallest_side} pixels`);
  }
  return sharp(sent, options).autoOrient();
}

/** Rejects a file the decoder cannot read as not an image, regardless of its name and first bytes. */
async function reading<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    throw invalidField(field, 'This file could not be read as a picture. Choose a PNG, JPEG or WebP.');
  }
}

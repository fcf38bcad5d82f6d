/**
 * Pictures as they were sent become pictures of ours: decoded, turned upright and written anew as WebP, so nothing of
 * the file itself is ever served: no metadata, no trailing bytes, no script (reliability.md 3.3).
 */
import sharp, { type Sharp } from 'sharp';
import { invalidField } from '#kit/errors.ts';

/** A small file can unfold to gigabytes; a camera's picture has at most about 60 million pixels. */
export const MOST_PIXELS = 64_000_000;

// Pictures are rare and other requests are not: one processor at most, nothing kept in memory afterwards.
sharp.concurrency(1);
sharp.cache(false);

export interface PictureLimits {
  /** Where refusals stand. */
  field: string;
  /** Pixels of the shorter side, at least. */
  smallest_side: number;
}

/** The picture upright, to be resized and written; 422 at the field where it is none, too small or too large. */
export async function openPicture(sent: Buffer, { field, smallest_side }: PictureLimits): Promise<Sharp> {
  const options = { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true } as const;
  const { width, height } = await reading(field, () => sharp(sent, { ...options, limitInputPixels: false }).metadata());
  if (width * height > MOST_PIXELS) {
    throw invalidField(field, `This picture has ${Math.round(width * height / 1_000_000)} million pixels. `
      + `Choose one with at most ${MOST_PIXELS / 1_000_000} million.`);
  }
  if (Math.min(width, height) < smallest_side) {
    throw invalidField(field, `Choose a picture of at least ${smallest_side} × ${smallest_side} pixels`);
  }
  return sharp(sent, options).autoOrient();
}

/** Whatever the decoder cannot read is no picture, whatever its name and its first bytes say. */
export async function reading<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    throw invalidField(field, 'This file could not be read as a picture. Choose a PNG, JPEG or WebP.');
  }
}

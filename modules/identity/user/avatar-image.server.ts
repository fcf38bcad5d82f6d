/**
 * A picture as it was sent becomes pictures of ours: decoded, turned upright, cropped to a square and written anew as
 * WebP in every size, so nothing of the file itself is ever served: no metadata, no trailing bytes, no script.
 */
import sharp from 'sharp';
import { AVATAR_SIZES, type AvatarSize } from '#kit/avatar.ts';
import { invalidField } from '#kit/errors.ts';

/** A small file can unfold to gigabytes; a camera's picture has at most about 60 million pixels. */
const MOST_PIXELS = 64_000_000;
const SMALLEST_SIDE = 48;
/** Dense screens show two pixels for one. */
const DENSITY = 2;
const FIELD = 'avatar';

// Pictures are rare and other requests are not: one processor at most, nothing kept in memory afterwards.
sharp.concurrency(1);
sharp.cache(false);

export interface AvatarImage { size: AvatarSize; content: Buffer }

/** All sizes of a picture; refusals stand at the field `avatar`. */
export async function drawAvatar(sent: Buffer): Promise<AvatarImage[]> {
  const options = { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true } as const;
  const { width, height } = await reading(() => sharp(sent, { ...options, limitInputPixels: false }).metadata());
  if (width * height > MOST_PIXELS) {
    throw invalidField(FIELD, `This picture has ${Math.round(width * height / 1_000_000)} million pixels. `
      + `Choose one with at most ${MOST_PIXELS / 1_000_000} million.`);
  }
  if (Math.min(width, height) < SMALLEST_SIDE) {
    throw invalidField(FIELD, `Choose a picture of at least ${SMALLEST_SIDE} × ${SMALLEST_SIDE} pixels`);
  }
  const largest = AVATAR_SIZES.xl * DENSITY;
  const upright = await reading(() => sharp(sent, options).autoOrient()
    .resize(largest, largest, { fit: 'cover' }).png().toBuffer());
  return Promise.all((Object.keys(AVATAR_SIZES) as AvatarSize[]).map(async (size) => {
    const pixels = AVATAR_SIZES[size] * DENSITY;
    return { size, content: await sharp(upright).resize(pixels, pixels).webp({ quality: 82 }).toBuffer() };
  }));
}

/** Whatever the decoder cannot read is no picture, whatever its name and its first bytes say. */
async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    throw invalidField(FIELD, 'This file could not be read as a picture. Choose a PNG, JPEG or WebP.');
  }
}

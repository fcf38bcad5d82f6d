/** A picture of a person, cropped to a square and drawn anew in every size. */
import { AVATAR_SIZES, type AvatarSize } from '#kit/avatar.ts';
import { drawPicture } from '#server/image.ts';

const SMALLEST_SIDE = 48;
/** Reliability.md 3.3. */
const MOST_PIXELS = 40_000_000;
/** Dense screens show two pixels for one. */
const DENSITY = 2;
const FIELD = 'avatar';

export interface AvatarImage { size: AvatarSize; content: Buffer }

/** All sizes of a picture; refusals stand at the field `avatar`. */
export async function drawAvatar(sent: Buffer): Promise<AvatarImage[]> {
  const sizes = Object.keys(AVATAR_SIZES) as AvatarSize[];
  const drawn = await drawPicture(sent, { field: FIELD, smallest_side: SMALLEST_SIDE, most_pixels: MOST_PIXELS },
    sizes.map((size) => ({ side: AVATAR_SIZES[size] * DENSITY, fit: 'cover' })));
  return sizes.map((size, at) => ({ size, content: drawn[at]!.content }));
}

/** A picture of a person, cropped to a square and drawn anew in every size. */
import sharp from 'sharp';
import { AVATAR_SIZES, type AvatarSize } from '#kit/avatar.ts';
import { openPicture, reading } from '#server/image.ts';

const SMALLEST_SIDE = 48;
/** Dense screens show two pixels for one. */
const DENSITY = 2;
const FIELD = 'avatar';

export interface AvatarImage { size: AvatarSize; content: Buffer }

/** All sizes of a picture; refusals stand at the field `avatar`. */
export async function drawAvatar(sent: Buffer): Promise<AvatarImage[]> {
  const picture = await openPicture(sent, { field: FIELD, smallest_side: SMALLEST_SIDE });
  const largest = AVATAR_SIZES.xl * DENSITY;
  const upright = await reading(FIELD, () => picture.resize(largest, largest, { fit: 'cover' }).png().toBuffer());
  return Promise.all((Object.keys(AVATAR_SIZES) as AvatarSize[]).map(async (size) => {
    const pixels = AVATAR_SIZES[size] * DENSITY;
    return { size, content: await sharp(upright).resize(pixels, pixels).webp({ quality: 82 }).toBuffer() };
  }));
}

/** Pictures of people in the sizes of SPEC.md section 9 (C76); their pixels: gaps G63. */

/** Pixels of each side as shown; pictures are kept twice as dense. */
export const AVATAR_SIZES = { sm: 24, regular: 32, md: 40, lg: 56, xl: 80 } as const;
/** Shown until a picture is given; on the one host that also answers the calls (C81). */
export const DEFAULT_AVATAR = '/images/default-avatar.svg';
export type AvatarSize = keyof typeof AVATAR_SIZES;
export const AVATAR_SIZE_NAMES = Object.keys(AVATAR_SIZES) as [AvatarSize, ...AvatarSize[]];

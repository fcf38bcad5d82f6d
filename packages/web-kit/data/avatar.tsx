/**
 * A person's or an organisation's picture; initials until one is given. Sizes of SPEC.md 9 (C76): sm 20, regular 28,
 * md 36, lg 48, xl 72 px.
 */
import { useState } from 'react';
import styles from './avatar.module.css';

export const AVATAR_SIZES = { sm: 20, regular: 28, md: 36, lg: 48, xl: 72 } as const;
export type AvatarSize = keyof typeof AVATAR_SIZES;

/** 'Eleanor Marsh' gives 'EM', 'Astoria' gives 'A'. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words[0]?.[0] ?? '';
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? '') : '';
  return (first + last).toUpperCase();
}

export interface AvatarProps {
  name: string;
  url?: string | null | undefined;
  size?: AvatarSize | undefined;
}

/** Decorative beside the person's name: hidden from screen readers. */
export function Avatar({ name, url, size = 'regular' }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const pixels = AVATAR_SIZES[size];
  const tone = Array.from(name).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 3;
  return (
    <span className={styles.avatar} data-tone={tone} aria-hidden="true"
      style={{ width: pixels, height: pixels, fontSize: Math.max(8, Math.round(pixels * 0.38)) }}>
      {url && broken !== url
        ? <img src={url} alt="" width={pixels} height={pixels} onError={() => setBroken(url)} />
        : initialsOf(name)}
    </span>
  );
}

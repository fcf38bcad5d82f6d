/**
 * A person's or an organisation's picture. Until one is given, the default avatar of the API host (SPEC.md 9, C81) with
 * the initials in it. Sizes: C76, their pixels gaps G63.
 */
import { useState } from 'react';
import styles from './avatar.module.css';

export const AVATAR_SIZES = { sm: 24, regular: 32, md: 40, lg: 56, xl: 80 } as const;
/** On the one host that also answers the calls. */
export const DEFAULT_AVATAR = '/images/default-avatar.svg';
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
        : (
          <>
            <img src={DEFAULT_AVATAR} alt="" className={styles.plate} width={pixels} height={pixels} />
            {initialsOf(name)}
          </>
        )}
    </span>
  );
}

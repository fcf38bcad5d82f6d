/**
 * A person's or an organisation's picture. Until one is given, the default avatar of the API host (SPEC.md 9, C81) with
 * the initials in it. Sizes: C76, their pixels gaps G63.
 */
import { useState } from 'react';
import { AVATAR_SIZES, DEFAULT_AVATAR, type AvatarSize } from '#kit/avatar.ts';
import styles from './avatar.module.css';

export { AVATAR_SIZES, DEFAULT_AVATAR, type AvatarSize };

/**
 * Pictures of people are asked of the host this page came from, whatever name of it stands in their address (an
 * installation is reached as localhost and as 127.0.0.1), in the size they are shown in.
 */
function sourceOf(url: string, size: AvatarSize): string {
  const path = /^https?:\/\/[^/]+(\/api\/users\/[^?#]+)$/.exec(url)?.[1];
  return path ? `${path}?size=${size}` : url;
}

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
        ? <img src={sourceOf(url, size)} alt="" width={pixels} height={pixels} onError={() => setBroken(url)} />
        : (
          <>
            <img src={DEFAULT_AVATAR} alt="" className={styles.plate} width={pixels} height={pixels} />
            {initialsOf(name)}
          </>
        )}
    </span>
  );
}

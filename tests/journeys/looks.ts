/**
 * Looks of screens as small grids: a screenshot is drawn with one point for 16 px, a recorded look is that grid packed
 * into text. Two looks are alike when few cells changed visibly; a moved button changes many, a shimmering edge none.
 */
import type { Page } from '@playwright/test';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** px of a cell's edge. */
const CELL = 16;
/** Distance a channel (0 to 255) of a cell may move before it counts as changed. */
const STEP = 10;

export interface Look { width: number; height: number; cells: string }
/** Environment of the recorded looks; another browser or other fonts draw other edges. */
export interface Recorded { chromium: string; fonts: string; looks: Record<string, Look> }

const FILE = fileURLToPath(new URL('./looks.json', import.meta.url));
const FONTS = fileURLToPath(new URL('../../packages/web-kit/theme/fonts/', import.meta.url));

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;
}

export function writeRecorded(recorded: Recorded): void {
  const before = existsSync(FILE) ? readRecorded().looks : {};
  const looks = Object.entries({ ...before, ...recorded.looks }).toSorted(([a], [b]) => a < b ? -1 : 1);
  writeFileSync(FILE, `${JSON.stringify({ ...recorded, looks: Object.fromEntries(looks) }, null, 1)}\n`);
}

/** Stands for the faces that the product brings along. */
export function fontsMark(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(FONTS).toSorted()) hash.update(name).update(readFileSync(`${FONTS}${name}`));
  return hash.digest('hex').slice(0, 16);
}

/** A screenshot as small as its cells; `canvas` is a page of its own, without the product's rules about images. */
export async function lookOf(page: Page, canvas: Page): Promise<Look> {
  await page.evaluate(() => document.fonts.ready);
  const shot = await page.screenshot({ animations: 'disabled' });
  const { width, height, values } = await canvas.evaluate(async ({ picture, cell }) => {
    const whole = await (await fetch(`data:image/png;base64,${picture}`)).blob();
    const { width: wide, height: high } = await createImageBitmap(whole);
    const size = { width: Math.ceil(wide / cell), height: Math.ceil(high / cell) };
    const small = await createImageBitmap(whole,
      { resizeWidth: size.width, resizeHeight: size.height, resizeQuality: 'high' });
    const drawn = new OffscreenCanvas(size.width, size.height).getContext('2d')!;
    drawn.drawImage(small, 0, 0);
    const { data } = drawn.getImageData(0, 0, size.width, size.height);
    return { ...size, values: [...data].filter((_, at) => at % 4 !== 3) };
  }, { picture: shot.toString('base64'), cell: CELL });
  return { width, height, cells: deflateRawSync(Buffer.from(values), { level: 9 }).toString('base64') };
}

const valuesOf = (look: Look): Buffer => inflateRawSync(Buffer.from(look.cells, 'base64'));

/** Cells that look otherwise, and the part of the screen they lie in; null where the sizes differ. */
export function changed(before: Look, after: Look): { cells: number; where: string } | null {
  if (before.width !== after.width || before.height !== after.height) return null;
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const xs: number[] = [];
  const ys: number[] = [];
  for (let cell = 0; cell < before.width * before.height; cell += 1) {
    const moved = [0, 1, 2].some((channel) => Math.abs(old[cell * 3 + channel]! - now[cell * 3 + channel]!) > STEP);
    if (!moved) continue;
    xs.push(cell % before.width);
    ys.push(Math.floor(cell / before.width));
  }
  const span = (at: number[]): string => `${Math.min(...at) * CELL} to ${(Math.max(...at) + 1) * CELL}`;
  return { cells: xs.length, where: xs.length === 0 ? '' : `x ${span(xs)}, y ${span(ys)}` };
}

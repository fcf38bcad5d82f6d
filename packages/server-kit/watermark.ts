/**
 * Who reads a page, written across it: the drawn page and the words become one picture, so that nothing can be taken
 * off. Letters are drawn from our own fonts as outlines; a machine without fonts draws the same.
 */
import { createRequire } from 'node:module';
import { openSync, type Font } from 'fontkit';
import sharp from 'sharp';
import { keyOf, outside } from './outside.ts';
import { drawPage } from './pdf-pages.ts';
import type { PagePixels } from './pdf-pages-thread.ts';

let opened: Font | null = null;
function font(): Font {
  opened ??= openSync(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')) as Font;
  return opened;
}

/** One line as an SVG path of this height in pixels, its left end at 0, and how wide it is. */
function outline(text: string, size: number): { path: string; width: number } {
  const scale = size / font().unitsPerEm;
  let x = 0;
  const shapes: string[] = [];
  const run = font().layout(text);
  for (const [at, glyph] of run.glyphs.entries()) {
    const d = glyph.path.toSVG();
    if (d !== '') shapes.push(`<path transform="translate(${x} 0)" d="${d}"/>`);
    x += run.positions[at]?.xAdvance ?? 0;
  }
  // Outlines of fonts count upwards, pictures downwards.
  return { path: `<g transform="scale(${scale} ${-scale})">${shapes.join('')}</g>`, width: x * scale };
}

const LONGEST_LINE = 90;

export interface WatermarkInput {
  /** Across the page, again and again: the reader's name and address. */
  across: string;
  /** Once at its foot, to be read without effort. */
  foot: string;
}

/** The words over a page of this size. */
export function watermarkSvg({ across, foot }: WatermarkInput, width: number, height: number): string {
  const size = Math.round(width / 46);
  const line = outline(across.slice(0, LONGEST_LINE), size);
  const end = outline(foot.slice(0, LONGEST_LINE * 2), Math.round(width / 78));
  const step = Math.round(height / 5);
  const rows: string[] = [];
  for (let y = -height / 2, at = 0; y < height * 1.5; y += step, at += 1) {
    for (let x = (at % 2) * -line.width / 2 - line.width; x < width * 1.5; x += line.width + width / 12) {
      rows.push(`<use href="#line" x="${Math.round(x)}" y="${Math.round(y)}"/>`);
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><g id="line">${line.path}</g></defs>
<g fill="#5a4a8a" fill-opacity=".13" transform="rotate(-28 ${width / 2} ${height / 2})">${rows.join('')}</g>
<g fill="#333" fill-opacity=".75" transform="translate(${Math.round((width - end.width) / 2)} ${
    height - Math.round(width / 70)})">${end.path}</g>
</svg>`;
}

/** Page `page` of a PDF, from 1, so many pixels wide, as a JPEG with the words in it. */
export function markedPage(content: Buffer, page: number, width: number, words: WatermarkInput): Promise<Buffer> {
  return outside(keyOf('marked page', content, page, width, words),
    async () => watermarked(await drawPage(content, page, width), words));
}

async function watermarked(page: PagePixels, words: WatermarkInput): Promise<Buffer> {
  return sharp(page.data, { raw: { width: page.width, height: page.height, channels: 4 } })
    .composite([{ input: Buffer.from(watermarkSvg(words, page.width, page.height)) }])
    .flatten({ background: '#ffffff' }).jpeg({ quality: 80 }).toBuffer();
}

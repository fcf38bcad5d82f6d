/**
 * Watermarks a page with the name of its reader: the drawn page and the text become one image, so that nothing can be
 * removed. Letters are drawn from our own fonts as outlines; a machine without fonts draws the same.
 */
import sharp from 'sharp';
import { keyOf, outside } from './outside.ts';
import {
  faceAfter, LEFT_TO_RIGHT, prepareFaces, RIGHT_TO_LEFT, RIGHT_TO_LEFT_TEXT, type DocumentFace,
} from './pdf-fonts.ts';
import { drawPage } from './pdf-pages.ts';
import type { PagePixels } from './pdf-pages-thread.ts';

/** One line as SVG paths of this height in pixels, its left end at 0, and how wide it is. */
function outline(text: string, size: number): { path: string; width: number } {
  let x = 0;
  const shapes: string[] = [];
  for (const run of runsOf(text)) {
    const { font } = run.face;
    const scale = size / font.unitsPerEm;
    const direction = RIGHT_TO_LEFT_TEXT.test(run.text) ? RIGHT_TO_LEFT : LEFT_TO_RIGHT;
    const { glyphs, positions } = font.layout(run.text, [direction]);
    for (const [at, { id }] of glyphs.entries()) {
      const { xOffset, yOffset, xAdvance } = positions[at]!;
      const d = font.getGlyph(id).path.toSVG();
      // Outlines of fonts count upwards, pictures downwards.
      if (d !== '') {
        shapes.push(`<path transform="translate(${x + xOffset * scale} ${-yOffset * scale}) scale(${scale} ${
          -scale})" d="${d}"/>`);
      }
      x += xAdvance * scale;
    }
  }
  return { path: `<g>${shapes.join('')}</g>`, width: x };
}

function runsOf(text: string): { face: DocumentFace; text: string }[] {
  const runs: { face: DocumentFace; text: string }[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const face = faceAfter('regular', character, last?.face);
    if (last?.face === face) last.text += character;
    else runs.push({ face, text: character });
  }
  return runs;
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
  await prepareFaces('regular', words.across + words.foot);
  return sharp(page.data, { raw: { width: page.width, height: page.height, channels: 4 } })
    .composite([{ input: Buffer.from(watermarkSvg(words, page.width, page.height)) }])
    .flatten({ background: '#ffffff' }).jpeg({ quality: 80 }).toBuffer();
}

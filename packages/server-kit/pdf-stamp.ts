/**
 * Stamps each page of a PDF with the owner of the copy: across the page as a pale pattern, and once in the footer. The
 * text is set in our own fonts and overlaid in the thread that reads PDFs (pdf-pages-thread.ts); text and music stay as
 * sharp as they are, since the copy is printed and played from.
 */
import PDFDocument from 'pdfkit';
import { keyOf, outside } from './outside.ts';
import { mainFaces, prepareFaces } from './pdf-fonts.ts';
import { stampPages } from './pdf-pages.ts';
import { textWidth, writeText, type TextBox } from './pdf-text.ts';
import type { WatermarkInput } from './watermark.ts';

/** The pattern covers pages up to twice as high as wide, as wide as 1000 of its points. */
const STAMP = { width: 1000, height: 2200, foot: 30 } as const;
const LINE: TextBox = { lineBreak: false };
const ACROSS = { size: 21, step: 260, gap: 90, angle: -28 } as const;

/** The PDF with these words on every page. Throws `UnreadablePdf` where it is damaged, or protected against changes. */
export function stampedPdf(content: Buffer, words: WatermarkInput): Promise<Buffer> {
  return outside(keyOf('stamped', content, words), async () => stampPages(content, await stampOf(words)));
}

/** Two pages: the pattern, and the line at the foot. */
async function stampOf({ across, foot }: WatermarkInput): Promise<Buffer> {
  const { width, height } = STAMP;
  const regular = mainFaces().regular;
  await prepareFaces(regular.name, across + foot);
  const pdf = new PDFDocument({ size: [width, height], margin: 0, autoFirstPage: false });
  pdf.registerFont(regular.name, regular.font as unknown as Buffer);
  const parts: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts)))
      .on('error', reject);
  });
  pdf.addPage({ size: [width, height], margin: 0 });
  pdf.fillColor('#5a4a8a', 0.16);
  const pattern = { face: regular.name, size: ACROSS.size };
  const wide = textWidth(pdf, pattern, across) + ACROSS.gap;
  pdf.rotate(ACROSS.angle, { origin: [width / 2, height] });
  for (let y = -height, row = 0; y < height * 1.5; y += ACROSS.step, row += 1) {
    for (let x = -width * 2.5 - (row % 2) * wide / 2; x < width * 2; x += wide) {
      writeText(pdf, pattern, across, x, y, LINE);
    }
  }
  pdf.addPage({ size: [width, STAMP.foot], margin: 0 });
  let size = 12.5;
  const widthAt = (points: number): number => textWidth(pdf, { face: regular.name, size: points }, foot);
  while (size > 6 && widthAt(size) > width - 40) size -= 0.5;
  pdf.fillColor('#333333', 0.85);
  writeText(pdf, { face: regular.name, size }, foot, (width - widthAt(size)) / 2, 10, LINE);
  pdf.end();
  return done;
}

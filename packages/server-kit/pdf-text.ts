/**
 * Text of documents in any script: lines are broken where words end, put in the order of reading (Unicode annex 9), and
 * drawn run by run with the font that has them. Text that the main font has and that runs from left to right takes the
 * short way through pdfkit.
 */
import bidiFactory from 'bidi-js';
import {
  faceAfter, hasMain, LEFT_TO_RIGHT, mainFaces, RIGHT_TO_LEFT, RIGHT_TO_LEFT_TEXT, type DocumentFace, type FaceName,
} from './pdf-fonts.ts';

type Doc = PDFKit.PDFDocument;

export interface TextStyle { face: FaceName; size: number; color?: string }
export interface TextBox extends Pick<PDFKit.Mixins.TextOptions, 'lineGap' | 'lineBreak' | 'height' | 'ellipsis'> {
  /** Of a line that is not broken, none. */
  width?: number;
  align?: 'left' | 'right';
}

/** Scripts whose glyphs do not tell their text one by one. */
const SYLLABLES = /[\u0900-\u0dff\u0e00-\u0eff\u1780-\u17ff]/;

// Its types speak of a module with a default; what Node imports is the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const words = new Intl.Segmenter('und', { granularity: 'word' });
const letters = new Intl.Segmenter('und', { granularity: 'grapheme' });

const isPlain = (text: string, face: FaceName): boolean => !RIGHT_TO_LEFT_TEXT.test(text)
  && Array.from(text).every((character) => hasMain(face, character.codePointAt(0)!) || /[\n\r\t]/.test(character));

/** Width of the text on one line. */
export function textWidth(doc: Doc, style: TextStyle, text: string): number {
  return isPlain(text, style.face) ? doc.font(style.face).fontSize(style.size).widthOfString(text)
    : measured(doc, style, text);
}

/** Writes the text with its top left corner at x, y; the y position moves below it. */
export function writeText(doc: Doc, style: TextStyle, text: string, x: number, y: number, box: TextBox): void {
  doc.font(style.face).fontSize(style.size);
  if (style.color !== undefined) doc.fillColor(style.color);
  if (isPlain(text, style.face)) {
    doc.text(text, x, y, box);
    return;
  }
  const step = lineStep(doc, style, box);
  const rise = (mainFaces()[style.face].font.ascent / mainFaces()[style.face].font.unitsPerEm) * style.size;
  const lines = linesOf(doc, style, text, box);
  for (const [at, line] of lines.entries()) {
    const left = box.align === 'right' && box.width !== undefined ? x + box.width - line.width : x;
    drawLine(doc, style, line, left, y + at * step + rise);
  }
  doc.font(style.face);
  doc.x = x;
  doc.y = y + lines.length * step;
}

export function textHeight(doc: Doc, style: TextStyle, text: string, box: TextBox): number {
  doc.font(style.face).fontSize(style.size);
  if (isPlain(text, style.face)) return doc.heightOfString(text, box);
  return linesOf(doc, style, text, box).length * lineStep(doc, style, box);
}

const lineStep = (doc: Doc, style: TextStyle, box: TextBox): number =>
  doc.font(style.face).fontSize(style.size).currentLineHeight(true) + (box.lineGap ?? 0);

/** Papers are in English: a line with Latin letters runs from left to right, whatever name it begins with. */
const baseOf = (paragraph: string): 'ltr' | 'auto' => (/\p{Script=Latin}/u.test(paragraph) ? 'ltr' : 'auto');

interface Run { text: string; face: DocumentFace; level: number; width: number }
interface Line { runs: readonly Run[]; width: number }

function linesOf(doc: Doc, style: TextStyle, text: string, box: TextBox): Line[] {
  return text.split('\n').flatMap((paragraph) => {
    const { levels } = bidi.getEmbeddingLevels(paragraph, baseOf(paragraph));
    const lines = box.width === undefined || box.lineBreak === false || box.height !== undefined
      ? [[0, paragraph.length] as const] : broken(doc, style, paragraph, box.width);
    return lines.map(([from, to]) => visualLine(doc, style, paragraph, levels, from, to));
  });
}

/** Start and end of each line: as many pieces as fit; a piece wider than the line is broken between its letters. */
function broken(doc: Doc, style: TextStyle, paragraph: string, width: number): (readonly [number, number])[] {
  const lines: [number, number][] = [];
  let from = 0, used = 0;
  for (const piece of piecesOf(doc, style, paragraph, width)) {
    const bare = measured(doc, style, piece.text.trimEnd());
    if (used > 0 && used + bare > width) {
      lines.push([from, piece.at]);
      from = piece.at;
      used = 0;
    }
    used += measured(doc, style, piece.text);
  }
  lines.push([from, paragraph.length]);
  return lines;
}

/** Words with the spaces and the signs that close behind them. */
function piecesOf(doc: Doc, style: TextStyle, paragraph: string, width: number): { at: number; text: string }[] {
  const pieces: { at: number; text: string }[] = [];
  for (const { segment, index } of words.segment(paragraph)) {
    const last = pieces.at(-1);
    if (last && (/^[\s\p{Pe}\p{Pf}\p{Po}\p{Pd}\p{M}]+$/u.test(segment) || /[\p{Ps}\p{Pi}]$/u.test(last.text))) {
      last.text += segment;
    } else pieces.push({ at: index, text: segment });
  }
  return pieces.flatMap((piece) => (measured(doc, style, piece.text) <= width ? [piece]
    : Array.from(letters.segment(piece.text), ({ segment, index }) => ({ at: piece.at + index, text: segment }))));
}

const measured = (doc: Doc, style: TextStyle, text: string): number =>
  runsOf(doc, style, text, null).reduce((sum, run) => sum + run.width, 0);

/** Runs of one font and one level, in the order of the text. */
function runsOf(doc: Doc, style: TextStyle, text: string, levels: Uint8Array | null): Run[] {
  const runs: Run[] = [];
  let at = 0;
  for (const character of text) {
    const level = levels?.[at] ?? 0;
    at += character.length;
    const last = runs.at(-1);
    const face = faceAfter(style.face, character, last?.face);
    if (last && last.face === face && last.level === level) last.text += character;
    else runs.push({ text: character, face, level, width: 0 });
  }
  for (const run of runs) {
    doc.registerFont(run.face.name, run.face.font as unknown as Buffer);
    run.width = doc.font(run.face.name).fontSize(style.size).widthOfString(run.text, featuresOf(run));
  }
  return runs;
}

const featuresOf = ({ level }: Pick<Run, 'level'>): PDFKit.Mixins.TextOptions =>
  ({ features: [level % 2 === 1 ? RIGHT_TO_LEFT : LEFT_TO_RIGHT] as unknown as PDFKit.Mixins.OpenTypeFeatures[] });

function visualLine(
  doc: Doc, style: TextStyle, paragraph: string, levels: Uint8Array, from: number, to: number,
): Line {
  const text = paragraph.slice(from, to).trimEnd();
  const runs = runsOf(doc, style, text, levels.subarray(from, from + text.length));
  const most = Math.max(0, ...runs.map(({ level }) => level));
  // From the highest level down, whatever stands together at or above it turns round (rule L2).
  for (let level = most; level >= 1; level -= 1) {
    for (let start = 0; start < runs.length; start += 1) {
      let end = start;
      while (end < runs.length && runs[end]!.level >= level) end += 1;
      if (end > start) runs.splice(start, end - start, ...runs.slice(start, end).toReversed());
      start = end;
    }
  }
  return { runs, width: runs.reduce((sum, run) => sum + run.width, 0) };
}

function drawLine(doc: Doc, style: TextStyle, line: Line, left: number, baseline: number): void {
  let x = left;
  for (const run of line.runs) {
    const draw = (): void => {
      doc.font(run.face.name).fontSize(style.size)
        .text(run.text, x, baseline, { ...featuresOf(run), lineBreak: false, baseline: 'alphabetic' });
    };
    if (SYLLABLES.test(run.text)) spelled(doc, run, style.size, draw);
    else draw();
    x += run.width;
  }
}

/**
 * Text whose glyphs stand in another order than its letters names itself, for whoever copies, searches or hears it.
 * Readers place and size such text by what holds where its marks end, so the turned axis and the font that pdfkit sets
 * for each text are set around them.
 */
function spelled(doc: Doc, run: Run, size: number, draw: () => void): void {
  doc.font(run.face.name);
  const { id } = (doc as unknown as { _font: { id: string } })._font;
  doc.save();
  doc.transform(1, 0, 0, -1, 0, doc.page.height);
  doc.addContent(`/${id} ${size} Tf`);
  doc.markContent('Span', { actual: run.text });
  const { transform } = doc;
  doc.transform = () => doc;
  draw();
  doc.transform = transform;
  doc.endMarkedContent();
  doc.restore();
}

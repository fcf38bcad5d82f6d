/**
 * The fonts of documents: DejaVu for Latin, Greek, Cyrillic, Hebrew, Arabic and more, Noto Sans for the other scripts
 * (decision 25). Noto comes as variable fonts in slices of the code; a slice is made a plain font when a document needs
 * it. HarfBuzz shapes what is not written letter by letter from left to right; fontkit embeds the glyphs.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, openSync, type Font, type Glyph, type GlyphRun } from 'fontkit';
import { Blob, Buffer as ShapeBuffer, Direction, Face, Font as ShapeFont, shape } from 'harfbuzzjs';
import subsetFont from 'subset-font';

export type FaceName = 'regular' | 'bold' | 'serif';
export interface DocumentFace<Name extends string = string> { name: Name; font: Font }

const { resolve } = createRequire(import.meta.url);

const MAIN_FILES: Readonly<Record<FaceName, string>> = {
  regular: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  serif: 'dejavu-fonts-ttf/ttf/DejaVuSerif-Bold.ttf',
};

const FAMILIES = ['devanagari', 'bengali', 'gujarati', 'gurmukhi', 'oriya', 'tamil', 'telugu', 'kannada', 'malayalam',
  'sinhala', 'thai', 'khmer', 'kr', 'sc'] as const;
/** Scripts that DejaVu covers. */
const WESTERN = /^(?:latin|cyrillic|greek|vietnamese)/;

/** Named as OpenType names what holds in such text; pdfkit hands it through, and it says which way to shape. */
export const RIGHT_TO_LEFT = 'rtla';
export const LEFT_TO_RIGHT = 'ltra';

/** Hebrew, Arabic and their neighbours, their forms for old software, and the marks of direction. */
export const RIGHT_TO_LEFT_TEXT =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]|\ud802|\ud83a/;

interface Slice { key: string; file: string; ranges: readonly (readonly [from: number, to: number])[] }

type MainFaces = Readonly<{ [Name in FaceName]: DocumentFace<Name> }>;
let mains: MainFaces | null = null;
let slices: Slice[] | null = null;
const loaded = new Map<string, Promise<DocumentFace>>();
const ready = new Map<string, DocumentFace>();

/** Reading the fonts takes most of a document's time, so they are read once for all of them. */
export function mainFaces(): MainFaces {
  mains ??= Object.fromEntries(Object.entries(MAIN_FILES).map(([name, file]) => {
    const path = resolve(file);
    return [name, { name, font: shaping(openSync(path) as Font, () => readFileSync(path)) }];
  })) as unknown as MainFaces;
  return mains;
}

const numbers = (range: string): [number, number] => {
  const [from = '', to = from] = range.trim().replace(/^U\+/i, '').split('-');
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
};

function allSlices(): readonly Slice[] {
  slices ??= FAMILIES.flatMap((family) => {
    const ranges = JSON.parse(readFileSync(resolve(`@fontsource-variable/noto-sans-${family}/unicode.json`), 'utf8')) as
      Record<string, string>;
    return Object.entries(ranges).filter(([part]) => !WESTERN.test(part)).map(([part, text]) => ({
      key: `${family}-${part}`, ranges: text.split(',').map(numbers),
      file: `@fontsource-variable/noto-sans-${family}/files/noto-sans-${family}-${
        part.replace(/[[\]]/g, '')}-wght-normal.woff2` }));
  });
  return slices;
}

const sliceOf = (code: number): Slice | undefined =>
  allSlices().find(({ ranges }) => ranges.some(([from, to]) => code >= from && code <= to));

/** Joiners, variation selectors and marks of direction: they shape what is beside them and are no characters. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cc}/u;
export const isInvisible = (character: string): boolean => INVISIBLE.test(character);

export const hasMain = (name: FaceName, code: number): boolean => mainFaces()[name].font.hasGlyphForCodePoint(code);

const weightOf = (name: FaceName): number => (name === 'regular' ? 400 : 700);

/** Makes ready what `text` needs besides the main face; to be awaited before the document is drawn. */
export async function prepareFaces(name: FaceName, text: string): Promise<void> {
  const codes = new Set(Array.from(text, (character) => character.codePointAt(0)!));
  const needed = new Set<Slice>();
  for (const code of codes) {
    const slice = hasMain(name, code) ? undefined : sliceOf(code);
    if (slice) needed.add(slice);
  }
  for (const slice of needed) await load(slice, weightOf(name));
}

function load(slice: Slice, weight: number): Promise<DocumentFace> {
  const name = `${slice.key} ${weight}`;
  const known = loaded.get(name) ?? made(slice, weight, name);
  loaded.set(name, known);
  return known;
}

async function made(slice: Slice, weight: number, name: string): Promise<DocumentFace> {
  const codes = slice.ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  const plain = await subsetFont(readFileSync(resolve(slice.file)), String.fromCodePoint(...codes),
    { targetFormat: 'truetype', variationAxes: { wght: weight } });
  const face = { name, font: shaping(create(plain) as Font, () => plain) };
  ready.set(name, face);
  return face;
}

/** The face that has the character, of those that are ready; null where no font has it. */
export function faceOf(name: FaceName, code: number): DocumentFace | null {
  if (hasMain(name, code)) return mainFaces()[name];
  const slice = sliceOf(code);
  const face = slice && ready.get(`${slice.key} ${weightOf(name)}`);
  return face?.font.hasGlyphForCodePoint(code) ? face : null;
}

/** Marks stay with the letter before them; a character of no font is the box of the main one. */
export function faceAfter(name: FaceName, character: string, before: DocumentFace | undefined): DocumentFace {
  const code = character.codePointAt(0)!;
  const joins = isInvisible(character)
    || (/\p{M}/u.test(character) && before?.font.hasGlyphForCodePoint(code) === true);
  return (joins ? before : undefined) ?? faceOf(name, code) ?? mainFaces()[name];
}

/** The same font, shaped by HarfBuzz where a direction is named among the features. */
function shaping(font: Font, bytes: () => Uint8Array): Font {
  const plain = font.layout.bind(font) as (text: string, features?: unknown) => GlyphRun;
  let shaper: ShapeFont | null = null;
  const layout = (text: string, features?: unknown): GlyphRun => {
    if (!Array.isArray(features)) return plain(text, features);
    shaper ??= new ShapeFont(new Face(new Blob(bytes())));
    return shaped(font, shaper, text, features.includes(RIGHT_TO_LEFT));
  };
  Object.defineProperty(font, 'layout', { value: layout });
  return font;
}

function shaped(font: Font, shaper: ShapeFont, text: string, rightToLeft: boolean): GlyphRun {
  const buffer = new ShapeBuffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  buffer.setDirection(rightToLeft ? Direction.RTL : Direction.LTR);
  shape(shaper, buffer);
  const infos = buffer.getGlyphInfos();
  const positions = buffer.getGlyphPositions()
    .map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({ xAdvance, yAdvance, xOffset, yOffset }));
  const glyphs = clustersOf(text, infos).flatMap(({ ids, codes }) => glyphsOf(font, ids, codes));
  // Computed when asked for: pdfkit scales the positions first.
  const run = { glyphs, positions,
    get advanceWidth() { return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0); } };
  return run as unknown as GlyphRun;
}

/** Glyphs that belong together, with the characters they stand for, in the order they are drawn. */
function clustersOf(text: string, infos: readonly { codepoint: number; cluster: number }[]) {
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].toSorted((a, b) => a - b);
  const clusters: { at: number; ids: number[]; codes: number[] }[] = [];
  for (const { codepoint: id, cluster: at } of infos) {
    const last = clusters.at(-1);
    if (last?.at === at) last.ids.push(id);
    else {
      const characters = text.slice(at, starts.find((start) => start > at) ?? text.length);
      clusters.push({ at, ids: [id], codes: Array.from(characters, (character) => character.codePointAt(0)!) });
    }
  }
  return clusters;
}

/** Each glyph stands for its own character where it has one; the first that has none for all the others. */
function glyphsOf(font: Font, ids: readonly number[], codes: readonly number[]): Glyph[] {
  const left = [...codes];
  const own = ids.map((id) => {
    const at = left.findIndex((code) => font.glyphForCodePoint(code).id === id);
    return at < 0 ? null : left.splice(at, 1);
  });
  return ids.map((id, at) => ({ id, advanceWidth: font.getGlyph(id).advanceWidth,
    codePoints: own[at] ?? left.splice(0) }) as unknown as Glyph);
}

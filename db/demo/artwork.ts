/** Pictures and tunes of the demo season, drawn and played here: a poster and a wide scene for each title. */
import sharp from 'sharp';
import { melodyWav } from './tone-wav.ts';
import { seeded, type Random } from './random.ts';

type Motif = 'sea' | 'lamp' | 'wood' | 'dunes' | 'night' | 'curtain';
/** Motif, hue of the sky, hue of the foreground. */
const LOOKS: Readonly<Record<string, readonly [Motif, number, number]>> = {
  PIRATES: ['sea', 205, 220], MIKADO: ['sea', 350, 150], PINAFORE: ['sea', 200, 230], IOLANTHE: ['wood', 270, 160],
  LAMPLIGHT: ['lamp', 235, 250], SALTROAD: ['dunes', 30, 18], CLOCKWORK: ['night', 240, 200],
  BLUEHOUR: ['sea', 225, 235], EARNEST: ['curtain', 40, 345], RIVALS: ['curtain', 190, 15],
  DOLLS: ['lamp', 20, 350], GULL: ['sea', 190, 200], TWELFTH: ['sea', 45, 190], DREAM: ['wood', 250, 140],
  TARTUFFE: ['curtain', 300, 280], GHOSTLIGHT: ['lamp', 0, 260], WINTERDEBT: ['dunes', 210, 205],
  ORCHARD: ['wood', 330, 100], SECONDACT: ['curtain', 50, 5], HOLLOW: ['dunes', 25, 40], NIGHTBUS: ['night', 260, 130],
  MARINER: ['sea', 170, 185],
};

interface Sheet { w: number; h: number; fore: number; random: Random }

const color = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${hue} ${saturation}% ${lightness}%)`;
const circle = (x: number, y: number, r: number, fill: string, opacity = 1): string =>
  `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r.toFixed(1)}" fill="${fill}" opacity="${opacity}"/>`;

/** A wavy edge from left to right at this height, closed below. */
function hill({ w, h, random }: Sheet, y: number, swing: number, fill: string): string {
  const turns = 4;
  const points = Array.from({ length: turns + 1 }, (_, at) => [at * w / turns, y + (random.next() - 0.5) * swing]);
  const [first, ...rest] = points as [number[], ...number[][]];
  const curves = rest.map(([x, end], at) => {
    const [before, start] = points[at]!;
    const middle = (before! + x!) / 2;
    return `C${middle} ${start} ${middle} ${end} ${x} ${end}`;
  });
  return `<path d="M0 ${first[1]}${curves.join('')}L${w} ${h}L0 ${h}Z" fill="${fill}"/>`;
}

const hills = (sheet: Sheet, from: number, count: number, swing: number): string => Array.from({ length: count },
  (_, at) => hill(sheet, sheet.h * (from + (1 - from) * at / count), sheet.h * swing,
    color(sheet.fore, 45, 46 - at * 32 / count))).join('');

const stars = ({ w, h, random }: Sheet, count: number): string => Array.from({ length: count }, () =>
  circle(random.next() * w, random.next() * h * 0.7, 1 + random.next() * 4, '#fff', 0.85)).join('');

const MOTIFS: Readonly<Record<Motif, (sheet: Sheet) => string>> = {
  sea: (sheet) => circle(sheet.w * 0.68, sheet.h * 0.34, sheet.h * 0.12, '#fff7e0', 0.9) + hills(sheet, 0.55, 5, 0.06)
    + `<path d="M${sheet.w * 0.3} ${sheet.h * 0.6}l0 ${-sheet.h * 0.25}l${sheet.h * 0.14} ${sheet.h * 0.2}z"
      fill="#fff" opacity=".92"/>`,
  lamp: (sheet) => [0.42, 0.3, 0.2, 0.12].map((r) =>
    circle(sheet.w / 2, sheet.h * 0.36, sheet.h * r, '#ffd98a', 0.22)).join('')
    + circle(sheet.w / 2, sheet.h * 0.36, sheet.h * 0.05, '#fff3d0')
    + `<rect x="${sheet.w / 2 - 5}" y="${sheet.h * 0.41}" width="10" height="${sheet.h * 0.5}" fill="#120d12"/>`
    + hills(sheet, 0.82, 2, 0.03),
  wood: (sheet) => circle(sheet.w * 0.3, sheet.h * 0.26, sheet.h * 0.09, '#fff', 0.85) + hills(sheet, 0.72, 3, 0.08)
    + Array.from({ length: 14 }, () => {
      const x = sheet.random.next() * sheet.w;
      const tall = sheet.h * (0.25 + sheet.random.next() * 0.35);
      const wide = tall * 0.28;
      return `<path d="M${x} ${sheet.h * 0.92 - tall}l${wide} ${tall}h${-2 * wide}z"
        fill="${color(sheet.fore, 40, 12 + sheet.random.int(0, 16))}" opacity=".94"/>`;
    }).join(''),
  dunes: (sheet) => circle(sheet.w * 0.72, sheet.h * 0.3, sheet.h * 0.13, '#fff1d6', 0.95)
    + hills(sheet, 0.5, 4, 0.16),
  night: (sheet) => stars(sheet, 90) + `<path d="M${sheet.w * 0.5} ${sheet.h * 0.16}l${sheet.h * 0.03}
    ${sheet.h * 0.09}h${sheet.h * 0.09}l${-sheet.h * 0.07} ${sheet.h * 0.06}l${sheet.h * 0.03}
    ${sheet.h * 0.09}l${-sheet.h * 0.08} ${-sheet.h * 0.055}l${-sheet.h * 0.08} ${sheet.h * 0.055}l${sheet.h * 0.03}
    ${-sheet.h * 0.09}l${-sheet.h * 0.07} ${-sheet.h * 0.06}h${sheet.h * 0.09}z" fill="#ffe9a8"/>`
    + hills(sheet, 0.74, 3, 0.1),
  curtain: (sheet) => circle(sheet.w / 2, sheet.h * 0.62, sheet.h * 0.3, '#fff3d0', 0.55)
    + Array.from({ length: 16 }, (_, at) => {
      const side = at < 8 ? 0 : 1;
      const x = side === 0 ? at * sheet.w * 0.045 : sheet.w - (16 - at) * sheet.w * 0.045;
      return `<rect x="${x}" y="0" width="${sheet.w * 0.046}" height="${sheet.h}"
        fill="${color(sheet.fore, 60, at % 2 === 0 ? 28 : 36)}"/>`;
    }).join('')
    + `<rect y="${sheet.h * 0.88}" width="${sheet.w}" height="${sheet.h * 0.12}" fill="${color(25, 30, 18)}"/>`,
};

function drawing(code: string, w: number, h: number): string {
  const [motif, sky, fore] = LOOKS[code] ?? ['night', 240, 220];
  const random = seeded(Array.from(code).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}"><defs>
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${color(sky, 55, 24)}"/>
    <stop offset="1" stop-color="${color((sky + 30) % 360, 60, 62)}"/></linearGradient></defs>
    <rect width="${w}" height="${h}" fill="url(#sky)"/>${MOTIFS[motif]({ w, h, fore, random })}</svg>`;
}

/** PNG; the same for every season. */
export const artwork = (code: string, width: number, height: number): Promise<Buffer> =>
  sharp(Buffer.from(drawing(code, width, height))).png().toBuffer();

/** Major and minor by turns, of the title's own notes. */
export function tuneOf(code: string, song: string): Buffer {
  const random = seeded(Array.from(code + song).reduce((sum, letter) => sum * 33 + letter.charCodeAt(0), 11));
  const scale = random.chance(0.5) ? [0, 2, 4, 5, 7, 9, 11, 12] : [0, 2, 3, 5, 7, 8, 11, 12];
  return melodyWav(Array.from({ length: 12 }, () => random.pick(scale)));
}

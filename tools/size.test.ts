/** What a first visit loads, from the manifest of the last build: scripts as they go over the wire (brotli). */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const built = fileURLToPath(new URL('../dist/web/', import.meta.url));
const manifestFile = `${built}.vite/manifest.json`;
const isBuilt = existsSync(manifestFile);
if (!isBuilt) process.stderr.write('Sizes are NOT checked: dist/web is absent, run "npm run build" first.\n');

interface Chunk { file: string; imports?: string[]; css?: string[]; isDynamicEntry?: boolean }
const manifest = isBuilt ? JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk> : {};

/** What the named entries need before they can run: their own chunks and those they import, by their keys. */
function chunksOf(...endings: string[]): Set<string> {
  const waiting = endings.map((ending) => {
    const key = Object.keys(manifest).find((name) => name.endsWith(ending));
    if (key === undefined) throw new Error(`${ending} is not in the build`);
    return key;
  });
  const seen = new Set<string>();
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (seen.has(key) || !chunk) continue;
    seen.add(key);
    waiting.push(...chunk.imports ?? []);
  }
  return seen;
}

function packed(files: Iterable<string>): number {
  const sizeOf = (file: string): number =>
    statSync(existsSync(`${built}${file}.br`) ? `${built}${file}.br` : `${built}${file}`).size;
  return [...files].reduce((sum, file) => sum + sizeOf(file), 0);
}

const scriptsOf = (...endings: string[]): number =>
  packed([...chunksOf(...endings)].map((key) => manifest[key]!.file));
const stylesOf = (...endings: string[]): number =>
  packed(new Set([...chunksOf(...endings)].flatMap((key) => manifest[key]!.css ?? [])));

/** Every screen that is loaded by itself, with the frame it stands in. */
const screens = Object.keys(manifest)
  .filter((key) => manifest[key]!.isDynamicEntry && /modules\/.*\.web\.tsx$/.test(key))
  .map((key) => ({ key, frame: /modules\/portal\//.test(key) ? 'src/customer-frame.tsx' : 'src/staff-frame.tsx' }));

const KB = 1000;

describe.skipIf(!isBuilt)('size of a first visit, scripts in brotli', () => {
  it('the sign-in page needs at most 130 kB', () => {
    expect(scriptsOf('index.html', 'session/sign-in.web.tsx')).toBeLessThanOrEqual(130 * KB);
  });

  it('the staff area shares at most 260 kB', () => {
    expect(scriptsOf('index.html', 'src/staff-frame.tsx')).toBeLessThanOrEqual(260 * KB);
  });

  it('the portal shares at most 200 kB', () => {
    expect(scriptsOf('index.html', 'src/customer-frame.tsx')).toBeLessThanOrEqual(200 * KB);
  });
});

describe.skipIf(!isBuilt)('every screen', () => {
  it('has at most 40 kB of styles, its frame included', () => {
    expect(screens.length).toBeGreaterThan(100);
    const over = screens.map(({ key, frame }) => [key, stylesOf('index.html', frame, key)] as const)
      .filter(([, bytes]) => bytes > 40 * KB);
    expect(over).toEqual([]);
  });

  it('loads what draws documents, and the charts with axes, only when one is drawn', () => {
    const drawers = Object.keys(manifest).filter((key) => /pdfjs-dist|pdf-pages|twin-bars|\/charts\.web/.test(key));
    expect(drawers.length).toBeGreaterThan(2);
    const heavy = new Set(drawers);
    const early = screens.filter(({ key }) => !heavy.has(key) && [...chunksOf('index.html', key)].some((one) =>
      heavy.has(one)));
    expect(early.map(({ key }) => key)).toEqual([]);
  });
});

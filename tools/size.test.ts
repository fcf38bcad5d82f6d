/** Size of a first visit, from the manifest of the last build: scripts as transferred (brotli). */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const built = fileURLToPath(new URL('../dist/web/', import.meta.url));
const manifestFile = `${built}.vite/manifest.json`;
const isBuilt = existsSync(manifestFile);
if (!isBuilt) process.stderr.write('Sizes are NOT checked: dist/web is absent, run "npm run build" first.\n');

interface Chunk { file: string; name?: string; imports?: string[]; css?: string[]; isDynamicEntry?: boolean }
const manifest = isBuilt ? JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk> : {};

/** Chunks the named entries need before they can run: their own and those they import, by their keys. */
function chunksOf(...endings: string[]): Set<string> {
  const waiting = endings.map((ending) => {
    // A file that others load, too, is known by its name alone.
    const key = Object.keys(manifest).find((one) => one.endsWith(ending))
      ?? Object.keys(manifest).find((one) => manifest[one]!.name === basename(ending, '.tsx'));
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
const FRAMES = { customer: 'src/customer-frame.tsx', staff: 'src/staff-frame.tsx' } as const;
/** Parts the frame itself always lazy-loads: the counts in its navigation. */
const FRAME_LATE = { customer: [], staff: ['src/nav-counts.tsx'] } as const;
/** A frame's budget and forty for the page; thirty in the portal. */
const PAGE_BUDGETS = { customer: 230 * KB, staff: 300 * KB } as const;

/** The files that the page tables load (apps/web/src/page-table.ts gathers them); some hold several pages. */
const root = fileURLToPath(new URL('../', import.meta.url));
const pages = [...new Set(globSync('modules/**/*.pages.ts', { cwd: root }).flatMap((table) =>
  [...readFileSync(join(root, table), 'utf8').matchAll(/import\('(.+?\.web\.tsx)'\)/g)]
    .map(([, file]) => join(dirname(table), file!))))]
  .map((file) => ({ file, area: file.startsWith('modules/portal/') ? 'customer' : 'staff' } as const));

/**
 * Parts a page always lazy-loads count toward its size: those that load without a click, behind skeletons of their
 * size. A part that waits for a click, or for an answer that is mostly empty, has no skeleton and does not count.
 */
const LATE: Readonly<Record<string, readonly string[]>> = {
  'modules/portal/show.web.tsx': ['portal/read-before.web.tsx', 'portal/show-shop.web.tsx'],
  'modules/portal/users.web.tsx': ['portal/users-cards.web.tsx'],
  'modules/portal/organisation.web.tsx': ['portal/shipping-addresses.web.tsx'],
  'modules/portal/shop.web.tsx': ['portal/cart-card.web.tsx'],
  'modules/portal/apply.web.tsx': ['portal/apply-dates.web.tsx'],
  'modules/licensing/materials/materials-tab.web.tsx': ['downloads/license-files.web.tsx',
    'add-ons/license-add-ons.web.tsx'],
  'modules/dashboard/dashboard.web.tsx': ['dashboard/charts.web.tsx'],
  'modules/banking/bank-account/bank-account-page.web.tsx': ['cash/account-cash.web.tsx'],
  // The second step of signing in, what one hears of, the map and the comparison come when they are asked for.
  'modules/portal/notifications.web.tsx': [],
  'modules/identity/session/sign-in.web.tsx': [],
  'modules/operations/venue/venue-list.web.tsx': [],
  'modules/portal/shows.web.tsx': [],
  // Only what is downloaded has files; most materials are shipped.
  'modules/catalogue/material/material-page.web.tsx': [],
  // First details are asked once, of an admin who signs in for the first time.
  'modules/portal/home.web.tsx': [],
};

/** 'the page: its size, and the largest of its own chunks', for the one who made it too large. */
function tooHeavy({ area, file }: (typeof pages)[number]): string[] {
  const late = [...LATE[file] ?? [], ...FRAME_LATE[area]];
  const bytes = scriptsOf('index.html', FRAMES[area], file, ...late);
  if (bytes <= PAGE_BUDGETS[area]) return [];
  const shared = chunksOf('index.html', FRAMES[area]);
  const own = [...chunksOf(file, ...late)].filter((one) => !shared.has(one)).map((one) => manifest[one]!.file)
    .map((name) => ({ name, bytes: packed([name]) })).toSorted((one, other) => other.bytes - one.bytes).slice(0, 6);
  const kB = (size: number): string => (size / KB).toFixed(1);
  return [`${file}: ${kB(bytes)} kB; ${own.map((one) => `${one.name} ${kB(one.bytes)}`).join(', ')}`];
}

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
  it('needs at most 300 kB with the parts it always loads late, 230 in the portal', () => {
    expect(pages.length).toBeGreaterThan(140);
    expect(pages.flatMap(tooHeavy)).toEqual([]);
  });

  it('is weighed with the parts behind bars of their size', () => {
    const waiting = pages.map(({ file }) => file.replace(/.*#/, '')).filter((file) =>
      /<Suspense fallback=\{[^n]/.test(readFileSync(join(root, file), 'utf8')));
    expect(waiting.length).toBeGreaterThan(7);
    expect(waiting.filter((file) => !LATE[file])).toEqual([]);
  });

  it('has at most 40 kB of styles, its frame included', () => {
    expect(screens.length).toBeGreaterThan(100);
    const over = screens.map(({ key, frame }) => [key, stylesOf('index.html', frame, key)] as const)
      .filter(([, bytes]) => bytes > 40 * KB);
    expect(over).toEqual([]);
  });

  it('loads what draws documents, and the charts with axes, only when one is drawn', () => {
    const drawers = Object.keys(manifest)
      .filter((key) => /pdfjs-dist|pdf-pages|twin-bars|month-chart|\/charts\.web|account-cash/.test(key));
    expect(drawers.length).toBeGreaterThan(2);
    const heavy = new Set(drawers);
    const early = screens.filter(({ key }) => !heavy.has(key) && [...chunksOf('index.html', key)].some((one) =>
      heavy.has(one)));
    expect(early.map(({ key }) => key)).toEqual([]);
  });
});

/** What a first visit loads, from the manifest of the last build: scripts as they go over the wire (brotli). */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const built = fileURLToPath(new URL('../dist/web/', import.meta.url));
const manifestFile = `${built}.vite/manifest.json`;
const isBuilt = existsSync(manifestFile);
if (!isBuilt) process.stderr.write('Sizes are NOT checked: dist/web is absent, run "npm run build" first.\n');

interface Chunk { file: string; imports?: string[] }

/** Bytes of every script that the named entries need before they can run. */
function scriptsOf(...endings: string[]): number {
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk>;
  const waiting = endings.map((ending) => {
    const key = Object.keys(manifest).find((name) => name.endsWith(ending));
    if (key === undefined) throw new Error(`${ending} is not in the build`);
    return key;
  });
  const seen = new Set<string>();
  let bytes = 0;
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (seen.has(key) || !chunk) continue;
    seen.add(key);
    const packed = `${built}${chunk.file}.br`;
    bytes += statSync(existsSync(packed) ? packed : `${built}${chunk.file}`).size;
    waiting.push(...chunk.imports ?? []);
  }
  return bytes;
}

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

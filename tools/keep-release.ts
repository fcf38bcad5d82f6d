/**
 * `node tools/keep-release.ts <url> <release>`: keeps the rows of a demo season as db/releases/<release>.jsonl.gz. The
 * url is that of its superuser. Done once for each release; db/releases.test.ts upgrades every kept one.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { packDump, readDump } from './schema/dump.ts';

const [url, release] = process.argv.slice(2);
if (!url || !release || !/^v[\w.-]+$/.test(release)) {
  throw new Error('node tools/keep-release.ts <url> <release, for example v0.2.0>');
}
const client = new pg.Client({ connectionString: url });
await client.connect();
const packed = packDump(await readDump(client));
await client.end();
const file = fileURLToPath(new URL(`../db/releases/${release}.jsonl.gz`, import.meta.url));
await writeFile(file, packed);
console.log(`${file}: ${Math.ceil(packed.length / 1024)} KiB`);

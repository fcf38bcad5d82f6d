/** Builds the web app when its sources changed since the last build; a second start builds nothing. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const SOURCES = ['apps/web', 'packages/web-kit', 'packages/contract', 'packages/kernel', 'modules'];
const FILES = ['package-lock.json', 'vite.config.ts'];
const BUILT = /\.(ts|tsx|css|html|svg|woff2|json)$/;

/** Folder of the built app, or null where the checkout has no web app. `say` hears what is going on. */
export async function buildWeb(say: (line: string) => void): Promise<string | null> {
  if (!existsSync(join(root, 'apps/web/index.html'))) return null;
  const target = join(root, 'dist/web');
  const stamp = await sourceHash();
  const known = await readFile(join(target, '.stamp'), 'utf8').catch(() => '');
  if (known === stamp) return target;
  say('Building the web app …');
  const fresh = join(root, `dist/web.${process.pid}`);
  const { build } = await import('vite');
  const options = { root: join(root, 'apps/web'), configFile: join(root, 'vite.config.ts'), logLevel: 'warn' as const };
  try {
    await build({ ...options, build: { outDir: fresh, emptyOutDir: true } });
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
  await writeFile(join(fresh, '.stamp'), stamp);
  await mkdir(join(root, 'dist'), { recursive: true });
  await rm(target, { recursive: true, force: true });
  await rename(fresh, target);
  return target;
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of FILES) if (existsSync(join(root, file))) hash.update(await readFile(join(root, file)));
  for (const folder of SOURCES) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
    const paths = entries.filter((entry) => entry.isFile() && BUILT.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)).sort();
    for (const path of paths) hash.update(path.slice(root.length)).update(await readFile(path));
  }
  return hash.digest('hex');
}

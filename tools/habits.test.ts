/** What no source of ours does, read from the sources themselves (docs/asvs.csv). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './steps.ts';

const sources = ['apps', 'modules', 'packages'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
const inServer = sources.filter(({ file }) => /^(apps\/server|packages\/server-kit)\/|\.server\.ts$/.test(file));

const having = (pattern: RegExp, among = sources): string[] =>
  among.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

it('there are sources to read', () => { expect(sources.length).toBeGreaterThan(800); });

it('no text becomes code', () => {
  expect(having(/\beval\(|new Function\(|\bsetTimeout\(\s*['"`]/)).toEqual([]);
});

it('no text becomes markup or a script address', () => {
  expect(having(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|javascript:/)).toEqual([]);
});

it('one file starts other programs: the embedded database', () => {
  expect(having(/child_process/)).toEqual(['packages/server-kit/embedded-postgres.ts']);
});

it('certificates are checked wherever TLS is spoken', () => {
  expect(having(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/)).toEqual([]);
});

it('the server asks no address but those of its settings: it fetches nothing by itself', () => {
  expect(having(/\bfetch\(|https?\.(request|get)\(|node:(https?|net|tls|dgram)'/, inServer)).toEqual([]);
});

it('pasting and copying is left to the browser but where addresses are told apart', () => {
  expect(having(/\bon(Paste|Copy|Cut)\b/)).toEqual(['packages/web-kit/controls/email-chips.tsx']);
});

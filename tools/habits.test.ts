/** Habits no source of ours may have, checked in the sources themselves (docs/asvs.csv). */
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

it('a cast that turns types off says why, above it', () => {
  const silent = sources.flatMap(({ file, text }) => text.split('\n').flatMap((line, at, lines) =>
    /\bas never(?=[),;} ]|$)(?! (?:sent|used|signed|posted)\b)/.test(line) && !/was never/.test(line)
      && !lines.slice(Math.max(0, at - 10), at).some((above) => /^\s*(?:\/\/|\*\/|\/\*\*)/.test(above))
      ? [`${file}:${at + 1}`] : []));
  expect(silent).toEqual([]);
});

it('no text becomes code', () => {
  expect(having(/\beval\(|new Function\(|\bsetTimeout\(\s*['"`]/)).toEqual([]);
});

it('no text becomes markup or a script address', () => {
  expect(having(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|javascript:/)).toEqual([]);
});

it('one file starts other programs: the embedded database', () => {
  expect(having(/child_process/)).toEqual(['packages/server-kit/embedded-postgres.ts']);
});

it('these files alone draw and decode, and they do it outside transactions', () => {
  expect(having(/from '(?:pdfkit|pdf-lib|@hyzyla\/pdfium|sharp|read-excel-file[\w/]*)'/, inServer).sort()).toEqual([
    'packages/server-kit/check-pdf.ts', 'packages/server-kit/image.ts', 'packages/server-kit/pdf-pages-thread.ts',
    'packages/server-kit/pdf-stamp.ts', 'packages/server-kit/pdf.ts', 'packages/server-kit/watermark.ts',
    'packages/server-kit/workbook-thread.ts',
  ]);
  // Threads answer to the file that starts them.
  const drawing = ['check-pdf', 'image', 'pdf-pages', 'pdf', 'workbook'].map((name) =>
    `packages/server-kit/${name}.ts`);
  // And a return goes to HMRC outside of one: its answer would be lost with what is taken back.
  expect(having(/refuseInTransaction\('/, inServer).sort())
    .toEqual(['modules/taxation/hmrc/hmrc-client.server.ts',
      'modules/taxation/vat-registers/hmrc-register.server.ts', 'modules/taxation/vat-registers/vies.server.ts',
      ...drawing]);
});

it('certificates are checked wherever TLS is spoken', () => {
  expect(having(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/)).toEqual([]);
});

it('the server asks no address but those of its settings: it fetches nothing by itself', () => {
  expect(having(/\bfetch\(|https?\.(request|get)\(|node:(https?|net|tls|dgram)'/, inServer).sort()).toEqual([
    // HMRC_URL, TAX_SERVICE_URL and VIES_URL, and nothing that anybody typed.
    'modules/taxation/hmrc/hmrc-client.server.ts', 'modules/taxation/tax-service/service-call.server.ts',
    'modules/taxation/vat-registers/hmrc-register.server.ts', 'modules/taxation/vat-registers/vies.server.ts',
  ]);
});

it('pasting and copying is left to the browser but where addresses are told apart', () => {
  expect(having(/\bon(Paste|Copy|Cut)\b/)).toEqual(['packages/web-kit/controls/field/email-chips.tsx']);
});

it('pages are HTML, CSS and modules: no plugin is embedded', () => {
  expect(having(/<(?:embed|applet)\b|<object\s+\w+=/)).toEqual([]);
});

it('no hint and no question stands in for a password', () => {
  expect(having(/(?:secret|security|recovery)[_ ]?question|password[_ ]?hint|mother'?s maiden/i)).toEqual([]);
});

it('these files alone keep anything in the browser', () => {
  expect(having(/\b(?:local|session)Storage\b|indexedDB|document\.cookie\s*=/).sort()).toEqual([
    // That the page was loaded anew after a release.
    'apps/web/src/main.tsx',
    // Ids and quantities of what lies in the cart, for each person (gaps G60).
    'modules/portal/cart.web.ts',
    // The id of the device that HMRC asks for with every return (fraud prevention headers).
    'modules/taxation/hmrc/browser-facts.web.ts',
    // Unsaved input, until it is saved or the person signs out.
    'packages/web-kit/controls/form/form-draft.ts',
    // Display settings of lists, and whether single keys are commands.
    'packages/web-kit/data/remembered.ts', 'packages/web-kit/data/use-row-keys.ts',
    // Places that the directory offered for an address.
    'packages/web-kit/maps/use-places-autocomplete.ts',
    // Location requested before signing in.
    'packages/web-kit/navigation/remembered-location.ts',
    // Addresses and titles of the pages that were opened last, for each person.
    'packages/web-kit/palette/recent.ts',
    // The language of the screens, which the server reads.
    'packages/web-kit/query/reader-language.ts',
    'packages/web-kit/theme/color-scheme.ts',
  ]);
});

it('a form names what it does before the way out of it: that is where its foot and the Tab key find it', () => {
  expect(having(/<FormActions>\s*<Button(?![^>]*type="submit")[^\n]*>Cancel</)).toEqual([]);
});

it('where the headings of a table give way to a phone its cells say what they are', () => {
  const sheets = ['modules', 'packages'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.css')).map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
  const tables = sheets.filter(({ text }) => /thead \{ (?:position: absolute|display: none)/.test(text));
  expect(tables.length).toBeGreaterThan(4);
  const silent = tables.filter(({ text }) => !/::before \{\s*content: attr\(data-label\)/.test(text));
  expect(silent.map(({ file }) => file)).toEqual([]);
});

it('each class of the house that a screen names is written in the sheet', () => {
  const sheet = readFileSync(join(ROOT, 'packages/web-kit/theme/global.css'), 'utf8');
  const named = new Set(sources.flatMap(({ text }) =>
    [...text.matchAll(/className="(gr-[a-z]+)"/g)].map(([, name]) => name!)));
  expect(named.size).toBeGreaterThan(3);
  expect([...named].filter((name) => !sheet.includes(`.${name}`))).toEqual([]);
});

it('papers write dates in the language of their division', () => {
  const papers = inServer.filter(({ text }) => text.includes('renderPdf('));
  expect(papers.length).toBeGreaterThan(4);
  expect(having(/\bdateInWords\(/, papers)).toEqual([]);
});

/**
 * A field of a resource stands on a form: by its own control, or among `show.others()`, which draws every field of a
 * declaration that has none. A field without either is named here, with its reason.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { AnyResource } from '#kit/resource.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Fields nobody fills in on a form. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'show_package.show_id': 'the show whose page it is',
  'show_royaltor.show_id': 'the show whose page it is',
  'ledger_header.division': 'the division of the page',
  'ledger_header.section': 'follows the header above',
  'ledger_account.division': 'the division of the page',
  'ledger_account.currency': 'comes with a bank account',
};

/** Kinds that `others()` leaves to the form. */
const BY_HAND = new Set(['address', 'json', 'ref', 'refs']);

interface Form { resource: AnyResource; text: string }

const isResource = (value: unknown): value is AnyResource =>
  typeof value === 'object' && value !== null && 'fields' in value && 'endpoints' in value && 'row' in value;

/** Every declared resource, with the screens beside its contract. */
async function forms(): Promise<Form[]> {
  const contracts = globSync('modules/**/*.contract.ts', { cwd: root })
    .filter((file) => /= resource\(\{/.test(readFileSync(root + file, 'utf8')));
  const found = await Promise.all(contracts.map(async (file): Promise<Form[]> => {
    const text = globSync(`${dirname(file)}/**/*.web.tsx`, { cwd: root })
      .map((screen) => readFileSync(root + screen, 'utf8')).join('\n');
    const exported = Object.values(await import(root + file) as Record<string, unknown>);
    return exported.filter(isResource).map((resource) => ({ resource, text }));
  }));
  return found.flat();
}

/** A control of the field in the text of a screen: `show('name')`, `form.field('name')`, `name="name"`, or a list. */
const hasControl = (text: string, name: string): boolean =>
  new RegExp(String.raw`(?<!\.others\([^)]*)['"]${name}['"]|form\.values\.${name}\b`).test(text);

/** Fields without a place on a form. */
function homeless({ resource, text }: Form): string[] {
  const [, listed] = /\.others\(([^)]*)\)/.exec(text) ?? [];
  return Object.entries(resource.fields).filter(([name, { kind }]) => {
    const among = listed !== undefined && !BY_HAND.has(kind) && !listed.includes(`'${name}'`);
    return !among && !hasControl(text, name) && LEFT_OUT[`${resource.name}.${name}`] === undefined;
  }).map(([name]) => `${resource.name}.${name}`);
}

it('every field of a resource stands on its form, or is left out with a reason', async () => {
  const all = await forms();
  expect(all.length).toBeGreaterThan(20);
  expect(all.flatMap(homeless)).toEqual([]);
});

it('a field without a control is found', () => {
  const resource = { name: 'dock', fields: { name: { kind: 'text' }, address: { kind: 'address' } } } as unknown;
  const of = (text: string): string[] => homeless({ resource: resource as AnyResource, text });
  expect(of('')).toEqual(['dock.name', 'dock.address']);
  expect(of('{show.others()}')).toEqual(['dock.address']);
  expect(of("{show.others('name')}")).toEqual(['dock.name', 'dock.address']);
  expect(of("{show('name')}<AddressSection name=\"address\" />")).toEqual([]);
});

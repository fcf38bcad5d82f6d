/**
 * Codes of refusals: the catalogue names every code that the product answers with and no other, and
 * docs/operating/error-codes.md is written from it (`vitest run -u tests/derived/error-codes.test.ts` writes it anew).
 */
import * as fs from 'node:fs';
import { expect, it } from 'vitest';
import { CONFLICT_CODES } from '#kit/conflict-codes.ts';
import { ERROR_CODES } from '#kit/errors.ts';
import { APPLICATION_MACHINE } from '#kernel/licensing/application-machine.ts';
import { LICENSE_MACHINE } from '#kernel/licensing/license-machine.ts';
import type { Machine } from '#kernel/licensing/machine.ts';
import { PERUSAL_MACHINE } from '#kernel/licensing/perusal-machine.ts';
import { SALES_ORDER_MACHINE } from '#kernel/licensing/sales-order-machine.ts';
import { BOX_OFFICE_MACHINE, DEPOSIT_MACHINE, PERFORMANCE_MACHINE, STATEMENT_MACHINE,
} from '#kernel/licensing/small-machines.ts';

const codes: readonly string[] = Object.keys(CONFLICT_CODES);
const MACHINES = [APPLICATION_MACHINE, BOX_OFFICE_MACHINE, DEPOSIT_MACHINE, LICENSE_MACHINE, PERFORMANCE_MACHINE,
  PERUSAL_MACHINE, SALES_ORDER_MACHINE, STATEMENT_MACHINE] as readonly Machine[];

/** Code of the product, without tests and without the catalogue itself. */
function sources(): string {
  return ['packages', 'modules', 'apps'].flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|conflict-codes\.ts$/.test(file))
      .map((file) => fs.readFileSync(`${folder}/${file}`, 'utf8'))).join('\n');
}

it('of machines are in the catalogue', () => {
  const ofMachines = MACHINES.flatMap((machine) => [machine.conflict_code,
    ...machine.edges.some((edge) => edge.guards.length > 0) ? [`${machine.name}.precondition`] : []]);
  expect(ofMachines.filter((code) => !codes.includes(code))).toEqual([]);
});

it('written as text are in the catalogue, and the catalogue names no other', () => {
  const text = sources();
  const written = [...text.matchAll(/\bconflict\(\s*'([^']+)'/g)].map((match) => match[1]!);
  expect(written.filter((code) => !codes.includes(code))).toEqual([]);
  const built = /\.precondition$|^license_file\.|\.no_bank_details$/;
  expect(codes.filter((code) => !text.includes(`'${code}'`) && !built.test(code))).toEqual([]);
});

it('are in alphabetical order, each with a sentence', () => {
  expect(codes).toEqual(codes.toSorted());
  expect(Object.values(CONFLICT_CODES).filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
});

it('are documented', async () => {
  const general = Object.entries(ERROR_CODES).map(([code, [status, text]]) => `| \`${code}\` | ${status} | ${text} |`);
  const business = Object.entries(CONFLICT_CODES).map(([code, text]) => `| \`${code}\` | ${text} |`);
  await expect([
    '# Error codes', '',
    'Every answer that refuses a request has a `message` for the person, a `code` for programs and an `error_id` that '
      + 'the logs name. Field errors (422) stand in `errors`. Codes stay the same between releases.', '',
    '## General codes', '', '| Code | Status | Message |', '|---|---|---|', ...general, '',
    '## Business refusals (409)', '', '| Code | Meaning |', '|---|---|', ...business, '',
    'Refusals of the ledger itself carry `ledger.` and the name of its rule.', '',
  ].join('\n')).toMatchFileSnapshot('../../docs/operating/error-codes.md');
});

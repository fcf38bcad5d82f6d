/**
 * Story 10, moving in: a house in Cologne brings its lists and its former books from Excel. Each preview counts what
 * the import does; once every set is posted 3999 is zero, and aging, royaltors and bank agree with the old house's own
 * lists, line by line.
 */
// cspell:ignore Schauspielhaus Köln Druckerei
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { workImports } from '#modules/data-exchange/imports/work-imports.server.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { AS_OF, AUTHORS, BANK, DEFERRED, DEPOSITS, oldBooks, oldLists, OUTSTANDING, OWED, OWED_TO_VENDOR }
  from '#tests/support/old-house.ts';
import { API, booked, openStage, type Stage } from '#tests/support/story.ts';

const test = testApp();
const BOOKS = `${API}/accounting`;
const SETS = `${BOOKS}/opening_balances`;
const CUSTOMERS = 20;
let stage: Stage;
let eleanor: SignedIn;

function data(answer: Answer): Body {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const shown = async (path: string): Promise<Body> => data(await eleanor.get(path));
const upload = (path: string, fields: Record<string, string>, file: { name: string; content: Buffer }) =>
  eleanor.post(path, undefined, { multipart: { fields, file: { field: 'file', type: 'application/octet-stream',
    ...file } } });

beforeAll(async () => {
  test.clock.set('2026-11-02T10:00:00Z');
  stage = await openStage(test);
  eleanor = await test.signedIn('staff_admin');
  await stage.staff.post(`${API}/warehouses`, { code: 'CGN', name: 'Cologne', division: 'EU', carriers: ['DHL'] });
});

/** `1.200` seats: nothing is read before a person says which it is. */
async function sayDecimals(id: number): Promise<void> {
  const { missing, rows } = await shown(`${API}/imports/${id}/preview`);
  expect([missing.map((one: Body) => one.field), rows]).toEqual([['capacity'], []]);
  const { mapping, version } = await shown(`${API}/imports/${id}`);
  const { columns, constants, date_format, report_scope, date_is } = mapping;
  data(await eleanor.put(`${API}/imports/${id}/mapping`, { columns, constants, date_format, report_scope, date_is,
    version, decimal_style: 'comma' }));
}

describe('the lists', () => {
  it('bring what their previews count, and leave out what they say', async () => {
    for (const list of await oldLists(CUSTOMERS)) {
      const [template] = await shown(`${API}/import_templates?model_name=${list.model}`);
      const made = data(await upload(`${API}/imports`, { import_template_id: String(template.id) }, list));
      if (list.asks) await sayDecimals(made.id);
      const { counts, missing, problems } = await shown(`${API}/imports/${made.id}/preview`);
      const { ready, duplicate, refused } = list;
      expect({ model: list.model, missing, counts: { ready: counts.ready, duplicate: counts.duplicate,
        refused: counts.refused } }, JSON.stringify(problems)).toEqual({ model: list.model, missing: [],
        counts: { ready, duplicate, refused } });
      data(await eleanor.post(`${API}/imports/${made.id}/process`));
      await workImports(test.ports);
      expect(await shown(`${API}/imports/${made.id}`)).toMatchObject({ failure: null, rows_imported: ready,
        rows_duplicate: duplicate, rows_refused: refused });
    }
  });

  it('have their letters and the zeros that Excel took', async () => {
    const [house] = await shown(`${API}/venues?search=Schauspielhaus`);
    expect(house).toMatchObject({ name: 'Schauspielhaus Köln', capacity: 1_200 });
    const [hall] = await shown(`${API}/venues?search=O%27Neill`);
    expect(hall.address.postal_code).toBe('02110');
    const [players] = await shown(`${API}/customers?search=${encodeURIComponent('O\'Neill Players')}`);
    expect(await shown(`${API}/customers/${players.id}`)).toMatchObject({ name: 'O’Neill Players',
      billing_address: { postal_code: '02112' } });
  });

  it('say what is agreed with the writers that the list of shows named', async () => {
    const [lantern] = await shown(`${API}/shows?search=Lantern`);
    expect(await shown(`${API}/show_royaltors?show_id=${lantern.id}`)).toMatchObject([{ royaltor_name: 'Ada O’Neill',
      status: 'active', payer_division: 'EU', currency: 'EUR', accrual_basis: 'on_invoice', signed_on: '2019-04-03' }]);
  });
});

/** A licence of Clockwork that somebody paid deposits for, by its number. */
async function makeLicense(): Promise<string> {
  const [customer] = await shown(`${API}/customers?search=${encodeURIComponent('O\'Neill Players')}`);
  const [show] = await shown(`${API}/shows?search=Clockwork`);
  const { data: license } = await stage.staff.post(`${API}/licenses`, { customer_id: customer.id, show_id: show.id,
    division: 'EU', category: 'Amateur' });
  return license.number;
}
/** Balance of an account of the books, debits positive. */
const balance = async (code: string): Promise<number> =>
  (await booked(stage, 'EU', '2026-01-01', AS_OF))[code] ?? 0;

describe('the former books', () => {
  it('are posted set by set, and 3999 ends at zero', async () => {
    for (const set of await oldBooks(await makeLicense())) {
      const draft = data(await upload(SETS, { division: 'EU', kind: set.kind, as_of: AS_OF }, set));
      expect([set.kind, draft.row_count, draft.problem_count, draft.blocked]).toEqual([set.kind, set.rows, 0, null]);
      const posted = data(await eleanor.put(`${SETS}/${draft.id}/post`, { version: draft.version }));
      expect([set.kind, posted.status, await balance('3999')]).toEqual([set.kind, 'posted', set.after]);
    }
    expect(await balance('3999')).toBe(0);
    const controls: Body[] = await shown(`${SETS}/controls?division=EU`);
    expect(controls.filter((one) => one.difference_minor !== 0)).toEqual([]);
    expect((await ledgerIntegrity(test.database.db)).filter((check) => !check.ok)).toEqual([]);
  });

  it('agree with the old house’s lists, line by line', async () => {
    const aging = await shown(`${BOOKS}/accounts_receivable/aging?division=EU`);
    const owed = Map.groupBy(aging.rows as Body[], (row) => row.customer_name);
    expect(Object.fromEntries([...owed].map(([name, rows]) =>
      [name, rows.reduce((all, row) => all + row.total_base_minor, 0)]))).toEqual(OWED);
    const payable = await shown(`${BOOKS}/accounts_payable/aging?division=EU`);
    expect(payable.rows.map((row: Body) => [row.party_name, row.total_minor]))
      .toEqual([['Druckerei Müller', OWED_TO_VENDOR]]);
    const royalties: Body[] = await shown(`${API}/sales_and_royalties/royalties?division=EU`);
    expect(Object.fromEntries(royalties.map((row) => [row.royaltor_name, { owed: row.payable_minor,
      reserve: row.reserve_minor, advance: row.unrecouped_minor }]))).toEqual(AUTHORS);
    const [bank] = await shown(`${BOOKS}/bank_accounts?division=EU&currency=EUR`);
    expect(await shown(`${BOOKS}/bank_accounts/${bank.id}`)).toMatchObject({ balance_minor: BANK,
      opening_minor: BANK + OUTSTANDING });
    expect([await balance('2150'), await balance('2160'), await balance('2100')])
      .toEqual([-DEPOSITS.security, -DEPOSITS.on_account, -DEFERRED]);
  });

  it('cannot come in twice', async () => {
    const [, ledger] = await oldBooks('none');
    const draft = data(await upload(SETS, { division: 'EU', kind: 'ledger', as_of: AS_OF }, ledger!));
    const again = await eleanor.put(`${SETS}/${draft.id}/post`, { version: draft.version });
    expect([again.status, again.body.code]).toEqual([409, 'opening_set.exists']);
  });
});

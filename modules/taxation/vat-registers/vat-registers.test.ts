/** VAT numbers at VIES and HMRC: what is asked, what is kept, and what documents make of it. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { testApp, TEST_NOW, type Answer, type SignedIn } from '#tests/support/app.ts';
import { command, makeCustomer } from '#tests/support/receivables.ts';
import { VatRegisterDouble } from '#tests/support/vat-register-doubles.ts';
import { proveVatNumbers } from './check-number.server.ts';
import { recheckVatNumbers } from './vat-number-tasks.server.ts';

const test = testApp();
const API = '/api/admin/staff';
const BERLIN = 'DE136695976';
const LONDON = 'GB980780684';
const OURS = 'IE6433435F';
let registers: VatRegisterDouble;
let ann: SignedIn;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
/** Sessions end meanwhile: Ann signs in again. */
async function later(days: number) {
  test.clock.set(new Date(Date.parse(TEST_NOW) + days * 86_400_000).toISOString());
  ann = await test.signedIn('staff_admin');
}
async function customer({ number = BERLIN, evidence = null as string | null, country = 'DE', division = 'EU' } = {}) {
  const id = await makeCustomer(test.database.db, division, { business: true, country });
  await test.database.db.exec(sql`
    update customers set vat_number = ${number}, business_evidence = ${evidence} where id = ${id}`);
  return id;
}
const numberOf = async (id: number) => data(await ann.get(`${API}/customers/${id}/vat_number_checks`));
const check = (id: number) => ann.post(`${API}/customers/${id}/vat_number_checks`, {});
const line = { fee: { kind: 'fee', description: 'Rush', item_class: 'fee', net_minor: 10_000 },
  goods: { kind: 'sale', description: 'Scores', item_class: 'merchandise', net_minor: 10_000 } };
const draft = async (id: number, kind: keyof typeof line = 'fee', division = 'EU') => data(await ann.post(
  `${API}/invoices`, { customer_id: id, license_id: null, division, currency: division === 'UK' ? 'GBP' : 'EUR',
    items: [line[kind]] }));
const issue = (of: { id: number; version: number; total_minor: number }) => ann.post(`${API}/invoices/${of.id}/issue`,
  { version: of.version, confirmed_total_minor: of.total_minor });
const issued = async (id: number, kind?: keyof typeof line) => data(await issue(await draft(id, kind)));
const shown = async (id: number) => data(await ann.get(`${API}/invoices/${id}`));
const tasks = async (): Promise<string[]> => data(await ann.get(`${API}/dashboard?division=EU&all=true`)).todo.rows
  .filter((row: { kind: string }) => row.kind === 'vat_number').map((row: { title: string }) => row.title);

// Servers of its own for each test: their breakers start closed.
beforeEach(async () => {
  registers = await new VatRegisterDouble().start();
  registers.numbers.set(BERLIN, { name: 'Berlin Theater GmbH', address: 'Lake Street 1\n10178 Berlin' });
  test.ports.settings.vat_registers = { vies_url: registers.url, hmrc: true, proof_days: 7 };
  test.ports.settings.hmrc = { client_id: 'client', client_secret: 'secret of the double', environment: 'sandbox',
    url: registers.url, sign_in_url: registers.url, public_ip: null };
  await test.database.owner.exec(sql`update tax_registrations set number = ${OURS}
    where division = 'EU' and scheme = 'vat'`);
  await test.database.owner.exec(sql`update tax_registrations set number = 'GB 123 4567 82' where division = 'UK'`);
  await later(0);
});
afterAll(() => registers.stop());

describe('a look-up', () => {
  it('at VIES stores name, address and the consultation number that our own number buys', async () => {
    const id = await customer();
    expect(await numberOf(id)).toMatchObject({ vat_number: BERLIN, register: 'vies', answer: null, checks: [] });
    const found = data(await check(id));
    expect(found).toMatchObject({ answer: 'valid', answered_at: TEST_NOW, proof_days: 7 });
    expect(found.checks[0]).toMatchObject({ register: 'vies', answer: 'valid', name: 'Berlin Theater GmbH',
      address: 'Lake Street 1\n10178 Berlin', reference: 'CONSULT1', problem: '' });
    expect(registers.asked).toEqual([{ number: BERLIN, requester: OURS }]);
    const [act] = data(await ann.get(`${API}/customers/${id}/activity`));
    expect(act).toMatchObject({ action: 'check_vat_number' });
  });
  it('goes without our number where VIES does not take it', async () => {
    registers.fault = 'INVALID_REQUESTER_INFO';
    const found = data(await check(await customer()));
    expect(found.checks[0]).toMatchObject({ answer: 'valid', reference: null });
    expect(registers.asked.map((one) => one.requester)).toEqual([OURS, null]);
  });
  it('at HMRC needs a token, once, and names us where HMRC knows us', async () => {
    registers.numbers.set(LONDON, { name: 'Albion Players', address: '1 High Street\nSW1A 1AA' });
    const id = await customer({ number: LONDON, country: 'GB', division: 'UK' });
    // 123 4567 82 is not registered: 403, and the number is looked up without it.
    expect(data(await check(id)).checks[0]).toMatchObject({ register: 'hmrc', answer: 'valid', reference: null,
      name: 'Albion Players', address: '1 High Street\nSW1A 1AA\nGB' });
    registers.numbers.set('GB123456782', { name: 'Grand Rights', address: '2 High Street\nSW1A 1AA' });
    expect(data(await check(id)).checks[0]).toMatchObject({ answer: 'valid', reference: 'ypA3' });
    expect(registers.tokens).toBe(1);
    registers.numbers.delete(LONDON);
    expect(data(await check(id))).toMatchObject({ answer: 'invalid' });
  });
  it('that gets no answer says nothing of the number, and five of them give the register a rest', async () => {
    const id = await customer();
    data(await check(id));
    registers.fault = 'MS_UNAVAILABLE';
    const kept = data(await check(id));
    expect(kept).toMatchObject({ answer: 'valid' });
    expect(kept.checks[0]).toMatchObject({ answer: 'unavailable', problem: 'MS_UNAVAILABLE' });
    // One and three attempts so far; two more failures open the breaker.
    for (const fault of ['down', 'garbage', 'lost'] as const) {
      registers.fault = fault;
      expect(data(await check(id))).toMatchObject({ answer: 'valid' });
    }
    expect(registers.asked).toHaveLength(1 + 5);
  });
  it('is not made without a register: format and check digit decide', async () => {
    test.ports.settings.vat_registers = { vies_url: null, hmrc: false, proof_days: 7 };
    const id = await customer();
    expect(data(await check(id))).toMatchObject({ register: null, answer: null, check_digit_valid: true,
      checks: [{ register: null, answer: null }] });
    expect((await issued(id)).vat_proof).toMatchObject({ state: 'format', vat_number: BERLIN });
    expect(registers.asked).toEqual([]);
  });
  it('starts anew with another number', async () => {
    const id = await customer();
    data(await check(id));
    await test.database.db.exec(sql`update customers set vat_number = 'FR40303265045' where id = ${id}`);
    expect(await numberOf(id)).toMatchObject({ vat_number: 'FR40303265045', answer: null, answered_at: null });
  });
  it('answers the validation of the tax service’s proxy too', async () => {
    expect(data(await ann.get(`/api/utilities/taxjar/validation?vat=${BERLIN}`))).toMatchObject({ valid: true,
      exists: true, vies_available: true, register: 'vies', name: 'Berlin Theater GmbH', source: 'own' });
    expect(data(await ann.get('/api/utilities/taxjar/validation?vat=FR40303265045'))).toMatchObject({ valid: false,
      exists: false, check_digit_valid: true });
  });
});

describe('an invoice to a business of another member state', () => {
  it('goes out without VAT on a proof, asked for once in seven days', async () => {
    const id = await customer();
    const first = await issued(id);
    expect(first).toMatchObject({ tax_minor: 0, vat_proof: { state: 'proved', register: 'vies', reference: 'CONSULT1',
      name: 'Berlin Theater GmbH', problem: '' } });
    await later(6);
    expect(await issued(id)).toMatchObject({ vat_proof: { state: 'proved', reference: 'CONSULT1' } });
    expect(registers.asked).toHaveLength(1);
    await later(8);
    expect(await issued(id)).toMatchObject({ vat_proof: { state: 'proved', reference: 'CONSULT2' } });
  });
  it('charges VAT when the number was valid yesterday and is not today; what was issued stays', async () => {
    test.ports.settings.vat_registers.proof_days = 1;
    const id = await customer();
    const [fee, goods] = [await issued(id), await issued(id, 'goods')];
    expect([fee.tax_minor, goods.tax_minor]).toEqual([0, 0]);
    registers.numbers.clear();
    await later(1);
    // To a consumer: the fee at home, 23% of 100.00; goods where they go, 19%.
    expect([(await issued(id)).tax_minor, (await issued(id, 'goods')).tax_minor]).toEqual([2_300, 1_900]);
    expect(registers.asked).toHaveLength(2);
    const { tax_minor, vat_proof } = await shown(fee.id);
    expect({ tax_minor, state: vat_proof.state }).toEqual({ tax_minor: 0, state: 'proved' });
    const { name } = await test.database.db.one<{ name: string }>(sql`select name from customers where id = ${id}`);
    expect(await tasks()).toContain(`Correct the VAT number of ${name}`);
    const told = await test.database.db.query<{ title: string }>(sql`
      select distinct title from notifications where kind = 'tax.number_refused'
        and href = ${`/admin/customers/${id}/tax`}`);
    expect(told).toEqual([{ title: `VAT number of ${name} is no longer valid` }]);
  });
  it('stops where staff recorded other evidence of business, and the answer of the register stays', async () => {
    registers.numbers.clear();
    const id = await customer({ evidence: 'Extract of the register of companies' });
    const made = await draft(id);
    expect(made.tax_minor).toBe(0);
    const refused = await issue(made);
    expect(refused).toMatchObject({ status: 409, body: { code: 'tax.vat_number_refused', message:
      'DE136695976 is not a valid VAT number, says its register. Ask the customer for the right one.' } });
    expect(await numberOf(id)).toMatchObject({ answer: 'invalid' });
    // Corrected: it is asked about again.
    registers.numbers.set('FR40303265045', { name: 'Théâtre', address: 'Paris' });
    await test.database.db.exec(sql`update customers set vat_number = 'FR40303265045' where id = ${id}`);
    expect(data(await issue(made))).toMatchObject({ status: 'issued', vat_proof: { state: 'proved' } });
  });
  it('goes out while the register is silent, is marked, and is settled by the answer that comes later', async () => {
    registers.fault = 'MS_UNAVAILABLE';
    const id = await customer();
    const made = await issued(id);
    expect(made).toMatchObject({ status: 'issued', tax_minor: 0,
      vat_proof: { state: 'unproved', problem: 'MS_UNAVAILABLE', reference: null } });
    const title = `Settle the VAT of ${made.number}`;
    expect(await tasks()).toContain(title);
    registers.fault = null;
    await recheckVatNumbers(test.ports);
    expect(await numberOf(id)).toMatchObject({ answer: 'valid' });
    expect(await tasks()).not.toContain(title);
  });
  it('stands on the earlier proof while the register is silent, and is a task once the number is refused', async () => {
    const id = await customer();
    await issued(id);
    await later(10);
    registers.fault = 'MS_UNAVAILABLE';
    const made = await issued(id);
    expect(made).toMatchObject({ tax_minor: 0, vat_proof: { state: 'kept', reference: 'CONSULT1' } });
    const title = `Settle the VAT of ${made.number}`;
    expect(await tasks()).not.toContain(title);
    registers.fault = null;
    registers.numbers.clear();
    await later(11);
    await recheckVatNumbers(test.ports);
    expect(await tasks()).toContain(title);
    expect(data(await ann.put(`${API}/invoices/${made.id}/tax_checked`, {})).vat_proof.checked_at).not.toBeNull();
    expect(await tasks()).not.toContain(title);
  });
  it('asks about all customers of an import at once, while it holds their rows', async () => {
    const ids: number[] = [];
    for (let k = 0; k < 8; k += 1) ids.push(await customer());
    let attempts = 0;
    await command(test.ports, async (ctx) => {
      attempts += 1;
      await ctx.db.exec(sql`select 1 from customers where id = any(${ids}::bigint[]) for key share`);
      await proveVatNumbers(ctx, [...ids, ids[0]!].map((customer_id) => ({ division: 'EU', customer_id })));
    });
    expect(attempts).toBe(2);
    expect(registers.asked).toHaveLength(8);
  });
  it('stops at a mistyped number, without asking anybody', async () => {
    const id = await customer({ number: 'DE136695977' });
    expect(await issue(await draft(id))).toMatchObject({ status: 409, body: {
      message: 'DE136695977 is mistyped: its check digit is wrong.' } });
    expect((await draft(id, 'goods')).tax_minor).toBe(1_900);
    expect(registers.asked).toEqual([]);
  });
});

describe('a document to a business of the United Kingdom', () => {
  const known = async (id: number) => (await numberOf(id)).checks.map((one: { register: string; answer: string }) =>
    [one.register, one.answer]);

  it('asks HMRC by itself, once in seven days, and says when the number is valid no more', async () => {
    registers.numbers.set(LONDON, { name: 'Albion Players', address: '1 High Street\nSW1A 1AA' });
    const id = await customer({ number: LONDON, country: 'GB', division: 'UK' });
    expect(data(await issue(await draft(id, 'fee', 'UK')))).toMatchObject({ status: 'issued', tax_minor: 2_000 });
    expect(await known(id)).toEqual([['hmrc', 'valid']]);
    await later(6);
    await draft(id, 'fee', 'UK');
    expect(await known(id)).toHaveLength(1);
    registers.numbers.delete(LONDON);
    await later(8);
    // Taxed at home either way: the invoice goes out, and staff correct the number.
    expect(data(await issue(await draft(id, 'fee', 'UK')))).toMatchObject({ status: 'issued', tax_minor: 2_000 });
    expect(await known(id)).toEqual([['hmrc', 'invalid'], ['hmrc', 'valid']]);
    const { name } = await test.database.db.one<{ name: string }>(sql`select name from customers where id = ${id}`);
    const told = await test.database.db.query<{ title: string }>(sql`
      select distinct title from notifications where kind = 'tax.number_refused'
        and href = ${`/admin/customers/${id}/tax`}`);
    expect(told).toEqual([{ title: `VAT number of ${name} is no longer valid` }]);
  });
  it('of the EU division asks HMRC, and of the UK division VIES about a number of the EU', async () => {
    registers.numbers.set(LONDON, { name: 'Albion Players', address: '1 High Street\nSW1A 1AA' });
    const albion = await customer({ number: LONDON, country: 'GB' });
    await draft(albion);
    expect(await known(albion)).toEqual([['hmrc', 'valid']]);
    const berlin = await customer({ division: 'UK' });
    await draft(berlin, 'fee', 'UK');
    expect(await known(berlin)).toEqual([['vies', 'valid']]);
  });
  it('goes out while HMRC is silent, and HMRC is asked again within the hour', async () => {
    registers.numbers.set(LONDON, { name: 'Albion Players', address: '1 High Street\nSW1A 1AA' });
    registers.fault = 'down';
    const id = await customer({ number: LONDON, country: 'GB', division: 'UK' });
    expect(data(await issue(await draft(id, 'fee', 'UK')))).toMatchObject({ status: 'issued' });
    expect(await known(id)).toEqual([['hmrc', 'unavailable']]);
    registers.fault = null;
    await recheckVatNumbers(test.ports);
    expect(await numberOf(id)).toMatchObject({ answer: 'valid' });
  });
  it('is not asked about where HMRC is not set up', async () => {
    test.ports.settings.vat_registers.hmrc = false;
    const id = await customer({ number: LONDON, country: 'GB', division: 'UK' });
    await draft(id, 'fee', 'UK');
    expect(registers.asked).toEqual([]);
  });
});

it('registers are named in the settings, HMRC’s with its credentials', () => {
  expect(readSettings({ VAT_REGISTERS: 'vies' }, '/').vat_registers).toEqual({ hmrc: false, proof_days: 7,
    vies_url: 'https://ec.europa.eu/taxation_customs/vies/rest-api' });
  expect(readSettings({}, '/').vat_registers).toMatchObject({ vies_url: null, hmrc: false });
  expect(() => readSettings({ VAT_REGISTERS: 'hmrc' }, '/')).toThrow('HMRC_CLIENT_ID');
  expect(() => readSettings({ VAT_REGISTERS: 'elsewhere' }, '/')).toThrow('vies and hmrc');
  expect(() => readSettings({ VAT_REGISTERS: 'vies', VIES_URL: 'http://elsewhere.example' }, '/')).toThrow('https://');
});

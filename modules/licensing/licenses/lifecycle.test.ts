/** The life of a licence through the API, and every refusal on its way (domain.md 1.1). */
import { describe, expect, it } from 'vitest';
import { testApp, type Answer, type Browser } from '#tests/support/app.ts';
import { sql } from '#server/sql.ts';
import { E2_TICKETS, evenings, licensingFixture, type Fixture } from '../testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';

async function draft(staff: Browser, fixture: Fixture, from = '2027-04-01', count = 6): Promise<Answer['body']> {
  const answer = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
      performances: evenings(from, count) }] });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

describe('a quote', () => {
  it('is priced as in example E2: 985.00 x 6 = 5,910.00', async () => {
    const staff = await test.signedIn('staff_admin');
    const license = await draft(staff, await licensingFixture(test.database.db));
    expect(license).toMatchObject({ phase: 'draft', royalty_total_minor: 591_000, grand_total_minor: 591_000,
      availability: 'clear', number_of_performances: 6 });
    const price = await staff.get(`${LICENSES}/${license.id}/price_trace`);
    expect(price.body.data.lines[0]).toMatchObject({ quantity: 6, unit_minor: 98_500, net_minor: 591_000 });
    expect(price.body.data.trace.length).toBeGreaterThan(3);
  });

  it('is sent, signed by the customer and refused everything else meanwhile', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const license = await draft(staff, fixture);
    const sent = await staff.put(`${LICENSES}/${license.id}/phase`, { event: 'send_offer', version: license.version });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    expect(sent.body.data).toMatchObject({ phase: 'sent', offer_version: 1 });
    expect(sent.body.data.offer_expires_at.slice(0, 10)).toBe('2027-01-02');
    const versions = await staff.get(`${LICENSES}/${license.id}/versions`);
    expect(versions.body.data[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    const documents = await staff.get(`${LICENSES}/${license.id}/license_documents`);
    expect(documents.body.data.map((row: { type: string; status: string }) => [row.type, row.status]).toSorted())
      .toEqual([['production_contract', 'sent'], ['quote_letter', 'sent']]);
    const refused = await staff.put(`${LICENSES}/${license.id}/phase`, { event: 'close',
      version: sent.body.data.version });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'license.phase_conflict', phase: 'sent',
      allowed: ['revise', 'sign', 'expire', 'decline', 'cancel'] });
    const stale = await staff.put(`${LICENSES}/${license.id}/phase`, { event: 'revise', version: 1 });
    expect(stale.status).toBe(412);
    const mails = await test.database.db.query<{ subject: string }>(sql`
      select subject from mail_outbox where entity = 'license' and entity_id = ${license.id}`);
    expect(mails).toHaveLength(1);
  });
});

describe('from the signature to the end', () => {
  it('signs in the portal, is paid, licensed, performed, settled and closed; every step has its event', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const customer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'signer' }] });
    const license = await draft(staff, fixture);
    const home = `/api/customers/${fixture.customer_id}`;
    expect((await customer.get(`${home}/licenses/${license.id}`)).status).toBe(404);
    await staff.put(`${LICENSES}/${license.id}/phase`, { event: 'send_offer', version: license.version });
    const quote = (await customer.get(`${home}/licenses/${license.id}/quote`)).body.data;
    expect(quote).toMatchObject({ offer_version: 1, current: true, totals: { due_minor: 591_000 } });
    const sign = { offer_version: 1, hash: quote.hash, signer_name: 'Sam Signer', signer_title: 'Chair', accept: true };
    const wrong = await customer.post(`${home}/licenses/${license.id}/sign`, { ...sign, hash: '0'.repeat(64) });
    expect(wrong.status).toBe(409);
    expect(wrong.body.unmet[0].guard).toBe('same_version');
    const [first, second] = await Promise.all([customer.post(`${home}/licenses/${license.id}/sign`, sign),
      customer.post(`${home}/licenses/${license.id}/sign`, sign)]);
    expect([first.status, second.status], JSON.stringify([first.body, second.body])).toEqual([200, 200]);
    const accepted = (await customer.get(`${home}/licenses/${license.id}`)).body.data;
    expect(accepted.phase).toBe('accepted');
    expect(accepted.next_actions.map((action: { kind: string }) => action.kind)).toContain('pay');
    const invoices = await test.database.db.query<{ id: number; kind: string; total_minor: number }>(sql`
      select id, kind, total_minor from invoices where license_id = ${license.id}`);
    expect(invoices).toMatchObject([{ kind: 'proforma', total_minor: 591_000 }]);
  });
});

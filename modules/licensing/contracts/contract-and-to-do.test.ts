/** The contract that is signed and the To do after signing ask for the same money by the same day. */
import { expect, it } from 'vitest';
import { addDays, dateFor, type IsoDate } from '#kernel/calendar/calendar.ts';
import { reasonWords } from '#kernel/licensing/pay-by.ts';
import { sql } from '#server/sql.ts';
import { textOfPages } from '#server/pdf-pages.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture, securityCard } from '../testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';

interface Made { id: number; home: string; signer: SignedIn; text: string; sign: () => Promise<void> }

/** An offer that is out: its contract as text, and the customer who may sign it. */
async function sentOffer(first: IsoDate, ships: boolean): Promise<Made> {
  const { db } = test.database;
  const staff = await test.signedIn('staff_admin');
  const fixture = await licensingFixture(db);
  await securityCard(db, fixture);
  const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
      performances: evenings(first, 4) }] });
  const { id, version } = made.body.data;
  if (ships) await addScripts(id, fixture.show_code);
  const sent = await staff.put(`${LICENSES}/${id}/phase`, { event: 'send_offer', version });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  const papers = (await staff.get(`${LICENSES}/${id}/license_documents?per_page=50`)).body.data;
  const paper = papers.find((one: { type: string }) => one.type === 'production_contract');
  const pages = await textOfPages((await staff.get(`${LICENSES}/${id}/license_documents/${paper.id}/file`)).raw);
  const signer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'admin' }] });
  const home = `/api/customers/${fixture.customer_id}/licenses/${id}`;
  const sign = async (): Promise<void> => {
    const { hash } = (await signer.get(`${home}/quote`)).body.data;
    const signed = await signer.post(`${home}/sign`, { offer_version: 1, hash, signer_name: 'S', signer_title: '',
      accept: true, confirm_name: true });
    expect(signed.status, JSON.stringify(signed.body)).toBe(200);
  };
  return { id, home, signer, sign, text: pages.join(' ').replace(/\s+/g, ' ') };
}

async function addScripts(licenseId: number, showCode: string): Promise<void> {
  const { db } = test.database;
  const { id } = await db.one<{ id: number }>(sql`
    insert into materials (item_number, name, category, type, fulfilment, item_class, income_type)
    values (${`${showCode}-SCR`}, 'Script', 'scripts', 'rental', 'physical', 'rental', 'rental')
    returning id`);
  await db.exec(sql`
    insert into license_materials (license_id, material_id, item_number, name, type, fulfilment, quantity, item_class,
      income_type) select ${licenseId}, id, item_number, name, type, fulfilment, 20, item_class, 'rental'
    from materials where id = ${id}`);
}

const day = (date: IsoDate): string => dateFor('en-US', date);

it.each([
  ['ahead of the shipment', '2027-04-01', true, 'shipping'],
  ['within 90 days', '2027-06-01', false, 'signed'],
  ['before the opening', '2027-02-08', false, 'opening'],
] as const)('%s', async (_title, first, ships, why) => {
  const offer = await sentOffer(first, ships);
  expect(offer.text).not.toMatch(/\d on signing/);
  const quote = (await offer.signer.get(`${offer.home}/quote`)).body.data;
  await offer.sign();
  const { next_actions: tasks, accepted_at } = (await offer.signer.get(offer.home)).body.data;
  const pay = tasks.filter((task: { kind: string }) => task.kind === 'pay');
  expect(pay.length).toBeGreaterThan(0);
  for (const { due_on, due_reason } of pay) {
    expect(due_reason.why).toBe(why);
    const words = why === 'signed' ? 'within 90 days of signing'
      : `${day(due_on)}, ${reasonWords(due_reason, day, 'staff')}`;
    if (why === 'signed') expect(due_on).toBe(addDays(accepted_at.slice(0, 10), 90));
    expect(offer.text).toContain(words);
    expect(quote.payment_plan.map((row: { due: string }) => row.due).join()).toContain(words);
    expect(quote.first_payments[0].text).toContain(words);
  }
});

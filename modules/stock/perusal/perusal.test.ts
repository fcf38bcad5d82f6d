import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPdf } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser, type SignedIn } from '#tests/support/app.ts';
import { buyer, receive, stockWorld } from '#tests/support/stock.ts';
import { followOrders } from '../sales-order/follow-orders.server.ts';
import { followPerusals } from './follow-perusal.server.ts';

const test = testApp();
const API = '/api/admin/staff';
let staff: SignedIn;
let reader: SignedIn;
let stranger: Browser;
let customer: number;
let show: number;
let script: number;
let book: number;
let labels: string[];

/** Sessions end when days pass, so only the clockwork sees the later day. */
async function on(now: string, work: () => Promise<unknown>): Promise<void> {
  test.clock.set(now);
  await work();
  test.clock.set('2026-11-20T15:00:00Z');
}
/** A PDF whose pages say these words. */
const pdf = (words: readonly string[]): Promise<Buffer> => renderPdf({ title: 'Script', paper: 'label',
  language: 'en-US', sender: [], recipient: [], footer: 'Script', made_at: new Date('2026-01-01T00:00:00Z'),
  blocks: words.flatMap((text, at) =>
    [...at > 0 ? [{ kind: 'page' as const }] : [], { kind: 'text' as const, text }]) });

const made = async (path: string, body: object): Promise<number> => {
  const answer = await staff.post(`${API}/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.id;
};
const addFile = (material: number, content: Buffer) => staff.post(`${API}/materials/${material}/files`, undefined,
  { multipart: { fields: {}, file: { field: 'file', name: 'script.pdf', type: 'application/pdf', content } } });
const ask = (format: 'digital' | 'physical', who: Browser = reader) => who.post(`/api/customers/${customer}/perusals`,
  { show_id: show, format, material_ids: [format === 'digital' ? script : book], message: 'For our spring slot' });
const move = async (id: number, event: string, more: object = {}) => {
  const { version } = (await staff.get(`${API}/perusals/${id}`)).body.data;
  return staff.put(`${API}/perusals/${id}/status`, { event, version, ...more });
};
const pageOf = (id: number, page: number, who: Browser = reader) =>
  who.get(`/api/customers/${customer}/perusals/${id}/pages/${page}`);

beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  const world = await stockWorld(staff);
  await test.database.owner.exec(sql`update warehouses set default_for_division = true where id = ${world.warehouse}`);
  customer = await buyer(test);
  reader = await test.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
  const other = await buyer(test);
  stranger = await test.signedIn('customer', { customers: [{ id: other, role: 'admin' }] });
  show = await made('plays', { show_code: 'LENT', title: 'The Lent Script', divisions: ['US'] });
  const material = { show_code: 'LENT', category: 'perusals', type: 'perusal', item_class: 'printed_script',
    income_type: 'perusal' };
  script = await made('materials', { ...material, item_number: 'LENT-PER-1', name: 'Perusal script',
    fulfilment: 'stream_app', format: 'pdf' });
  book = await made('materials', { ...material, item_number: 'LENT-PER-2', name: 'Perusal book', serial_tracked: true,
    prices: { usd: 10, eur: null, gbp: null }, shipping_cost: { usd: 5, eur: null, gbp: null },
    replacement_prices: { usd: 40, eur: null, gbp: null } });
  const added = await addFile(script, await pdf(['Act one. A lamp burns.', 'Act two. It burns on.']));
  expect(added.body.data, JSON.stringify(added.body)).toMatchObject({ pages: 2, name: 'script' });
  labels = await receive(staff, world.warehouse, 'LENT-PER-2', 3);
});

describe('a perusal on the screen', () => {
  let id = 0;

  it('is asked for from what the show offers, and told to staff', async () => {
    const options = await reader.get(`/api/customers/${customer}/shows/${show}/perusal_options`);
    expect(options.body.data).toMatchObject({ currency: 'USD', left: 3, open_id: null,
      digital: [{ id: script, pages: 2 }], physical: [{ id: book, unit_price_minor: 1000, shipping_minor: 500 }] });
    const answer = await ask('digital');
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body.data).toMatchObject({ status: 'requested', fee_minor: 0, pages: 0, parts: [] });
    id = answer.body.data.id;
    expect((await reader.get(`/api/customers/${customer}/perusals`)).body.data).toMatchObject([{ id, show_title:
      'The Lent Script' }]);
    expect((await ask('digital')).body.code).toBe('perusal.open_already');
    expect((await pageOf(id, 1)).body.code).toBe('perusal.over');
    const told = await test.database.owner.query(sql`
      select 1 from notifications where kind = 'perusal.requested' and user_id = ${staff.user_id}`);
    expect(told).toHaveLength(1);
  });

  it('shows each page as a picture with the reader in it, says what stands there, and logs who read', async () => {
    const approved = await move(id, 'approve', { until: '2026-11-24' });
    expect(approved.body.data, JSON.stringify(approved.body)).toMatchObject({ status: 'active',
      expires_at: '2026-11-25T05:00:00Z' });
    const page = await pageOf(id, 2);
    expect(page.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'private, no-store' });
    expect(await sharp(page.raw).metadata()).toMatchObject({ format: 'jpeg', width: 1400 });
    const other = await test.signedIn('customer', { customers: [{ id: customer, role: 'member' }] });
    expect((await pageOf(id, 2, other)).raw.equals(page.raw)).toBe(false);
    const text = await reader.get(`/api/customers/${customer}/perusals/${id}/pages/2/text`);
    expect(text.body.data.text).toContain('It burns on.');
    expect((await pageOf(id, 3)).status).toBe(404);
    const { readers } = (await staff.get(`${API}/perusals/${id}`)).body.data;
    expect(readers).toMatchObject([{ user_id: reader.user_id, pages: 1, views: 2 },
      { user_id: other.user_id, views: 1 }]);
  });

  it('is closed to everybody else: other houses, other paths, the file itself', async () => {
    expect((await pageOf(id, 1, stranger)).status).toBe(404);
    const other = (stranger as SignedIn).user_id;
    const own = (await test.database.owner.one<{ customer_id: number }>(sql`
      select customer_id from customer_users where user_id = ${other}`)).customer_id;
    expect((await stranger.get(`/api/customers/${own}/perusals/${id}/pages/1`)).status).toBe(404);
    expect((await stranger.get(`/api/customers/${own}/perusals/${id}`)).status).toBe(404);
    expect((await stranger.get(`/api/customers/${own}/perusals`)).body.data).toEqual([]);
    expect((await reader.get(`${API}/materials/${script}/files`)).status).toBe(403);
  });

  it('warns two days before, ends at the end of its day, and opens again when it is extended', async () => {
    await on('2026-11-23T12:00:00Z', async () => {
      expect(await followPerusals(test.ports)).toBe(0);
      expect(await followPerusals(test.ports)).toBe(0);
    });
    const warned = await test.database.owner.query(sql`
      select 1 from notifications where kind = 'perusal.ending' and user_id = ${reader.user_id}`);
    expect(warned).toHaveLength(1);
    await test.database.owner.exec(sql`update perusals set opens_at = '2026-11-19', expires_at = '2026-11-20 14:59Z'
      where id = ${id}`);
    expect((await pageOf(id, 1)).body.code).toBe('perusal.over');
    expect((await reader.get(`/api/customers/${customer}/perusals/${id}`)).body.data.status).toBe('expired');
    expect(await followPerusals(test.ports)).toBe(1);
    expect((await move(id, 'extend', { until: '2026-11-20' })).body.errors.until).toBeDefined();
    expect((await move(id, 'extend', { until: '2026-11-30' })).body.data.status).toBe('active');
    expect((await pageOf(id, 1)).status).toBe(200);
    expect((await move(id, 'close')).body.errors.reason).toBeDefined();
    expect((await move(id, 'close', { reason: 'The rights were withdrawn' })).body.data.status).toBe('closed');
    expect((await pageOf(id, 1)).body.code).toBe('perusal.over');
    const seen = await reader.get(`/api/customers/${customer}/perusals/${id}`);
    expect(seen.body.data.reason).toBe('The rights were withdrawn');
  });
});

describe('a perusal by post', () => {
  it('leaves as a sales order with its fee as shown, is due, late, and comes back', async () => {
    const id = (await ask('physical')).body.data.id;
    const { version } = (await staff.get(`${API}/materials/${book}`)).body.data;
    await staff.put(`${API}/materials/${book}`, { version, prices: { usd: 99, eur: null, gbp: null } });
    expect((await move(id, 'approve')).body.data).toMatchObject({ status: 'approved', order_status: 'released' });
    expect((await move(id, 'ship', { carrier: 'UPS' })).body.errors.barcodes[0]).toContain('Scan the barcode');
    const shipped = await move(id, 'ship', { carrier: 'UPS', tracking: '1Z1', barcodes: [labels[0]] });
    expect(shipped.body.data, JSON.stringify(shipped.body)).toMatchObject({ status: 'shipped',
      due_back_on: '2026-12-11', warehouse_name: expect.stringMatching(/^Store \d+A$/),
      copies: [{ barcode: labels[0], location: 'on_hire' }] });
    const order = (await staff.get(`${API}/sales_orders/${shipped.body.data.sales_order_id}`)).body.data;
    expect(order.lines[0]).toMatchObject({ unit_price_minor: 1000, shipping_minor: 500 });
    expect(order.invoices[0].total_minor).toBeGreaterThanOrEqual(1500);
    const { data: todo } = (await reader.get(`/api/customers/${customer}/next_actions`)).body;
    expect(todo).toContainEqual(expect.objectContaining({ invoice_id: order.invoices[0].id,
      title: expect.stringMatching(/^Pay for your perusal of /) }));
    await on('2026-12-12T15:00:00Z', async () => { await followOrders(test.ports); });
    expect((await staff.get(`${API}/perusals/${id}`)).body.data).toMatchObject({ status: 'due',
      order_status: 'overdue', allowed: ['extend', 'return', 'charge_lost'] });
    expect((await move(id, 'extend', { until: '2026-12-20' })).body.data).toMatchObject({ status: 'shipped',
      order_status: 'on_hire', due_back_on: '2026-12-20' });
    expect((await move(id, 'return', { condition: 'marked' })).body.data).toMatchObject({ status: 'returned',
      copies: [] });
    const [back] = (await staff.get(`${API}/perusals/${id}/activity`)).body.data;
    expect(back).toMatchObject({ action: 'return', changes: expect.arrayContaining([
      expect.objectContaining({ field: 'condition', after: 'marked' })]) });
    expect((await move(id, 'close')).body.data).toMatchObject({ status: 'closed', order_status: 'closed' });
  });

  it('follows the warehouse where the parcel is sent and lost there', async () => {
    const id = (await ask('physical')).body.data.id;
    const orderId = (await move(id, 'approve')).body.data.sales_order_id;
    const warehouse = async (event: string, more: object = {}) => {
      const { version } = (await staff.get(`${API}/sales_orders/${orderId}`)).body.data;
      const answer = await staff.put(`${API}/sales_orders/${orderId}/status`, { event, version, ...more });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body.data;
    };
    const { lines } = (await staff.get(`${API}/sales_orders/${orderId}`)).body.data;
    await warehouse('pick', { lines: [{ line_id: lines[0].id, barcodes: [labels[1]] }] });
    await warehouse('pack');
    await warehouse('ship', { carrier: 'UPS', return_due_on: '2026-11-21' });
    await on('2026-11-27T15:00:00Z', async () => { await followOrders(test.ports); });
    expect((await move(id, 'charge_lost')).body.data, 'lost').toMatchObject({ status: 'lost_charged' });
  });

  it('is for those who may spend: a member reads, an admin or signer asks for books', async () => {
    const member = await test.signedIn('customer', { customers: [{ id: customer, role: 'member' }] });
    expect((await ask('physical', member)).status).toBe(403);
  });
});

describe('the limit of three', () => {
  it('holds when four ask at once', async () => {
    const house = await buyer(test);
    const person = await test.signedIn('customer', { customers: [{ id: house, role: 'admin' }] });
    const shows: number[] = [];
    for (const at of [1, 2, 3, 4]) {
      const code = `LENT${at}`;
      const showId = await made('plays', { show_code: code, title: code, divisions: ['US'] });
      const material = await made('materials', { show_code: code, category: 'perusals', type: 'perusal',
        item_number: `${code}-P`, name: 'Book', prices: { usd: 1, eur: null, gbp: null } });
      shows.push(showId, material);
    }
    const answers = await Promise.all([0, 2, 4, 6].map((at) => person.post(`/api/customers/${house}/perusals`,
      { show_id: shows[at], material_ids: [shows[at + 1]], format: 'physical' })));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 201, 201, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body.code).toBe('perusal.too_many');
  });
});

describe("the customer's terms", () => {
  it('say how many, how long and for which fee; a later change alters no perusal', async () => {
    const house = await buyer(test);
    const person = await test.signedIn('customer', { customers: [{ id: house, role: 'admin' }] });
    const terms = async (change: object) => {
      const { version } = (await staff.get(`${API}/customers/${house}`)).body.data;
      return staff.put(`${API}/customers/${house}`, { version, ...change });
    };
    const askFor = (format: 'digital' | 'physical') => person.post(`/api/customers/${house}/perusals`,
      { show_id: show, format, material_ids: [format === 'digital' ? script : book] });
    expect((await terms({ perusal_days_digital: 0 })).body.errors.perusal_days_digital).toBeDefined();
    expect((await terms({ perusal_max_open: 0 })).status).toBe(200);
    expect((await askFor('digital')).body).toMatchObject({ code: 'perusal.too_many',
      message: expect.stringContaining('on request only') });
    await terms({ perusal_max_open: 1, perusal_days_digital: 5, perusal_days_physical: 30, perusal_fee_minor: 250 });
    const options = (await person.get(`/api/customers/${house}/shows/${show}/perusal_options`)).body.data;
    expect(options).toMatchObject({ most_open: 1, left: 1, days_digital: 5, days_physical: 30, fee_minor: 250 });
    const asked = (await askFor('physical')).body.data;
    expect(asked).toMatchObject({ fee_minor: 250, shipping_minor: 500, days: 30 });
    await move(asked.id, 'decline', { reason: 'Not this one' });
    const read = (await askFor('digital')).body.data;
    await terms({ perusal_days_digital: 90 });
    expect((await move(read.id, 'approve')).body.data).toMatchObject({ expires_at: '2026-11-26T05:00:00Z' });
    const found = await staff.get(`${API}/search/all?search=${read.number}`);
    expect(found.body.data.groups.map((one: { entity: string }) => one.entity)).toContain('perusal');
  });
});

describe('a file of a material', () => {
  it.each([
    ['a text that says it is a PDF', Buffer.from('%PDF-1.7 nothing else')],
    ['HTML', Buffer.from('<html></html>')],
  ])('is refused in words: %s', async (_what, content) => {
    const answer = await addFile(script, content);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.file).toHaveLength(1);
  });
});

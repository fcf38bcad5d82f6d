/** A server on this machine that speaks the tax service's v2 API: its shapes, its errors, and its bad days. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Stored = Record<string, unknown>;
/** well; down (503); garbage (no JSON); lost: takes what it is sent and answers nothing. */
export type Mood = 'well' | 'down' | 'garbage' | 'lost';

export interface TaxServiceDouble {
  url: string;
  key: string;
  mood: Mood;
  /** `METHOD path` of every call. */
  calls: string[];
  kept: { orders: Map<string, Stored>; refunds: Map<string, Stored>; customers: Map<string, Stored> };
  close(): Promise<void>;
}

interface Reply { status: number; body: object }
const refusal = (status: number, error: string, detail: string): Reply => ({ status, body: { status, error, detail } });

export async function taxServiceDouble(): Promise<TaxServiceDouble> {
  const double = { url: '', key: 'key of the double', mood: 'well' as Mood, calls: [] as string[],
    kept: { orders: new Map<string, Stored>(), refunds: new Map<string, Stored>(),
      customers: new Map<string, Stored>() } };
  const server: Server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      double.calls.push(`${request.method} ${request.url}`);
      if (double.mood === 'down') return response.writeHead(503).end('{}');
      if (double.mood === 'garbage') return response.writeHead(200).end('<html>');
      const reply = request.headers.authorization === `Bearer ${double.key}`
        ? answer(double.kept, request.method ?? '', request.url ?? '', body)
        : refusal(401, 'Unauthorized', 'Not authorized for route');
      if (double.mood === 'lost') return request.socket.destroy();
      return response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((done) => { server.listen(0, '127.0.0.1', done); });
  double.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(double, { close: () => new Promise<void>((done) => { server.close(() => { done(); }); }) });
}

async function bodyOf(request: IncomingMessage): Promise<Stored> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return text === '' ? {} : JSON.parse(text) as Stored;
}

function answer(kept: TaxServiceDouble['kept'], method: string, url: string, body: Stored): Reply {
  const { pathname, searchParams } = new URL(url, 'http://double');
  const [, , ...parts] = pathname.split('/');
  const record = /^(?:transactions\/)?(orders|refunds|customers)$/.exec(parts.slice(0, parts[0] === 'transactions' ? 2
    : 1).join('/'))?.[1] as keyof typeof kept | undefined;
  if (record) return ofRecords(kept[record], record, method, parts.at(-1) === record ? null : parts.at(-1)!, body);
  switch (`${method} ${parts[0]}`) {
    case 'GET categories': return { status: 200, body: { categories: [
      { name: 'Books', product_tax_code: '81100', description: 'Books, printed' }] } };
    case 'GET rates': return { status: 200, body: { rate: { zip: parts[1], country: searchParams.get('country'),
      state: 'NY', state_rate: '0.04', county: 'NEW YORK', county_rate: '0.0', city: 'NEW YORK', city_rate: '0.045',
      combined_district_rate: '0.00375', combined_rate: '0.08875', freight_taxable: true } } };
    case 'POST taxes': return taxes(body);
    case 'GET validation': return { status: 200, body: { validation: { valid: true, exists: true, vies_available: true,
      vies_response: { country_code: 'DE', vat_number: '136695976', request_date: '2026-11-20', valid: true,
        name: 'Theater GmbH', address: 'Berlin' } } } };
    case 'POST addresses': return body.zip === '99999' ? refusal(404, 'Not Found', 'Resource can not be found')
      : { status: 200, body: { addresses: [{ ...body, zip: `${String(body.zip)}-0001` }] } };
    default: return refusal(404, 'Not Found', 'No such path');
  }
}

interface AskedLine { id: string; quantity: number; unit_price: number; discount?: number }

/** 8.875 % of all but what is exempt, in New York only, by line where lines are named. */
function taxes({ amount, shipping, to_state, exemption_type, line_items }: Stored): Reply {
  if (to_state === 'ZZ') return refusal(400, 'Bad Request', 'to_state is not a state');
  const net = Number(amount) + Number(shipping);
  const nexus = to_state === 'NY';
  const isTaxed = nexus && !exemption_type;
  const portion = (base: number) => ({ taxable_amount: base, tax_collectable: Math.round(base * 8.875) / 100,
    combined_tax_rate: 0.08875, state_sales_tax_rate: 0.04, state_amount: Math.round(base * 4) / 100,
    city_tax_rate: 0.045, city_amount: Math.round(base * 4.5) / 100, special_tax_rate: 0.00375,
    special_district_amount: Math.round(base * 0.375) / 100 });
  const lines = Array.isArray(line_items) ? line_items as AskedLine[]
    : [{ id: '1', quantity: 1, unit_price: net }];
  const parts = lines.map((line) => ({ id: line.id,
    ...portion(isTaxed ? line.quantity * line.unit_price - (line.discount ?? 0) : 0) }));
  const delivery = Array.isArray(line_items) && Number(shipping) > 0 ? portion(isTaxed ? Number(shipping) : 0) : null;
  const tax = Math.round([...parts, ...(delivery ? [delivery] : [])]
    .reduce((sum, part) => sum + part.tax_collectable * 100, 0)) / 100;
  const taxable = isTaxed ? net : 0;
  return { status: 200, body: { tax: { order_total_amount: net, shipping, taxable_amount: taxable,
    amount_to_collect: tax, rate: taxable > 0 ? 0.08875 : 0, has_nexus: nexus, freight_taxable: true,
    tax_source: 'destination', exemption_type: exemption_type ?? null,
    jurisdictions: { country: 'US', state: to_state, county: 'NEW YORK', city: 'NEW YORK' },
    breakdown: { taxable_amount: taxable, tax_collectable: tax, combined_tax_rate: 0.08875,
      ...(delivery ? { shipping: delivery } : {}), line_items: parts } } } };
}

const NAMES = { orders: 'order', refunds: 'refund', customers: 'customer' } as const;

function ofRecords(kept: Map<string, Stored>, record: keyof typeof NAMES, method: string, id: string | null,
  body: Stored): Reply {
  const one = NAMES[record];
  const key = id ?? String(body[record === 'customers' ? 'customer_id' : 'transaction_id']);
  const found = kept.get(key);
  if (method === 'GET' && id === null) return { status: 200, body: { [record]: [...kept.keys()] } };
  if (method === 'POST') {
    if (found) return refusal(422, 'Unprocessable Entity', `${one} has already been taken`);
    if (body.to_zip === '00000') return refusal(406, 'Not Acceptable', 'to_zip is not valid');
    kept.set(key, body);
    return { status: 201, body: { [one]: body } };
  }
  if (!found) return refusal(404, 'Not Found', 'Resource can not be found');
  if (method === 'DELETE') kept.delete(key);
  if (method === 'PUT') kept.set(key, { ...found, ...body });
  return { status: 200, body: { [one]: kept.get(key) ?? found } };
}

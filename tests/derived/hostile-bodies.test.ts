/**
 * Limits the cost of hostile requests (reliability.md 4): calls that need no sign-in read at most 16 KiB, count the
 * attempt before they read the body, and report at most fifty errors.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '#apps/server/src/routes.ts';
import { OPEN_BODY_LIMIT } from '#server/mount.ts';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp({ rateLimits: true });
const open = routes.map(({ endpoint }) => endpoint)
  .filter(({ auth, method }) => auth.kind === 'open' && method !== 'GET')
  .map((endpoint) => ({ ...endpoint, url: endpoint.path.replace(/\{\w+\}/g, 'a-token') }));
let guest: Browser;
let caller = 0;
beforeAll(async () => {
  guest = test.visitor();
  await guest.get('/sanctum/csrf-cookie');
});

/** One raw body from an address of its own, or from the one that is named. */
async function send(method: string, url: string, payload: string, remoteAddress?: string) {
  caller += 1;
  const response = await test.app.inject({ method: method as 'POST', url, payload,
    remoteAddress: remoteAddress ?? `10.0.${caller >> 8}.${caller & 255}`,
    headers: { 'content-type': 'application/json', cookie: [...guest.cookies].map((one) => one.join('=')).join('; '),
      'x-xsrf-token': guest.cookies.get('XSRF-TOKEN')! } });
  const body = response.body === '' ? {} : response.json() as { code?: string; errors?: Record<string, string[]> };
  return { status: response.statusCode, bytes: response.rawPayload.length, code: body.code,
    errors: Object.values(body.errors ?? {}).flat().length };
}

const unknownKeys = (bytes: number): string => {
  const keys = Array.from({ length: Math.floor(bytes / 14) }, (_, n) => `"k${String(n).padStart(8, '0')}":1`);
  return `{${keys.join(',')}}`.slice(0, bytes);
};

it('there are calls of strangers to try', () => {
  expect(open.map(({ path }) => path)).toEqual(expect.arrayContaining(['/api/auth/login', '/api/client-errors']));
});

describe.each(open)('$method $path', ({ method, url }) => {
  it('reads no more than 16 KiB', async () => {
    const answer = await send(method, url, `{"a":"${'x'.repeat(OPEN_BODY_LIMIT)}"}`);
    expect(answer).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(answer.bytes).toBeLessThan(1000);
  });

  it('tells at most fifty errors of a body full of fields that it does not know', async () => {
    const answer = await send(method, url, unknownKeys(OPEN_BODY_LIMIT - 100).replace(/,[^,]*$/, '}'));
    expect(answer.errors).toBeLessThanOrEqual(50);
    expect(answer.bytes).toBeLessThan(OPEN_BODY_LIMIT);
  });

  it('counts an attempt before it reads the body', async () => {
    const statuses: number[] = [];
    for (let n = 0; n <= 60; n += 1) statuses.push((await send(method, url, '{"not JSON', '192.0.2.9')).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
  });
});

it('whoever is signed in is told fifty errors too, and no name of a field longer than a line', async () => {
  const staff = await test.signedIn('staff_admin');
  const many = await staff.post('/api/admin/staff/venues', JSON.parse(unknownKeys(900_000).replace(/,[^,]*$/, '}')));
  expect(many.status).toBe(422);
  expect(Object.values(many.body.errors as Record<string, string[]>).flat()).toHaveLength(50);
  expect(many.raw.length).toBeLessThan(20_000);
  const long = await staff.post('/api/admin/staff/venues', { ['x'.repeat(900_000)]: 1 });
  expect(long.raw.length).toBeLessThan(5000);
});

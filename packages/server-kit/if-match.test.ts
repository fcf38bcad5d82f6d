/** `If-Match` is the version of a body under another name (reliability.md 5.2). */
import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type SignedIn } from '#tests/support/app.ts';

const VENUES = '/api/admin/staff/venues';
const test = testApp();
let admin: SignedIn;
beforeAll(async () => { admin = await test.signedIn('staff_admin'); });

async function venue(): Promise<{ id: number; etag: string; at: string }> {
  const { body } = await admin.post(VENUES, { name: 'Marlow Hall', kind: 'theatre', time_zone: 'America/New_York',
    capacity: 200, address: { country_code: 'US', thoroughfare: '1 Main St', locality: 'Albany',
      administrative_area: 'NY', postal_code: '12203' } });
  const at = `${VENUES}/${body.data.id}`;
  return { id: body.data.id, at, etag: String((await admin.get(at)).headers.etag) };
}

const rename = (at: string, name: string, etag: string, body: object = {}) =>
  admin.put(at, { name, ...body }, { headers: { 'if-match': etag } });

describe('the ETag of what was read', () => {
  it('stands for the version once; then it is told what stands there now', async () => {
    const { at, etag } = await venue();
    expect(etag).toBe('"v1"');
    const changed = await rename(at, 'Renamed Hall', etag);
    expect([changed.status, changed.headers.etag]).toEqual([200, '"v2"']);
    const late = await rename(at, 'Too late', etag);
    expect([late.status, late.body.code, late.body.current.version]).toEqual([412, 'stale', 2]);
    expect((await admin.get(at)).body.data.name).toBe('Renamed Hall');
  });

  it('takes a record away only as it was read', async () => {
    const { at, etag } = await venue();
    await rename(at, 'Renamed Hall', etag);
    const remove = (header: string) => admin.call('DELETE', at, { headers: { 'if-match': header } });
    expect((await remove(etag)).status).toBe(412);
    expect((await admin.get(at)).status).toBe(200);
    expect((await remove('"v2"')).status).toBe(204);
  });

  it('is refused where it contradicts the body, is none of ours, or nobody would compare it', async () => {
    const { at, etag } = await venue();
    expect((await rename(at, 'Two versions', etag, { version: 2 })).status).toBe(412);
    expect((await rename(at, 'Another server', '"33a64df5"')).status).toBe(412);
    const create = await admin.post(VENUES, { name: 'x' }, { headers: { 'if-match': etag } });
    expect([create.status, create.body.code]).toEqual([400, 'bad_request']);
    expect((await admin.get(at)).body.data).toMatchObject({ name: 'Marlow Hall', version: 1 });
  });

  it('says nothing as a star, nor to a read', async () => {
    const { at } = await venue();
    expect((await rename(at, 'Any version', '*', { version: 1 })).status).toBe(200);
    expect((await admin.call('GET', at, { headers: { 'if-match': '"v9"' } })).status).toBe(200);
  });
});

import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
let staff: Browser;
let path = '';
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  const show = await staff.post('/api/admin/staff/plays', { show_code: 'PICTURED', title: 'Pictured' });
  path = `/api/admin/staff/shows/${show.body.data.id}/images`;
});

const picture = (width: number, height: number): Promise<Buffer> => sharp({ create: { width, height, channels: 3,
  background: '#804020' } }).jpeg().withExif({ IFD0: { Copyright: 'Secret of the camera' } }).toBuffer();
const upload = (content: Buffer, name = 'poster.jpg', caption = '') => staff.post(path, undefined, { multipart: {
  fields: caption === '' ? {} : { caption }, file: { field: 'image', name, type: 'image/jpeg', content } } });

describe('images of a show', () => {
  it('are drawn anew: WebP, no larger than a page, nothing of the camera in them', async () => {
    const sent = await picture(3000, 1500);
    expect(sent.includes('Secret of the camera')).toBe(true);
    const row = await upload(sent, 'poster.jpg', 'The poster');
    expect(row.status, JSON.stringify(row.body)).toBe(201);
    expect(row.body.data).toMatchObject({ caption: 'The poster', sort: 0, width: 1600, height: 800 });
    const file = await staff.get(row.body.data.url);
    expect(file.headers['content-type']).toBe('image/webp');
    expect((await sharp(file.raw).metadata()).format).toBe('webp');
    expect(file.raw.includes('Secret of the camera')).toBe(false);
  });

  it('have an order without gaps, captions, and go', async () => {
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await upload(await picture(400, 300), name, name);
    const rows = (await staff.get(path)).body.data as { id: number; caption: string }[];
    const last = rows.at(-1)!;
    const moved = await staff.put(`${path}/${last.id}`, { sort: 0 });
    expect(moved.body.data.map((row: { caption: string; sort: number }) => [row.caption, row.sort]))
      .toEqual([['c.jpg', 0], ['The poster', 1], ['a.jpg', 2], ['b.jpg', 3]]);
    await staff.put(`${path}/${last.id}`, { caption: 'On tour' });
    expect((await staff.remove(`${path}/${rows[0]!.id}`)).status).toBe(204);
    expect((await staff.get(path)).body.data.map((row: { caption: string; sort: number }) => [row.caption, row.sort]))
      .toEqual([['On tour', 0], ['a.jpg', 1], ['b.jpg', 2]]);
    expect((await staff.get(`${path}/${rows[0]!.id}/content`)).status).toBe(404);
  });

  it.each([
    ['a page of HTML', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a picture cut off', null], ['a picture too small', undefined],
  ])('refuse %s that calls itself a picture', async (_what, content) => {
    const whole = await picture(content === undefined ? 40 : 800, 600);
    const answer = await upload(content ?? (content === null ? whole.subarray(0, 400) : whole));
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual(['image']);
  });

  it('need the right to manage images', async () => {
    const reader = await test.signedIn('staff_user', { permissions: ['show.show'] });
    expect((await reader.get(path)).status).toBe(200);
    expect((await reader.put(`${path}/1`, { caption: 'Mine' })).status).toBe(403);
  });
});

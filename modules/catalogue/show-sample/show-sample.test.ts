import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { toneWav } from '../../../db/demo/tone-wav.ts';

const test = testApp();
let staff: Browser;
let path = '';
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  const show = await staff.post('/api/admin/staff/musicals', { show_code: 'SOUNDING', title: 'Sounding' });
  path = `/api/admin/staff/shows/${show.body.data.id}/samples`;
});

const upload = (content: Buffer, name: string, title = '') => staff.post(path, undefined, { multipart: {
  fields: title === '' ? {} : { title }, file: { field: 'sample', name, type: 'audio/wav', content } } });
const titles = async () => (await staff.get(path)).body.data.map((row: { title: string }) => row.title);

describe('audio samples of a show', () => {
  it('are named by their file unless told, hidden until made public, put in order, and go', async () => {
    const first = await upload(toneWav(), 'Opening.wav');
    expect(first.status, JSON.stringify(first.body)).toBe(201);
    expect(first.body.data).toMatchObject({ title: 'Opening', sort: 0, public: false });
    const second = (await upload(toneWav(), 'take 7.wav', 'Finale')).body.data;
    const moved = await staff.put(`${path}/${second.id}`, { sort: 0, public: true, title: 'The finale' });
    expect(moved.body.data.map((row: { title: string; sort: number; public: boolean }) =>
      [row.title, row.sort, row.public])).toEqual([['The finale', 0, true], ['Opening', 1, false]]);
    const file = await staff.get(second.url);
    expect([file.status, file.headers['content-type']]).toEqual([200, 'audio/wav']);
    expect((await staff.remove(`${path}/${second.id}`)).status).toBe(204);
    expect(await titles()).toEqual(['Opening']);
    expect((await staff.get(second.url)).status).toBe(404);
  });

  it.each([['a page of HTML', 'page.wav', '<html><script>alert(1)</script></html>'],
    ['a picture', 'picture.png', 'PNG']])('refuse %s', async (_what, name, content) => {
    const answer = await upload(Buffer.from(content), name);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['sample']]);
  });

  it('need the right to manage pictures and samples', async () => {
    const reader = await test.signedIn('staff_user', { permissions: ['show.show'] });
    expect((await reader.get(path)).status).toBe(200);
    expect((await reader.put(`${path}/1`, { public: true })).status).toBe(403);
  });
});

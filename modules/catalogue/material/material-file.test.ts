import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { toneWav } from '../../../db/demo/tone-wav.ts';

const test = testApp();
const API = '/api/admin/staff';
let staff: SignedIn;
let material: number;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  const made = await staff.post(`${API}/materials`, { item_number: 'SOUND-TRK', name: 'Tracks', category: 'tracks',
    type: 'digital', fulfilment: 'download', item_class: 'tracks', income_type: 'digital',
    prices: { usd: 10, eur: null, gbp: null } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  material = made.body.data.id;
});

const add = (name: string, content: Buffer) => staff.post(`${API}/materials/${material}/files`, undefined,
  { multipart: { fields: {}, file: { field: 'file', name, type: 'application/octet-stream', content } } });
const png = () => sharp({ create: { width: 40, height: 30, channels: 3, background: '#8a2145' } }).png().toBuffer();
/** Enough of a file to be told by its first bytes. */
const begins = (...bytes: number[]): Buffer => Buffer.concat([Buffer.from(bytes), Buffer.alloc(64)]);
const ascii = (text: string): number[] => [...Buffer.from(text, 'latin1')];

describe('a file of a material', () => {
  it.each([
    ['Overture.wav', toneWav, 'audio', 'audio/wav'],
    ['Overture.mp3', () => begins(...ascii('ID3')), 'audio', 'audio/mpeg'],
    ['Bare.mp3', () => begins(0xff, 0xfb, 0x90, 0x64), 'audio', 'audio/mpeg'],
    ['Overture.m4a', () => begins(0, 0, 0, 0x20, ...ascii('ftypM4A ')), 'audio', 'audio/mp4'],
    ['Overture.flac', () => begins(...ascii('fLaC')), 'audio', 'audio/flac'],
    ['Logo.PNG', png, 'picture', 'image/png'],
  ] as const)('may be a sound or a picture, and is handed to staff as it is: %s', async (name, make, kind, mime) => {
    const content = await make();
    const added = await add(name, content);
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    expect(added.body.data).toMatchObject({ kind, pages: 0, file_name: name, name: name.split('.')[0] });
    const path = `${API}/materials/${material}/files/${added.body.data.id}`;
    const heard = await staff.get(`${path}/content`);
    expect(heard.headers['content-type']).toBe(mime);
    expect(heard.raw.equals(content)).toBe(true);
    expect((await staff.get(`${path}/pages/1`)).status).toBe(404);
  });

  it.each([
    ['Overture.mp3', () => png(), 'is named .mp3 but its content is something else'],
    ['Bare.mp3', () => begins(0xff, 0xff, 0xff, 0xff), 'is named .mp3 but its content is something else'],
    ['Picture.wav', () => begins(...ascii('RIFF'), 0, 0, 0, 0, ...ascii('WEBP')), 'its content is something else'],
    ['Overture.m4a', () => toneWav(), 'is named .m4a but its content is something else'],
    ['Logo.png', async () => (await png()).subarray(0, 60), 'could not be read as a picture'],
    ['Tracks.zip', () => begins(...ascii('PK')), 'Choose a file of type pdf, mp3, wav'],
  ] as const)('is refused in words where its content is another: %s', async (name, make, words) => {
    const answer = await add(name, await make());
    expect(answer.status).toBe(422);
    expect(answer.body.errors.file).toEqual([expect.stringContaining(words)]);
  });

  it('is no sound for whoever may not see materials', async () => {
    const added = (await add('Other.wav', toneWav())).body.data;
    const clerk = await test.signedIn('staff_user', { permissions: ['venue.list'] });
    expect((await clerk.get(`${API}/materials/${material}/files/${added.id}/content`)).status).toBe(403);
  });
});

/** Pictures and audio samples of the season's titles, uploaded and made public by staff. */
import { artwork, tuneOf } from './artwork.ts';
import type { DemoClient } from './client.ts';
import type { Work } from './load-catalogue.ts';
import { PUBLIC_FACTS } from './public-facts.ts';

const API = '/api/admin/staff/shows';
/** Width and height: a poster, and a scene as wide as shared links show them. */
const PICTURES = [['Poster', 600, 800], ['Scene', 1200, 630]] as const;
const SAMPLES = 2;

async function publish(staff: DemoClient, path: string, id: number): Promise<void> {
  await staff.put(`${path}/${id}`, { public: true });
}

async function loadOne(staff: DemoClient, { id, code, title }: Work): Promise<void> {
  for (const [word, width, height] of PICTURES) {
    const { data } = await staff.post(`${API}/${id}/images`, undefined, { file: { field: 'image', type: 'image/png',
      name: `${word}.png`, fields: { caption: `${word} of ${title}` }, content: await artwork(code, width, height) } });
    await publish(staff, `${API}/${id}/images`, data.id);
  }
  for (const song of PUBLIC_FACTS[code]!.songs.slice(0, SAMPLES)) {
    const { data } = await staff.post(`${API}/${id}/samples`, undefined, { file: { field: 'sample', type: 'audio/wav',
      name: 'Sample.wav', fields: { title: `${song} (excerpt)` }, content: tuneOf(code, song) } });
    await publish(staff, `${API}/${id}/samples`, data.id);
  }
}

export async function loadPictures(staff: DemoClient, works: ReadonlyMap<string, Work>): Promise<void> {
  for (const work of works.values()) await loadOne(staff, work);
}

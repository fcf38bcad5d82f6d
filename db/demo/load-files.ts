/** Study guides and rehearsal tracks of productions: uploaded once for a title, downloaded under the licence. */
import type { Body } from './client.ts';
import { DEMO_CUSTOMERS } from './houses.ts';
import type { SeasonContext } from './load-licenses.ts';
import { DEMO_SHOWS } from './repertoire.ts';
import { demoScript } from './script-pdf.ts';
import { toneWav } from './tone-wav.ts';

const API = '/api/admin/staff';
/** Houses whose productions have one. */
const HOUSES = 3;

export async function loadLicenseFiles({ staff, houses }: SeasonContext): Promise<void> {
  const guides = new Map<string, number>();
  const tracks = new Map<string, number>();
  for (const customer of DEMO_CUSTOMERS.slice(0, HOUSES)) {
    const { id } = houses.get(customer.name)!;
    const { data } = await staff.get(`${API}/licenses?customer_id=${id}&per_page=100`);
    const running = (data as Body[]).filter((row) => ['licensed', 'in_production'].includes(row.phase));
    for (const license of running.slice(0, 2)) {
      const guide = guides.get(license.show_code) ?? await uploadGuide(staff, license.show_code);
      guides.set(license.show_code, guide);
      await staff.post(`${API}/licenses/${license.id}/license_materials`,
        { material_id: guide, included_in_package: true });
      if (license.show_type !== 'musical') continue;
      const track = tracks.get(license.show_code) ?? await uploadTrack(staff, license.show_code);
      tracks.set(license.show_code, track);
      await staff.post(`${API}/licenses/${license.id}/license_materials`,
        { material_id: track, included_in_package: true });
    }
  }
}

async function uploadGuide(staff: SeasonContext['staff'], code: string): Promise<number> {
  const { data: [guide] } = await staff.get(`${API}/materials?type=digital&show_code=${code}&search=study`);
  const show = DEMO_SHOWS.find((one) => one.code === code)!;
  await staff.post(`${API}/materials/${guide.id}/files`, undefined, { file: { field: 'file', name: 'Study guide.pdf',
    type: 'application/pdf', fields: { name: 'Study guide' }, content: await demoScript(show) } });
  return guide.id;
}

/** A title without music has none; of one with music the first to listen to. */
async function uploadTrack(staff: SeasonContext['staff'], code: string): Promise<number> {
  const { data: [tracks] } = await staff.get(`${API}/materials?type=digital&show_code=${code}&search=rehearsal`);
  await staff.post(`${API}/materials/${tracks.id}/files`, undefined, { file: { field: 'file', name: 'Tuning note.wav',
    type: 'audio/wav', fields: {}, content: toneWav() } });
  return tracks.id;
}

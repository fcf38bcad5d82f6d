/** Add-ons of running productions, sold by an amendment: one counted by people, one paid by a share of its stream. */
import { addDays } from '#kernel/calendar/calendar.ts';
import { initialOf } from '#kit/field.ts';
import { addOn } from '#modules/catalogue/add-on/add-on.contract.ts';
import type { Body } from './client.ts';
import type { SeasonContext } from './load-licenses.ts';

const API = '/api/admin/staff';
/** The house whose people can sign in (README). */
const HOUSE = 'Astoria Community Players';
const PRODUCTIONS = 2;

export async function loadLicenseAddOns(season: SeasonContext): Promise<void> {
  const { staff, portals } = season;
  const { id } = season.houses.get(HOUSE)!;
  const { data } = await staff.get(`${API}/licenses?customer_id=${id}&per_page=100`);
  const running = (data as Body[]).filter((row) => ['licensed', 'in_production'].includes(row.phase));
  for (const [index, license] of running.slice(0, PRODUCTIONS).entries()) {
    const stream = await staff.post(`${API}/add_ons`, { ...initialOf(addOn.fields), show_id: license.show_id,
      name: 'Live stream', key: `stream_${index}`, kind: 'streaming_license', rate_ppm: 150_000,
      pricing_model: 'percent_stream_gross', item_class: 'performing_licence', income_type: 'streaming',
      royalty_bearing: true, requires_clearance: true, description: 'One live stream of each performance.',
      mandatory_program_text: 'Recording of this stream is not permitted.' });
    const app = await staff.post(`${API}/add_ons`, { ...initialOf(addOn.fields), show_id: license.show_id,
      name: 'Script app', key: `app_${index}`, kind: 'digital_script_app', pricing_model: 'per_user',
      item_class: 'e_publication', income_type: 'digital', price_usd_minor: 600, price_gbp_minor: 500,
      price_eur_minor: 550, description: 'The script on a tablet, a seat for each person.' });
    await staff.post(`${API}/licenses/${license.id}/amendments`, { version: license.version,
      reason: index === 0 ? 'A stream of each night, and the script for the cast.' : 'A stream of each night.',
      changes: { more_add_ons: [{ add_on_id: stream.data.id, quantity: 1 },
        ...index === 0 ? [{ add_on_id: app.data.id, quantity: 12 }] : []] } });
    const portal = portals.get(HOUSE)!;
    const home = `/api/customers/${id}/licenses/${license.id}`;
    const { data: terms } = await portal.client.get(`${home}/quote`);
    await portal.client.post(`${home}/sign_addendum`, { offer_version: terms.offer_version, hash: terms.hash,
      accept: true, signer_name: portal.name, signer_title: 'Producer' });
    const opened = license.first_performance_on as string;
    if (opened >= season.today) continue;
    await staff.post(`${API}/licenses/${license.id}/stream_reports`, { add_on_id: stream.data.id,
      period_from: opened, period_to: addDays(season.today, -1), gross_minor: 184_250 });
  }
}

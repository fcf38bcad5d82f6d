/** Files that the office took over: houses of a festival with what was left out of them, writers of a new contract. */
import { workImports } from '#modules/data-exchange/imports/work-imports.server.ts';
import type { ImportModel } from '#modules/data-exchange/imports/kinds/import-kind.contract.ts';
import type { Ports } from '#server/context.ts';
import type { Body, DemoClient } from './client.ts';
import type { SeasonContext } from './load-licenses.ts';

const API = '/api/admin/staff';

const FILES: readonly { model: ImportModel; name: string; rows: readonly string[] }[] = [
  { model: 'venues', name: 'festival-houses.csv', rows: ['Name,Street,City,State,Zip,Country,Kind,Capacity',
    'Merrimack Opera House,40 Canal Street,Lowell,MA,1852,US,theatre,640',
    'Penobscot Playhouse,12 Mill Lane,Bangor,ME,04401,US,theatre,310',
    'Sagamore Pavilion,3 Shore Road,Bourne,MA,2532,US,outdoor,1200',
    'The Round Barn,88 Orchard Road,Woodstock,VT,05091,US,tent,180',
    ',7 Church Street,Burlington,VT,05401,US,church,220'] },
  { model: 'royaltors', name: 'new-contracts.csv', rows: ['Name,Kind,Email,Country,Currency',
    'Imogen Sayre,person,imogen@sayre.example,US,USD', 'Quill and Lantern Agency,agent,desk@quill.example,GB,GBP',
    'Tobias Fenn,person,not known,US,USD'] },
];

/** Rows that cannot be taken over stay in the list with their reasons, as people find them. */
export async function loadImports(staff: DemoClient, ports: Ports): Promise<void> {
  for (const { model, name, rows } of FILES) {
    const { data: [template] } = await staff.get(`${API}/import_templates?model_name=${model}`);
    const { data: sent } = await staff.post(`${API}/imports`, undefined, { file: { field: 'file', name,
      type: 'text/csv', fields: { import_template_id: String(template.id) },
      content: Buffer.from([...rows, ''].join('\r\n')) } });
    await staff.post(`${API}/imports/${sent.id}/process`);
    await workImports(ports);
  }
}

/** Weeks that a house sent as a file, in its own layout. */
const TAKEN = ['"18,420.50",5,1140', '"16,975.25",5,1052'];

/** Imports weekly reports a touring company owes, else any customer's; a royalty pool also asks for running costs. */
export async function importReturns({ staff, ports, today }: SeasonContext): Promise<void> {
  const { data } = await staff.get(`${API}/box_office_reports?status=expected&per_page=100`);
  const owed = (data as Body[]).filter((one) => one.scope === 'week' && one.period_to < today
    && !one.asks_running_costs);
  const touring = owed.filter((one) => one.division === 'PROD');
  const rows = (touring.length > 0 ? touring : owed).slice(0, TAKEN.length).map((one, n) =>
    [one.period_to, one.title, one.venue_name, one.license_number, TAKEN[n]].join(','));
  const { data: [template] } = await staff.get(`${API}/import_templates?model_name=box_office_reports`);
  const { data: sent } = await staff.post(`${API}/imports`, undefined, { file: { field: 'file',
    name: 'weekly-figures.csv', type: 'text/csv', fields: { import_template_id: String(template.id) },
    content: Buffer.from(['Date,Show,Venue,Licence number,Gross,Performances,Attendance', ...rows, '']
      .join('\r\n')) } });
  await staff.post(`${API}/imports/${sent.id}/process`);
  await workImports(ports);
}

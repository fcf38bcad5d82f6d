/** The staff office of the demo season: colleagues, teams, job titles, invitations that wait. */
import type { DemoClient } from './client.ts';

const STAFF = '/api/admin/staff';

/** Added by an administrator; they have not chosen a password, so nobody signs in as them. */
const COLLEAGUES = [
  ['Beatrix', 'Holloway', 'Head of licensing', 'Licensing', 'Licensing desk'],
  ['Caspar', 'Adeyemi', 'Licensing representative', 'Licensing', 'Licensing desk'],
  ['Delphine', 'Roux', 'Licensing representative', 'Licensing', 'Licensing desk'],
  ['Edmund', 'Fairweather', 'Music librarian', 'Reception', 'Library'],
  ['Freya', 'Lund', 'Library assistant', 'Reception', 'Library'],
  ['Gideon', 'Marsh', 'Royalty accountant', 'Finance', 'Royalties and accounts'],
  ['Hester', 'Quayle', 'Credit controller', 'Finance', 'Royalties and accounts'],
  ['Ivor', 'Bancroft', 'Front desk', 'Reception', null],
] as const;

const TEAMS = [
  ['Licensing desk', 'Applications, quotes and licences of all divisions', 'licensing.desk@grandrights.example'],
  ['Library', 'Scores, parts and scripts: hired out, counted, taken back', 'library@grandrights.example'],
  ['Royalties and accounts', 'Statements, payments, receivables and the books', 'accounts@grandrights.example'],
] as const;

const EMAIL_GROUPS = [
  ['Licensing desk', 'licensing.desk@grandrights.example', 'A copy of what goes out to customers', 3],
  ['Accounts', 'accounts@grandrights.example', 'Copies of invoices and statements', 2],
  ['Regional press', 'press.list@grandrights.example', 'Papers and magazines that announce productions', 14],
] as const;

async function idOf(staff: DemoClient, list: string, name: string): Promise<number> {
  const { data } = await staff.get(`${STAFF}/${list}?search=${encodeURIComponent(name)}`);
  return data[0].id as number;
}

export async function loadOffice(staff: DemoClient): Promise<void> {
  const teams = new Map<string, number>();
  for (const [name, description, email] of TEAMS) {
    const { data } = await staff.post(`${STAFF}/teams`, { name, description, email, lead_id: null });
    teams.set(name, data.id);
  }
  for (const [name, emailRoute, description, members] of EMAIL_GROUPS) {
    await staff.post(`${STAFF}/email_groups`, { name, emailRoute, description, members });
  }
  for (const [first_name, last_name, job_title, group, team] of COLLEAGUES) {
    const { data } = await staff.post(`${STAFF}/users`, { first_name, last_name, role: 'staff_user',
      email: `${first_name.toLowerCase()}@grandrights.example`,
      staff_group_ids: [await idOf(staff, 'groups', group)] });
    await staff.put(`${STAFF}/users/${data.id}/settings`, { job_title, version: data.version });
    if (team !== null) await staff.post(`${STAFF}/teams/${teams.get(team)}/members`, { user_id: data.id });
  }
  const licensing = await idOf(staff, 'groups', 'Licensing');
  await staff.post(`${STAFF}/invites`, { emails: ['jonah.pike@mail.example', 'kitty.larkin@mail.example'],
    role: 'staff_user', staff_group_ids: [licensing], note: 'We look forward to the new season with you.' });
  const { data } = await staff.post(`${STAFF}/invites`, { email: 'lou.brandt@mail.example', role: 'staff_user' });
  await staff.post(`${STAFF}/invites/${data[0].id}/resend`);
}

const NOBODY = 'Example bank, no real account';
/** Published example numbers (registry of IBANs, test routing number): no money can arrive there. */
const ACCOUNTS: Record<string, object> = {
  US: { payee: 'Grand Rights, Inc.', bank_name: NOBODY, routing_number: '110000000', account_number: '000123456789' },
  EU: { payee: 'Grand Rights Europe DAC', bank_name: NOBODY, iban: 'IE29 AIBK 9311 5212 3456 78', bic: 'AIBKIE2D' },
  UK: { payee: 'Grand Rights Ltd', bank_name: NOBODY, iban: 'GB29 NWBK 6016 1331 9268 19', bic: 'NWBKGB2L',
    routing_number: '60-16-13', account_number: '31926819' },
  PROD: { payee: 'Grand Rights Productions, LLC', bank_name: NOBODY, routing_number: '110000000',
    account_number: '000123456790' },
};

/** Loads the bank details that customers of each division transfer to. */
export async function loadPaymentDetails(system: DemoClient): Promise<void> {
  const base = '/api/admin/system/divisions';
  const people = await system.get('/api/admin/staff/users?search=Vale');
  for (const { code, version } of (await system.get(base)).data) {
    await system.put(`${base}/${code}`, { representative_id: people.data[0].id, version });
    await system.put(`${base}/${code}/payment_details`, { ...ACCOUNTS[code as string], version: version + 1 });
  }
}

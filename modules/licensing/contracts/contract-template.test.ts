/** Versions of contract texts: who writes them, what is refused at which field, which one a contract is made from. */
import { describe, expect, it } from 'vitest';
import { textOfPages } from '#server/pdf-pages.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture } from '../testing/licensing-fixtures.ts';
import type { ContractTemplateDetail } from './contract-template.contract.ts';

const test = testApp();
const PATH = '/api/admin/staff/contract_templates';
const LICENSES = '/api/admin/staff/licenses';

async function inUse(staff: SignedIn, division: string, category = 'Amateur'): Promise<ContractTemplateDetail> {
  const [row] = (await staff.get(`${PATH}?division=${division}&category=${category}&status=in_use`)).body.data;
  return (await staff.get(`${PATH}/${row.id}`)).body.data;
}

async function draftOf(staff: SignedIn, division: string): Promise<ContractTemplateDetail> {
  const made = await staff.post(PATH, { from_id: (await inUse(staff, division)).id });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data;
}

/** The contract of a new offer, as text, and the version of the text it names. */
async function contractOf(staff: SignedIn, division: string): Promise<{ text: string; template: number; id: number }> {
  const fixture = await licensingFixture(test.database.db, { division });
  const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', division, license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
      performances: evenings('2027-04-01', 4) }] });
  const sent = await staff.put(`${LICENSES}/${made.body.data.id}/phase`, { event: 'send_offer',
    version: made.body.data.version });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  return contractText(staff, made.body.data.id);
}

async function contractText(staff: SignedIn, id: number): Promise<{ text: string; template: number; id: number }> {
  const papers = (await staff.get(`${LICENSES}/${id}/license_documents?per_page=50`)).body.data;
  const paper = papers.find((one: { type: string }) => one.type === 'production_contract');
  const pages = await textOfPages((await staff.get(`${LICENSES}/${id}/license_documents/${paper.id}/file`)).raw);
  const { template } = await test.database.db.one<{ template: number }>(sql`
    select contract_template_id as template from license_versions where license_id = ${id}
    order by version_no desc limit 1`);
  return { text: pages.join(' ').replace(/\s+/g, ' '), template, id };
}

describe('a draft', () => {
  it('starts as the version it comes from, once', async () => {
    const staff = await test.signedIn('staff_admin');
    const from = await inUse(staff, 'PROD');
    const answers = await Promise.all([staff.post(PATH, { from_id: from.id }), staff.post(PATH, { from_id: from.id })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const made = answers.find(({ status }) => status === 201)!.body.data;
    expect(made).toMatchObject({ status: 'draft', version_no: 3, clauses: from.clauses });
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ draft_id: made.id,
      code: 'contract_template.draft_exists' });
    expect((await inUse(staff, 'PROD')).draft_id).toBe(made.id);
  });

  it('refuses an unknown placeholder at its paragraph, and keeps what was there', async () => {
    const staff = await test.signedIn('staff_admin');
    const draft = await draftOf(staff, 'EU');
    const clauses = structuredClone(draft.clauses);
    clauses[1]!.paragraphs[0]!.text = '{licensor} grants {tenant} everything.';
    clauses[2]!.heading = ' ';
    const refused = await staff.put(`${PATH}/${draft.id}`, { version: draft.version, clauses });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual({
      'clauses.1.paragraphs.0.text': ['{tenant} is not a placeholder. Choose one from the list'],
      'clauses.2.heading': ['Heading is required'] });
    expect((await staff.get(`${PATH}/${draft.id}`)).body.data.clauses).toEqual(draft.clauses);
  });

  it('is previewed with sample data and says that it is a draft for counsel', async () => {
    const staff = await test.signedIn('staff_admin');
    const form = await inUse(staff, 'UK', 'Pro');
    const preview = await staff.get(`${PATH}/${form.id}/preview`);
    expect(preview.headers['content-type']).toBe('application/pdf');
    expect((await textOfPages(preview.raw)).join(' ')).toContain('draft for counsel');
  });
});

describe('the version in use', () => {
  it('prints on new contracts; contracts that are out keep the text they were made from', async () => {
    const staff = await test.signedIn('staff_admin');
    const before = await contractOf(staff, 'US');
    const first = await inUse(staff, 'US');
    expect(before.template).toBe(first.id);
    expect(before.text).toContain('Contract text US Amateur 2, draft for counsel');
    expect(before.text).toContain('For Licensor: Grand Rights, Inc. Licensor signs');
    const draft = await draftOf(staff, 'US');
    const clauses = [...draft.clauses, { heading: 'Cats', paragraphs: [{ when: 'always',
      text: '{licensee} keeps no cats backstage.' }] }];
    const saved = await staff.put(`${PATH}/${draft.id}`, { version: draft.version, clauses, note: 'Cats' });
    const used = await staff.put(`${PATH}/${draft.id}/activate`, { version: saved.body.data.version,
      counsel: 'Doe & Roe LLP' });
    expect(used.body.data, JSON.stringify(used.body)).toMatchObject({ status: 'in_use', counsel: 'Doe & Roe LLP' });
    const after = await contractOf(staff, 'US');
    expect(after.template).toBe(draft.id);
    expect(after.text).toMatch(/Springfield Players \w+ keeps no cats backstage\./);
    expect(after.text).toContain('Contract text US Amateur 3');
    expect(after.text).not.toContain('draft for counsel');
    expect(await contractText(staff, before.id)).toEqual(before);
    expect((await staff.get(`${PATH}/${first.id}`)).body.data.status).toBe('retired');
  });

  it('never changes, in the API and in the database', async () => {
    const staff = await test.signedIn('staff_admin');
    const form = await inUse(staff, 'UK');
    expect((await staff.put(`${PATH}/${form.id}`, { version: form.version, note: 'x' })).body.code)
      .toBe('contract_template.in_use');
    expect((await staff.call('DELETE', `${PATH}/${form.id}`)).status).toBe(409);
    for (const change of [sql`update contract_templates set clauses = '[{}]' where id = ${form.id}`,
      sql`update contract_templates set status = 'draft', in_use_since = null where id = ${form.id}`,
      sql`delete from contract_templates where id = ${form.id}`]) {
      await expect(test.database.db.exec(change)).rejects.toThrow(/has been in use/);
    }
  });

  it('is approved once, by an administrator who names counsel', async () => {
    const staff = await test.signedIn('staff_admin');
    const clerk = await test.signedIn('staff_user', { permissions: ['license_document.update',
      'license_document.show'] });
    const form = await inUse(staff, 'EU', 'Pro');
    const approve = (who: SignedIn, counsel: string) => who.put(`${PATH}/${form.id}/approve`, { version: form.version,
      counsel });
    expect((await approve(clerk, 'Doe & Roe LLP')).status).toBe(403);
    expect((await approve(staff, ' ')).body.errors).toHaveProperty('counsel');
    expect((await approve(staff, 'Doe & Roe LLP')).body.data).toMatchObject({ counsel: 'Doe & Roe LLP' });
    expect((await approve(staff, 'Doe & Roe LLP')).status).toBe(412);
  });
});

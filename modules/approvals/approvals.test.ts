/** The approvals inbox, kind by kind: for whom a record waits, who decides it, and who is told. */
import { beforeAll, describe, expect, test } from 'vitest';
import { urlOf } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { PERMISSIONS, type Permission } from '#kit/permission.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { APPROVAL_CALLS } from './approval-kinds.contract.ts';
import { ARRANGE, type Askers } from '#tests/support/approvals.ts';
import { APPROVAL_KINDS, type ApprovalKind, type ApprovalRow } from './approval.contract.ts';

const app = testApp();
const INBOX = '/api/admin/staff/approvals';
let askers: Askers;
let crowd: SignedIn[];

beforeAll(async () => {
  const people: SignedIn[] = [];
  for (let n = 0; n < 10; n += 1) people.push(await app.signedIn('staff_admin'));
  const [ann, other, ...more] = people as [SignedIn, SignedIn, ...SignedIn[]];
  askers = { app, ann, other };
  crowd = more;
  for (const one of people) await one.confirm();
});

const permissionOf = (kind: ApprovalKind): Permission =>
  (APPROVAL_CALLS[kind].approve.auth as { permission: Permission }).permission;

async function rowOf(who: SignedIn, kind: ApprovalKind, id: number): Promise<ApprovalRow | undefined> {
  const answer = await who.get(`${INBOX}?kind=${kind}&per_page=100`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body.data as ApprovalRow[]).find((row) => row.entity_id === id);
}

const send = (who: SignedIn, { method, path }: AnyEndpoint, row: ApprovalRow, body: object) =>
  who.call(method, urlOf({ path } as AnyEndpoint, row.params),
    { body: Object.keys(body).length > 0 ? body : undefined });

async function noticesOf(who: SignedIn, kind: string): Promise<string[]> {
  const { body } = await who.get(`/api/admin/staff/notifications?kind=${kind}&per_page=100`);
  return (body.data as { title: string }[]).map((one) => one.title);
}

/** Kinds that were announced before the inbox, under a kind of notification of their own. */
const ANNOUNCED_AS: Partial<Record<ApprovalKind, string | null>> = {
  box_office_report: 'report.received', statement_run: 'statement.ready', statement: null,
  // Arranged without its upload, whose test has the announcement.
  exemption_certificate: null,
};

/** Asked for by customers, whose admins are told of the decision (the tests of both have it). */
const OF_CUSTOMERS: readonly ApprovalKind[] = ['customer_details', 'exemption_certificate'];

const bodyOf = (row: ApprovalRow): ApprovalRow['approve_body'] =>
  ({ ...row.approve_body, ...(APPROVAL_CALLS[row.kind].takesNote && { note: 'Called the office' }) });

describe.each(APPROVAL_KINDS)('%s', (kind) => {
  const calls = APPROVAL_CALLS[kind];
  const isOfCustomers = OF_CUSTOMERS.includes(kind);

  test('waits for those who may decide it, not for the person who asked', async () => {
    const clerk = await app.signedIn('staff_user', { permissions: [permissionOf(kind)] });
    const others = await app.signedIn('staff_user', { permissions: PERMISSIONS.filter((value) =>
      value !== 'super' && value !== permissionOf(kind)) });
    const announced = ANNOUNCED_AS[kind] === undefined ? 'approval.requested' : ANNOUNCED_AS[kind];
    const before = announced === null ? [] : await noticesOf(clerk, announced);
    const id = await ARRANGE[kind](askers);
    expect(await rowOf(clerk, kind, id)).toMatchObject({ kind, entity_id: id, asked_by_id: askers.ann.user_id,
      blocked: null });
    expect(await rowOf(askers.ann, kind, id)).toBeUndefined();
    expect(await rowOf(others, kind, id)).toBeUndefined();
    if (announced !== null) {
      expect((await noticesOf(clerk, announced)).length).toBeGreaterThan(before.length);
      expect(await noticesOf(askers.ann, 'approval.requested')).toEqual([]);
    }
    const approvers = (await clerk.get(`${INBOX}/approvers?kind=${kind}&asked_by_id=${askers.ann.user_id}`)).body.data;
    expect(approvers.names.length + approvers.more).toBeGreaterThan(8);
    const row = (await rowOf(clerk, kind, id))!;
    const own = await send(askers.ann, calls.approve, row, bodyOf(row));
    if (!['box_office_report', 'bom_template'].includes(kind)) expect(own.body.code).toBe('four_eyes');
  });

  test('is decided once when eight people approve it at the same time', async () => {
    const id = await ARRANGE[kind](askers);
    const row = (await rowOf(crowd[0]!, kind, id))!;
    const told = (await noticesOf(askers.ann, 'approval.decided')).length;
    const answers = await Promise.all(crowd.map((who) => send(who, calls.approve, row, bodyOf(row))));
    const won = answers.filter((answer) => answer.status < 300);
    expect(won.length, JSON.stringify(answers.map((answer) => [answer.status, answer.body]))).toBe(1);
    expect(answers.filter((answer) => ![404, 409, 412].includes(answer.status))).toEqual(won);
    for (const who of [crowd[0]!, crowd[1]!]) expect(await rowOf(who, kind, id)).toBeUndefined();
    expect((await noticesOf(askers.ann, 'approval.decided')).length).toBe(told + (isOfCustomers ? 0 : 1));
  });

  test('leaves the inbox when it is declined, and the person who asked reads why', async () => {
    const id = await ARRANGE[kind](askers);
    const row = (await rowOf(crowd[0]!, kind, id))!;
    const empty = await send(crowd[0]!, calls.decline, row, { ...row.decline_body, [calls.reason]: '' });
    expect(empty.status).toBe(422);
    const told = (await noticesOf(askers.ann, 'approval.decided')).length;
    const answers = await Promise.all(crowd.map((who) => send(who, calls.decline, row,
      { ...row.decline_body, [calls.reason]: 'Not this month' })));
    expect(answers.filter((answer) => answer.status < 300).length,
      JSON.stringify(answers.map((answer) => [answer.status, answer.body]))).toBe(1);
    expect(await rowOf(crowd[1]!, kind, id)).toBeUndefined();
    expect((await noticesOf(askers.ann, 'approval.decided')).length).toBe(told + (isOfCustomers ? 0 : 1));
  });
});

test('the inbox is found by words, division and kind, counted and paged', async () => {
  const chief = await app.signedIn('staff_admin');
  const made: ApprovalKind[] = ['correction', 'rate_card', 'discount', 'refund', 'period_close'];
  for (const kind of made) await ARRANGE[kind](askers);
  const all = (await chief.get(`${INBOX}?per_page=100`)).body;
  expect(all.meta.total).toBe(all.data.length);
  expect(all.data.map((row: ApprovalRow) => row.kind)).toEqual(expect.arrayContaining(made));
  const page = (await chief.get(`${INBOX}?per_page=2&page=2`)).body;
  expect(page.data.map((row: ApprovalRow) => row.id)).toEqual(all.data.slice(2, 4).map((row: ApprovalRow) => row.id));
  const found = (await chief.get(`${INBOX}?search=overpaid%20in%20march`)).body;
  expect(found.data.length).toBeGreaterThan(0);
  expect(found.data.every((row: ApprovalRow) => row.kind === 'correction')).toBe(true);
  const british = (await chief.get(`${INBOX}?division=UK&per_page=100`)).body.data as ApprovalRow[];
  expect(british.every((row) => row.division === 'UK' || row.division === null)).toBe(true);
  expect((await chief.get(`${INBOX}?kind=nonsense`)).status).toBe(422);
});

test('nobody but staff reads it, and whoever may approve nothing reads an empty list', async () => {
  const guest = await app.signedIn('customer');
  expect((await guest.get(INBOX)).status).toBe(403);
  const clerk = await app.signedIn('staff_user', { permissions: ['venue.list'] });
  expect((await clerk.get(INBOX)).body).toMatchObject({ data: [], meta: { total: 0 } });
});

test('a held box-office report is answered before it is accepted', async () => {
  const id = await ARRANGE.box_office_report(askers);
  await app.database.db.exec(sql`update box_office_reports set held = true where id = ${id}`);
  expect(await rowOf(crowd[0]!, 'box_office_report', id)).toMatchObject({
    blocked: 'Answer the questions on this report first' });
});

test('a declined draft waits again once it is changed', async () => {
  const id = await ARRANGE.rate_card(askers);
  const row = (await rowOf(crowd[0]!, 'rate_card', id))!;
  await send(crowd[0]!, APPROVAL_CALLS.rate_card.decline, row, { ...row.decline_body, reason: 'Rate too low' });
  const path = `/api/admin/staff/rate_cards/${id}`;
  const { data } = (await askers.ann.get(path)).body;
  expect(data.declined).toMatchObject({ reason: 'Rate too low' });
  const changed = await askers.ann.put(path, { show_id: data.show_id, category: 'Amateur', division: 'US',
    currency: 'USD', effective_from: '2026-01-01', fee_method: 'percent_potential', rate_ppm: 130_000,
    execution_policy: 'paid_in_full', version: data.version });
  expect(changed.body.data.declined).toBeNull();
  expect(await rowOf(crowd[1]!, 'rate_card', id)).toMatchObject({ entity_id: id });
});

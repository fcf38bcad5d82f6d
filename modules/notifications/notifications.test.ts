import { describe, expect, it } from 'vitest';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/principals.ts';
import { kindsFor } from './notification-kinds.ts';
import { notifyCustomer, notifyStaff, sendDigests, type CustomerNotice, type StaffNotice }
  from './notifications.public.server.ts';

const test = testApp();
const OFFICE = '/api/admin/staff/notifications';

const tellStaff = (notice: StaffNotice, actor: number | null = null): Promise<number> => test.database.db.tx(
  (tx) => notifyStaff(workContext(test.ports, tx, { ...SYSTEM_ACTOR, actor_id: actor }), notice));
const tellCustomer = (id: number, notice: CustomerNotice): Promise<number> => test.database.db.tx(
  (tx) => notifyCustomer(workContext(test.ports, tx, SYSTEM_ACTOR), id, notice));
const money = (title: string, to: number[] = []): StaffNotice => ({ kind: 'money.received', title, to });

describe('who is told', () => {
  it('tells those named, else everybody of staff with the permission; never whoever did it', async () => {
    const clerk = await test.signedIn('staff_user', { permissions: ['payment.list'] });
    const other = await test.signedIn('staff_user', { permissions: ['venue.list'] });
    const chief = await test.signedIn('staff_admin');
    const guest = await test.signedIn('customer');
    await tellStaff(money('Everybody'));
    await tellStaff(money('The clerk alone', [clerk.user_id]));
    await tellStaff(money('Not the clerk'), clerk.user_id);
    const titles = async (person: typeof clerk) => (await person.get(OFFICE)).body.data?.map(
      (row: { title: string }) => row.title);
    expect(await titles(clerk)).toEqual(['The clerk alone', 'Everybody']);
    expect(await titles(chief)).toEqual(['Not the clerk', 'Everybody']);
    expect(await titles(other)).toEqual([]);
    expect((await guest.get(OFFICE)).status).toBe(403);
  });

  it('tells the people of a customer by their roles, in the portal of that customer alone', async () => {
    const house = await makeCustomer(test, 'Told Players');
    const second = await makeCustomer(test, 'Second Players');
    const admin = await test.signedIn('customer',
      { customers: [{ id: house, role: 'admin' }, { id: second, role: 'admin' }] });
    const member = await test.signedIn('customer', { customers: [{ id: house, role: 'member' }] });
    await tellCustomer(house, { kind: 'offer.sent', title: 'An offer', href: `/customer/${house}/productions` });
    await tellCustomer(house, { kind: 'people.joined', title: 'Asks to join', roles: ['admin'] });
    const list = async (person: typeof admin, id: number) =>
      (await person.get(`/api/customers/${id}/notifications`)).body;
    expect((await list(admin, house)).data).toHaveLength(2);
    expect((await list(admin, second)).data).toEqual([]);
    expect((await list(member, house)).data).toMatchObject([{ title: 'An offer', read: false }]);
    expect((await list(member, second)).code).toBe('not_found');
  });

  it('tells the step of a clock once to each person', async () => {
    const house = await makeCustomer(test, 'Once Players');
    const admin = await test.signedIn('customer', { customers: [{ id: house, role: 'admin' }] });
    const due = { kind: 'payment.due', title: 'Due in 7 days', key: 'invoice.due/1/-7' } as const;
    expect(await tellCustomer(house, due)).toBe(1);
    expect(await tellCustomer(house, due)).toBe(0);
    expect((await admin.get(`/api/customers/${house}/notifications/meta`)).body.data).toMatchObject({ total: 1 });
  });

  it('leaves nothing behind when the event it tells of is taken back', async () => {
    const clerk = await test.signedIn('staff_user');
    await expect(test.database.db.tx(async (tx) => {
      await notifyStaff(workContext(test.ports, tx, SYSTEM_ACTOR), money('Taken back', [clerk.user_id]));
      throw new Error('no');
    })).rejects.toThrow('no');
    expect((await clerk.get(`${OFFICE}/meta`)).body.data).toEqual({ total: 0, unread: 0, newest_id: null });
  });

  it('tells staff what a customer did, from the counter; the portal itself tells nobody', async () => {
    const clerk = await test.signedIn('staff_user');
    const { createDb } = await import('#server/db.ts');
    const portal = createDb({ connectionString: test.database.urls.app_portal, max: 1 });
    const counter = createDb({ connectionString: test.database.urls.app_counter, max: 1 });
    try {
      await expect(notifyStaff(workContext(test.ports, portal, SYSTEM_ACTOR), money('No', [clerk.user_id])))
        .rejects.toThrow('permission denied');
      await notifyStaff(workContext(test.ports, counter, SYSTEM_ACTOR), money('From the portal', [clerk.user_id]));
    } finally {
      await portal.close();
      await counter.close();
    }
    expect((await clerk.get(OFFICE)).body.data).toMatchObject([{ title: 'From the portal' }]);
  });
});

describe('read and unread', () => {
  it('marks one, many and all up to what was on screen, and filters by it [S14] [S15]', async () => {
    const clerk = await test.signedIn('staff_user');
    for (const title of ['One', 'Two', 'Three', 'Four']) await tellStaff(money(title, [clerk.user_id]));
    const [four, three, two, one] = (await clerk.get(OFFICE)).body.data;
    expect(four).toMatchObject({ title: 'Four', read: false, read_at: null });
    const marked = await clerk.put(`${OFFICE}/${one.id}/mark_read`, {});
    expect(marked.body.data).toMatchObject({ id: one.id, read: true });
    expect((await clerk.get(`${OFFICE}?read=true`)).body.data.map((row: { id: number }) => row.id)).toEqual([one.id]);
    const back = await clerk.put(`${OFFICE}/${one.id}/mark_unread`, {});
    expect(back.body.data).toMatchObject({ read: false, read_at: null });
    expect((await clerk.get(`${OFFICE}?read=true`)).body.data).toEqual([]);
    await clerk.put(`${OFFICE}/${one.id}/mark_read`, { ids: [two.id] });
    expect((await clerk.get(`${OFFICE}/meta`)).body.data).toMatchObject({ total: 4, unread: 2 });
    await clerk.put(`${OFFICE}/mark_all_read`, { up_to_id: three.id });
    expect((await clerk.get(`${OFFICE}?read=false`)).body.data.map((row: { id: number }) => row.id)).toEqual([four.id]);
    expect((await clerk.get(`${OFFICE}/recent`)).body.data).toHaveLength(4);
  });

  it('keeps somebody else\'s notification out of reach, alone or among one\'s own', async () => {
    const mine = await test.signedIn('staff_user');
    const other = await test.signedIn('staff_user');
    await tellStaff(money('Mine', [mine.user_id]));
    await tellStaff(money('Theirs', [other.user_id]));
    const own = (await mine.get(OFFICE)).body.data[0];
    const foreign = (await other.get(OFFICE)).body.data[0];
    expect((await mine.put(`${OFFICE}/${foreign.id}/mark_read`, {})).status).toBe(404);
    await mine.put(`${OFFICE}/${own.id}/mark_read`, { ids: [foreign.id] });
    expect((await other.get(OFFICE)).body.data[0].read).toBe(false);
  });

  it('refuses more than a hundred at once and kinds that are none', async () => {
    const clerk = await test.signedIn('staff_user');
    const many = await clerk.put(`${OFFICE}/1/mark_read`, { ids: Array.from({ length: 101 }, (_, n) => n + 1) });
    expect(many.body.errors).toEqual({ ids: ['At most 100 at once'] });
    expect((await clerk.get(`${OFFICE}?kind=no.such`)).status).toBe(422);
  });
});

describe('channels', () => {
  const SETTINGS = '/api/users/me/notification_settings';

  it('offers a person what they may hear of', async () => {
    const clerk = await test.signedIn('staff_user', { permissions: ['payment.list'] });
    const kinds = (await clerk.get(SETTINGS)).body.data.settings.map((row: { kind: string }) => row.kind);
    expect(kinds).toEqual(['money.received', 'money.overdue', 'approval.requested', 'approval.decided',
      'payment.disputed', 'import.finished', 'export.finished', 'bulk.finished', 'people.invited', 'memo.mentioned']);
    expect(kindsFor({ role: 'vendor', permissions: new Set() })).toEqual([]);
    expect(kindsFor({ role: 'staff_admin', permissions: new Set() })).not.toContain('system.failed');
    expect(kindsFor({ role: 'system_admin', permissions: new Set() })).toContain('system.failed');
  });

  it('are read by colleagues who may see the staff, and of nobody outside it', async () => {
    const clerk = await test.signedIn('staff_user', { permissions: ['payment.list'] });
    const path = (id: number): string => `/api/admin/staff/users/${id}/notification_settings`;
    await clerk.put(SETTINGS, { settings: [{ kind: 'money.received', in_app: false, by_mail: true }] });
    const colleague = await test.signedIn('staff_user', { permissions: ['user.show'] });
    const read = await colleague.get(path(clerk.user_id));
    expect(read.body.data.settings[0]).toMatchObject({ kind: 'money.received', in_app: false, by_mail: true });
    expect(read.body.data.email).toBe(clerk.email);
    expect((await clerk.get(path(clerk.user_id))).status).toBe(200);
    expect((await clerk.get(path(colleague.user_id))).status).toBe(403);
    const customer = await test.signedIn('customer');
    expect((await colleague.get(path(customer.user_id))).status).toBe(404);
  });

  it('tells in the app, by mail, both or not at all, as chosen', async () => {
    const clerk = await test.signedIn('staff_user', { permissions: ['payment.list'] });
    const choose = (in_app: boolean, by_mail: boolean) =>
      clerk.put(SETTINGS, { settings: [{ kind: 'money.received', in_app, by_mail }] });
    const count = async () => (await clerk.get(`${OFFICE}/meta`)).body.data.total;
    await choose(false, false);
    expect(await tellStaff(money('Neither', [clerk.user_id]))).toBe(0);
    const answer = await choose(false, true);
    expect(answer.body.data.settings[0]).toMatchObject({ kind: 'money.received', in_app: false, by_mail: true });
    expect(await tellStaff(money('By mail', [clerk.user_id]))).toBe(1);
    expect(await count()).toBe(0);
    await choose(true, false);
    await tellStaff(money('In the app', [clerk.user_id]));
    expect(await count()).toBe(1);
  });

  it('refuses kinds of others and a kind named twice, at their fields', async () => {
    const clerk = await test.signedIn('staff_user', { permissions: ['payment.list'] });
    const row = { kind: 'money.received', in_app: true, by_mail: true };
    const answer = await clerk.put(SETTINGS, { settings: [row, row, { ...row, kind: 'offer.sent' }] });
    expect(answer.body.errors).toEqual({ 'settings.1.kind': ['This is named twice'],
      'settings.2.kind': ['You are not told of this'] });
  });

  it('sends one letter a day, without what was read meanwhile', async () => {
    const clerk = await test.signedIn('staff_user', { permissions: ['payment.list'] });
    await clerk.put(SETTINGS, { settings: [{ kind: 'money.received', in_app: true, by_mail: true }] });
    for (const title of ['First', 'Second', 'Read']) await tellStaff(money(title, [clerk.user_id]));
    const read = (await clerk.get(OFFICE)).body.data[0];
    await clerk.put(`${OFFICE}/${read.id}/mark_read`, {});
    const letters = () => test.database.db.query<{ subject: string; body_text: string }>(sql`
      select subject, body_text from mail_outbox where recipients = ${[clerk.email]} order by id`);
    test.clock.set('2026-11-20T12:00:00Z');
    await sendDigests(test.ports);
    expect(await letters(), 'seven in New York is too early').toEqual([]);
    test.clock.set('2026-11-20T13:30:00Z');
    await sendDigests(test.ports);
    await tellStaff(money('Later that day', [clerk.user_id]));
    await sendDigests(test.ports);
    const sent = await letters();
    expect(sent).toHaveLength(1);
    expect(sent[0]!.subject).toBe('2 updates from Grand Rights');
    expect(sent[0]!.body_text).toMatch(/- First\n- Second/);
    expect(sent[0]!.body_text).not.toMatch(/- Read/);
    test.clock.set('2026-11-21T14:00:00Z');
    await sendDigests(test.ports);
    expect((await letters())[1]!.subject).toBe('Later that day');
  });

  it('carries twenty lines at most, each under what it is about', async () => {
    const clerk = await test.signedIn('staff_user', { permissions: ['payment.list'] });
    const kinds = ['money.received', 'money.overdue'] as const;
    await clerk.put(SETTINGS, { settings: kinds.map((kind) => ({ kind, in_app: true, by_mail: true })) });
    for (let n = 1; n <= 22; n += 1) {
      await tellStaff({ kind: kinds[n % 2]!, title: `Notice ${n}`, to: [clerk.user_id] });
    }
    test.clock.set('2026-11-22T14:00:00Z');
    await sendDigests(test.ports);
    const { body_text } = await test.database.db.one<{ body_text: string }>(sql`
      select body_text from mail_outbox where recipients = ${[clerk.email]}`);
    const [late, paid] = ['Overdue payments', 'Payments'].map((label) => body_text.indexOf(`\n${label}\n`));
    expect([late! > 0, late! < paid!], body_text).toEqual([true, true]);
    expect(body_text.slice(late, paid).match(/^- Notice/gm)).toHaveLength(10);
    expect(body_text.match(/^- Notice/gm)).toHaveLength(20);
    expect(body_text).toContain('and 2 more.');
  });
});

/**
 * The server of one journey (house.ts forks it with the name of a story): a small house in a database of its own, on a
 * clock that stands still until it is moved, so that dates and figures are those of the story whatever day it is.
 * It runs a job when it is told to, and takes cards with the test processor.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, type Composition } from '#apps/server/src/compose.ts';
import { jobs } from '#apps/server/src/jobs.ts';
import { DEMO_PASSWORD } from '#db/demo/people.ts';
import { hashPassword } from '#modules/identity/session/password.server.ts';
import { APPROVAL_KINDS } from '#modules/approvals/approval.contract.ts';
import { TestProcessor } from '#modules/receivables/receivables.public.server.ts';
import { payOut } from '#modules/receivables/test-processor/test-money.ts';
import { fixedClock } from '#server/clock.ts';
import { createLog } from '#server/log.ts';
import { linkTo, readSettings, type Settings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { signIn, TEST_NOW, type TestApp } from '#tests/support/app.ts';
import { ARRANGE } from '#tests/support/approvals.ts';
import { ensureTemplate } from '#tests/support/cluster.ts';
import { makeFifteen } from '#tests/support/fifteen.ts';
import { makeMusical, makeSet } from '#tests/support/musical.ts';
import { makeNovember, type November } from '#tests/support/november.ts';
import { makeSociety, moveTo, openBank, orderBooks, payInFull, shipBooks } from '#tests/support/society.ts';
import { API, clientOf, offerAndSign, openStage } from '#tests/support/story.ts';
import { makeTour } from '#tests/support/tour.ts';
import { ROOT } from '../../tools/steps.ts';
import { buildWeb } from '../../tools/build-web.ts';
import { cloneDatabase } from './clone.ts';
import type { HouseReport, HouseRequest, Mail, Story } from './house.ts';

const BOOKS = `${API}/accounting`;

/** The house as the story begins; facts that the journey needs. */
const STORIES: Record<Story, (test: TestApp) => Promise<Record<string, number>>> = {
  november: async (test) => {
    const november = await makeNovember(test);
    await readyToClose(november);
    return november.banks;
  },
  fifteen: async (test) => {
    test.clock.set('2026-09-14T10:00:00Z');
    const { house, licence, author } = await makeFifteen(await openStage(test));
    await joinHouse(test, house.id, ['miriam', 'Miriam', 'Cole']);
    return { house: house.id, licence, author };
  },
  society: async (test) => {
    test.clock.set('2026-07-01T10:00:00Z');
    const stage = await openStage(test);
    const society = await makeSociety(stage);
    await offerAndSign(stage, society.license, society.house, 'Hugh Penrose');
    await payInFull(stage, society);
    const order = await orderBooks(stage, society);
    await moveTo(stage, '2026-08-13');
    await shipBooks(stage, order);
    await moveTo(stage, '2026-08-20');
    await joinHouse(test, society.house.id, ['hugh', 'Hugh', 'Penrose']);
    return { house: society.house.id, licence: society.license, bank: await openBank(stage, society) };
  },
  tour: async (test) => {
    test.clock.set('2026-01-12T15:00:00Z');
    const { house, show_id, authors } = await makeTour(await openStage(test));
    await joinHouse(test, house.id, ['rosa', 'Rosa', 'Calder']);
    return { house: house.id, show: show_id, ...Object.fromEntries(authors.map((id, at) => [`author_${at + 1}`, id])) };
  },
  check: async (test) => {
    test.clock.set('2026-10-05T15:00:00Z');
    await openStage(test);
    return makePlayers(test);
  },
  musical: async (test) => {
    test.clock.set('2026-11-26T15:00:00Z');
    const stage = await openStage(test);
    const show = await makeMusical(stage);
    await makeSet(stage);
    await representUs(test);
    return { show, checking: await nameChecking(test) };
  },
  approvals: async (test) => {
    test.clock.set(TEST_NOW);
    const [ann, other] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
    for (const one of [ann, other]) await one.confirm();
    const facts: Record<string, number> = {};
    for (const kind of APPROVAL_KINDS) facts[kind] = await ARRANGE[kind]({ app: test, ann, other });
    return facts;
  },
  moving: async (test) => {
    test.clock.set('2026-11-02T10:00:00Z');
    const { staff } = await openStage(test);
    const { data: { id } } = await staff.post(`${API}/warehouses`, { code: 'CGN', name: 'Cologne', division: 'EU',
      carriers: ['DHL'] });
    return { warehouse: id };
  },
};

/** Customers of the US house, all of whom Ruth pays for, and the account at the bank. */
async function makePlayers(test: TestApp): Promise<Record<string, number>> {
  const { db } = test.database;
  const ruth = await db.one<{ id: number }>(sql`
    insert into users (email, first_name, last_name, role, password_hash, email_verified_at)
    values ('ruth@house.example', 'Ruth', 'Stone', 'customer', ${await hashPassword(DEMO_PASSWORD)}, now())
    returning id`);
  const facts: Record<string, number> = {};
  for (const name of ['ravenswood', 'castle', 'harbor', 'elm', 'oak', 'pine']) {
    const { id } = await db.one<{ id: number }>(sql`
      insert into customers (name, status, divisions, default_division, default_currency, billing_address)
      values (${`Players of ${name}`}, 'active', array['US'], 'US', 'USD', ${JSON.stringify({ country_code: 'US',
        thoroughfare: '1 Broadway', locality: 'New York', administrative_area: 'NY', postal_code: '10004' })})
      returning id`);
    await db.exec(sql`insert into customer_users (customer_id, user_id, role) values (${id}, ${ruth.id}, 'signer')`);
    facts[name] = id;
  }
  return { ...facts, checking: await nameChecking(test) };
}

/** Answers the account of the US division. */
async function nameChecking({ database: { db } }: TestApp): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    update bank_accounts set name = 'Checking' where division = 'US' and currency = 'USD' returning id`);
  return id;
}

/** October of the pounds is ticked on paper, and the chart has an account for accruals. */
async function readyToClose({ banks, post, put, stage: { staff }, account }: November): Promise<void> {
  const row = await post(`${BOOKS}/reconciliations`, { bank_account_id: banks.GBP, to_on: '2026-10-31',
    closing_minor: 62_000 });
  const work = async () => (await staff.get(`${BOOKS}/reconciliation?bank_account_id=${banks.GBP}`)).data;
  await put(`${BOOKS}/reconciliations/${row.id}/ticks`, { ticked: true,
    ledger_line_ids: (await work()).entries.map((one: { ledger_line_id: number }) => one.ledger_line_id) });
  await put(`${BOOKS}/reconciliations/${row.id}/finish`, { version: (await work()).reconciliation.version });
  const { data: { ledger_header_id } } = await staff.get(`${BOOKS}/ledger_accounts/${await account('UK', '2150')}`);
  await post(`${BOOKS}/ledger_accounts`, { division: 'UK', ledger_header_id, code: '2020', name: 'Accrued expenses',
    class: 'liability', currency: null, is_monetary: true, cash_flow_class: 'operating', allow_manual: true,
    active: true });
}

/** A person who signs for a customer. */
async function joinHouse({ database: { db } }: TestApp, customer: number, [name, first, last]: Person): Promise<void> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into users (email, first_name, last_name, role, password_hash, email_verified_at)
    values (${`${name}@house.example`}, ${first}, ${last}, 'customer', ${await hashPassword(DEMO_PASSWORD)}, now())
    returning id`);
  await db.exec(sql`insert into customer_users (customer_id, user_id, role) values (${customer}, ${id}, 'signer')`);
}

/** Maria represents the US division, whose invoices name an account. */
async function representUs(test: TestApp): Promise<void> {
  const system = await clientOf(test, 'system_admin');
  const { id } = await test.database.db.one<{ id: number }>(sql`select id from users where first_name = 'Maria'`);
  const path = '/api/admin/system/divisions';
  const { version } = (await system.get(path)).data.find((one: { code: string }) => one.code === 'US');
  await system.put(`${path}/US`, { representative_id: id, version });
  await system.put(`${path}/US/payment_details`, { payee: 'Grand Rights, Inc.', bank_name: 'Example bank',
    routing_number: '110000000', account_number: '000123456789', version: version + 1 });
}

type Person = readonly [name: string, first: string, last: string];
/** The people that sign in with a form or a password. */
const STAFF = [['maria', 'Maria', 'Hill'], ['theo', 'Theo', 'Marsh']] as const;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => { server.close(resolve); });
  return port;
}

async function hireStaff({ ports }: Composition): Promise<void> {
  const hash = await hashPassword(DEMO_PASSWORD);
  for (const [name, first, last] of STAFF) {
    await ports.db.exec(sql`insert into users (email, first_name, last_name, role, password_hash, email_verified_at)
      values (${`${name}@house.example`}, ${first}, ${last}, 'staff_admin', ${hash}, now())`);
  }
}

type Clock = ReturnType<typeof fixedClock>;

function takeCards(settings: Settings, clock: Clock): TestProcessor {
  return new TestProcessor({ file: null, now: () => clock.now(), bankDelayMs: 60_000,
    pageUrl: (id) => linkTo(settings, `/test-payments/${id}`) });
}

/** Answers what the journey asks for, one after the other. */
async function answer(request: HouseRequest, of: { ports: Composition['ports']; clock: Clock;
  processor: TestProcessor }): Promise<{ mail?: Mail[] }> {
  switch (request.ask) {
    case 'now':
      of.clock.set(request.at);
      return {};
    case 'mail':
      return { mail: await of.ports.db.query<Mail>(sql`select subject, body_text as text from mail_outbox
        where ${request.to} = any (recipients) order by id desc`) };
    case 'job': {
      const job = jobs.find(({ name }) => name === request.name);
      if (!job) throw new Error(`there is no job ${request.name}`);
      await job.work(of.ports);
      return {};
    }
    case 'pay_out':
      of.processor.change(request.division, (books, now) =>
        payOut(books, request.currency, Math.floor(now.getTime() / 1000), now));
      return {};
  }
}

async function main(story: Story): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'grand-rights-house-'));
  const closing: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
    process.exit(0);
  };
  // The journey has ended, or the process it ran in.
  process.on('disconnect', () => { void stop(); });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => { void stop(); });
  const settings = readSettings({ PORT: String(await freePort()), DATA_DIR: dataDir, RATE_LIMITS: '0',
    LOG_LEVEL: 'error' }, ROOT);
  const clock = fixedClock('2026-12-03T12:00:00Z');
  const webFolder = await buildWeb(console.log);
  const { connections, stop: drop } = await cloneDatabase(ensureTemplate);
  closing.push(drop);
  const processor = takeCards(settings, clock);
  settings.stripe = await processor.listen();
  closing.push(() => processor.close());
  const house = await compose({ settings, connections, clock, webFolder, testProcessor: processor,
    log: createLog(settings.log_level) });
  closing.push(() => house.close());
  const test = { ...house, clock, database: { db: house.ports.db } } as TestApp;
  test.signedIn = (role, rights) => signIn(test, role, rights);
  await hireStaff(house);
  const facts = await STORIES[story](test);
  await house.app.listen({ host: settings.host, port: settings.port });
  let turn = Promise.resolve();
  process.on('message', (request: HouseRequest) => {
    const say = (report: HouseReport): void => { process.send!(report); };
    turn = turn.then(() => answer(request, { ports: house.ports, clock, processor })).then(
      (told) => say({ done: true, ...told }),
      (error: Error) => say({ done: false, error: error.stack ?? error.message }));
  });
  process.send!({ done: true, url: linkTo(settings, ''), now: clock.now().toISOString(), facts } satisfies HouseReport);
}

await main(process.argv[2] as Story);

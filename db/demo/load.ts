/** Loads the demo season into an empty database, on a clock of its own, and says what it is doing. */
import type { Composition } from '#apps/server/src/compose.ts';
import type { fixedClock } from '#server/clock.ts';
import { SYSTEM_ACTOR, writeAudit } from '#server/audit.ts';
import type { Db } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { clientFor, dropDemoSessions, type DemoClient } from './client.ts';
import { loadLicenseAddOns } from './load-add-ons.ts';
import { planAdvances } from './load-advances.ts';
import { planBills, planRecurringBills } from './load-bills.ts';
import { planPayables } from './load-payables.ts';
import { planPrenotes } from './load-prenotes.ts';
import { loadBanks, trashUnusedAccounts } from './load-banking.ts';
import { loadBankStatements, planBankFees } from './load-bank-statements.ts';
import { chargeShares, closeOldMonths, planCapital, revalueLastMonth } from './load-books.ts';
import { loadCardPayments } from './load-card-payments.ts';
import { loadCatalogue, type Work } from './load-catalogue.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { planDesk, writeNotes } from './load-desk.ts';
import { DEMO_CUSTOMERS } from './houses.ts';
import { loadLicenseFiles } from './load-files.ts';
import { importReturns, loadImports } from './load-imports.ts';
import { exportLists, readOldNotifications } from './load-inboxes.ts';
import { billLateInterest, setStatutoryInterest } from './load-late-interest.ts';
import { loadMaterials } from './load-materials.ts';
import { loadPictures } from './load-pictures.ts';
import { planLicenses, type SeasonContext, type SignerAtHome } from './load-licenses.ts';
import { planApplications, planAutomaticOffers } from './load-applications.ts';
import { followAll, loadPerusalScripts, planPerusals } from './load-perusals.ts';
import { planRentals } from './load-rentals.ts';
import { planRates } from './load-rates.ts';
import { planStatementRuns } from './load-royalties.ts';
import { loadHouseholds, loadShopOrders, loadStock } from './load-stock.ts';
import { planSalesTaxReturns } from './load-sales-tax-returns.ts';
import { planTaxReturns } from './load-tax-returns.ts';
import { planYearEnd } from './load-year-end.ts';
import { payAfterSigning, weekly } from './load-money.ts';
import { loadOffice, loadPaymentDetails } from './load-office.ts';
import { loadHouses, loadPeople, loadRegistrations, type House } from './load-people.ts';
import { signerOf } from './people.ts';
import { seeded } from './random.ts';
import { calendar } from './season.ts';

export interface DemoRun {
  composition: Composition;
  clock: ReturnType<typeof fixedClock>;
  /** The day the season is seen from: two years lie before it, a few months of plans after it. */
  today: string;
  say: (line: string) => void;
}

/** Whether this database holds the demo season already, whole or cut off while it was loaded. */
export async function demoState(db: Db): Promise<'absent' | 'loading' | 'loaded'> {
  const marks = await db.query<{ action: string }>(sql`
    select action from audit_events where entity = 'demo_season' order by id`);
  if (marks.length === 0) return 'absent';
  return marks.some((mark) => mark.action === 'loaded') ? 'loaded' : 'loading';
}

/** Nothing may be there yet: the demo season never mixes with real records. */
export async function isEmpty(db: Db): Promise<boolean> {
  const found = await db.maybeOne(sql`select 1 from users union all select 1 from customers limit 1`);
  return found === null;
}

export async function loadDemo(run: DemoRun): Promise<void> {
  const { app, ports } = run.composition;
  const { db } = ports;
  await writeAudit(db, SYSTEM_ACTOR, { action: 'started', entity: 'demo_season', entity_id: null });
  run.say('Loading the demo season: people, houses, repertoire …');
  await loadPeople(db);
  const eleanor = await clientFor(app, db, 'eleanor@grandrights.example');
  await loadRegistrations(eleanor);
  await loadOffice(eleanor);
  await loadPaymentDetails(await clientFor(app, db, 'system@grandrights.example'));
  await setStatutoryInterest(await clientFor(app, db, 'system@grandrights.example'));
  const houses = await loadHouses(db, eleanor);
  const theo = await clientFor(app, db, 'theo@grandrights.example');
  const works = await loadCatalogue(eleanor, theo);
  await loadPictures(eleanor, works);
  const materials = await loadMaterials(eleanor, theo);
  run.say(`  ${houses.size} houses, ${works.size} shows, ${materials} materials`);
  await loadHouseholds(eleanor, theo, works);
  await loadPerusalScripts(eleanor, works);
  const season = await seasonOf(run, { eleanor, theo, houses, works });
  planRates(season, startOf(run.today));
  await loadBanks(season);
  planCapital(season, startOf(run.today));
  planBankFees(season, startOf(run.today));
  planLicenses(season, LICENSES);
  planApplications(season);
  planAutomaticOffers(season, await clientFor(app, db, 'system@grandrights.example'));
  planStatementRuns(season, startOf(run.today));
  planAdvances(season);
  planPerusals(season);
  planRentals(season);
  planBills(season);
  planRecurringBills(season);
  await planPayables(season);
  planPrenotes(season);
  planTaxReturns(season);
  await planSalesTaxReturns(season);
  planYearEnd(season);
  planDesk(season);
  await season.calendar.runUntil(run.today);
  await followAll(ports);
  await loadStock(eleanor, [...works.values()], [...houses.values()].map((house) => house.id));
  await loadShopOrders(season);
  await billLateInterest(eleanor);
  await loadCardPayments(season);
  await loadLicenseFiles(season);
  await loadLicenseAddOns(season);
  await readOldNotifications(app, db, houses);
  await exportLists(eleanor);
  await loadImports(eleanor, ports);
  await importReturns(season);
  await writeNotes(season);
  await trashUnusedAccounts(season);
  await loadBankStatements(season);
  await closeOldMonths(season, startOf(run.today));
  await chargeShares(season);
  await revalueLastMonth(season);
  await dropDemoSessions(db);
  await writeAudit(db, SYSTEM_ACTOR, { action: 'loaded', entity: 'demo_season', entity_id: null });
}

/** Enough for every list to hold more than one page, few enough for a first start of a minute or two. */
const LICENSES = 96;
const SEED = 1879;
interface Cast {
  eleanor: DemoClient;
  theo: DemoClient;
  houses: ReadonlyMap<string, House>;
  works: ReadonlyMap<string, Work>;
}

function startOf(today: string): string {
  return addDays(today, -860);
}

async function seasonOf(run: DemoRun, cast: Cast): Promise<SeasonContext> {
  const { app, ports } = run.composition;
  const portals = new Map<string, SignerAtHome>();
  for (const [index, customer] of DEMO_CUSTOMERS.entries()) {
    const person = signerOf(customer, index);
    const client = await clientFor(app, ports.db, person.email);
    portals.set(customer.name, { client, name: `${person.first_name} ${person.last_name}` });
  }
  const start = startOf(run.today);
  let told = '';
  let eachWeek: (day: string) => Promise<void> = async () => {};
  const season: SeasonContext = {
    calendar: calendar(start, (day) => {
      // Today may be younger than three in the afternoon, and nothing of the season has happened later than now.
      const [then, now] = [`${day}T15:00:00Z`, new Date().toISOString()];
      run.clock.set(day === run.today && now.startsWith(day) && now < then ? now : then);
      if (day.slice(0, 7) !== told && day.slice(5, 7) === '01') run.say(`  ${day.slice(0, 4)} …`);
      told = day.slice(0, 7);
    }, (day) => eachWeek(day)),
    ports, random: seeded(SEED), today: run.today, staff: cast.eleanor, second: cast.theo, portals,
    houses: cast.houses, works: cast.works,
    afterSigning: (production) => payAfterSigning(season, production),
  };
  eachWeek = weekly(season, ports);
  return season;
}

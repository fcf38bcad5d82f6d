/** Loads the demo season into an empty database, on a clock of its own, and says what it is doing. */
import type { Composition } from '#apps/server/src/compose.ts';
import type { fixedClock } from '#server/clock.ts';
import { SYSTEM_ACTOR, writeAudit } from '#server/audit.ts';
import type { Db } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { clientFor, dropDemoSessions } from './client.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { loadHouses, loadPeople } from './load-people.ts';

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
  const houses = await loadHouses(db, eleanor);
  const theo = await clientFor(app, db, 'theo@grandrights.example');
  const works = await loadCatalogue(eleanor, theo);
  run.say(`  ${houses.size} houses, ${works.size} shows`);
  await dropDemoSessions(db);
  await writeAudit(db, SYSTEM_ACTOR, { action: 'loaded', entity: 'demo_season', entity_id: null });
}

/**
 * Reports orders, refunds and customers that wait. Each is claimed before it is sent, so that two processes do not send
 * it at once, and its id is fixed, so that an attempt whose answer was lost finds it there: a 422 on adding means that
 * the service has it, and it is updated to what stands here.
 */
import type Taxjar from 'taxjar';
import { runEach, type BatchRun } from '#server/batch.ts';
import type { Ports } from '#server/context.ts';
import type { Db } from '#server/db.ts';
import { name, sql, type Sql } from '#server/sql.ts';
import { collectDocuments } from './report-documents.server.ts';
import { REPORT_TO_TAX_SERVICE } from './report-state.server.ts';
import { callService, ServiceRefused, type ServiceCall, type ServiceSettings } from './service-call.server.ts';
import { customerOf, storedCustomer } from './tax-customers.server.ts';
import { findStored, transactionOf } from './transactions.server.ts';

type SentTransaction = Parameters<Taxjar['createOrder']>[0] | Parameters<Taxjar['createRefund']>[0];
type SentCustomer = Parameters<Taxjar['createCustomer']>[0];

interface PendingReport { id: number; version: number; reference: string; kind: 'customer' | 'order' | 'refund';
  is_known_there: boolean; removed: boolean }

const TABLES = { customer: 'tax_service_customers', order: 'tax_service_transactions',
  refund: 'tax_service_transactions' } as const;
const PATHS = { customer: 'customers', order: 'transactions/orders', refund: 'transactions/refunds' } as const;
/** Time limit of one attempt; a later claim assumes that its process is gone. */
const CLAIM = sql`interval '2 minutes'`;

/** Documents issued meanwhile, then customers before the orders that name them, orders before their refunds. */
export async function reportToTaxService(ports: Ports): Promise<BatchRun> {
  const settings = ports.settings.tax_service;
  if (settings === null) return { done: 0, failed: 0 };
  await collectDocuments(ports);
  const items = await ports.db.query<PendingReport>(sql`
    select id, version, reference, 'customer' as kind, is_known_there, removed_at is not null as removed
    from tax_service_customers where report_state = 'waiting' and coalesce(report_after, now()) <= now()
    union all
    select id, version, reference, kind, is_known_there, removed_at is not null
    from tax_service_transactions where report_state = 'waiting' and coalesce(report_after, now()) <= now()
    order by kind, id limit 500`);
  return runEach(ports, { job: REPORT_TO_TAX_SERVICE, items, facts: ({ id, kind }) => ({ id, kind }) },
    async (item) => {
      const claimed = await ports.db.maybeOne(sql`
        update ${name(TABLES[item.kind])} set report_after = now() + ${CLAIM}
        where id = ${item.id} and version = ${item.version} and report_state = 'waiting'
          and coalesce(report_after, now()) <= now() returning id`);
      if (!claimed) return 0;
      return reportOne(ports.db, settings, item);
    });
}

async function reportOne(db: Db, settings: ServiceSettings, item: PendingReport): Promise<number> {
  try {
    await send(db, settings, item);
    await mark(db, item, sql`report_state = 'reported', reported_at = now(), report_error = null, report_after = null,
      is_known_there = ${!item.removed}`);
    return 1;
  } catch (error) {
    const text = (error as Error).message.slice(0, 500);
    const refused = error instanceof ServiceRefused;
    await mark(db, item, refused ? sql`report_state = 'failed', report_error = ${text}, report_after = null`
      : sql`report_error = ${text}, report_attempts = report_attempts + 1,
          report_after = now() + interval '1 minute' * power(2, least(report_attempts, 9))`);
    return 0;
  }
}

/** A row that was changed meanwhile waits again already, with what it says now. */
async function mark(db: Db, item: PendingReport, set: Sql): Promise<void> {
  const table = name(TABLES[item.kind]);
  const same = await db.maybeOne(sql`
    update ${table} set ${set} where id = ${item.id} and version = ${item.version} returning id`);
  if (!same) await db.exec(sql`update ${table} set report_after = null where id = ${item.id}`);
}

async function send(db: Db, settings: ServiceSettings, item: PendingReport): Promise<void> {
  const path = PATHS[item.kind];
  const own = `${path}/${encodeURIComponent(item.reference)}`;
  const call = (one: Omit<ServiceCall, 'tries'>) => callService<object>(settings, { ...one, tries: 1 });
  if (item.removed) {
    await call({ method: 'DELETE', path: own }).catch(unlessStatus(404));
    return;
  }
  const body = await bodyOf(db, item);
  if (item.is_known_there) await call({ method: 'PUT', path: own, body });
  // Added before, by an attempt whose answer was lost: what stands here is what the service gets.
  else await call({ method: 'POST', path, body }).catch(async (error: unknown) => {
    if (!(error instanceof ServiceRefused) || error.status !== 422) throw error;
    await call({ method: 'PUT', path: own, body }).catch((second: unknown) => {
      throw second instanceof ServiceRefused && second.status === 404 ? error : second;
    });
  });
}

function unlessStatus(status: number) {
  return (error: unknown): void => {
    if (!(error instanceof ServiceRefused) || error.status !== status) throw error;
  };
}

async function bodyOf(db: Db, item: PendingReport): Promise<SentTransaction | SentCustomer> {
  const sent = item.kind === 'customer' ? customerOf(await storedCustomer({ db }, sql`t.id = ${item.id}`))
    : transactionOf(await findStored({ db }, item.id));
  const ours = new Set(['invoice_id', 'report_state', 'report_error', 'reported_at', 'version', 'created_at',
    'updated_at']);
  return Object.fromEntries(Object.entries(sent).filter(([key, value]) => value !== null && !ours.has(key))) as
    unknown as SentTransaction | SentCustomer;
}

/** Entries on the accounts of taxes that no document made: named where a return differs from the ledger. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { formatMoney } from '#kernel/money/money.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { firstDayOf, RETURN_KINDS, type StatePeriod } from '../sales-tax/sales-tax-items.server.ts';
import { firstDay, type VatPeriod } from './vat-items.server.ts';

/** `amount_minor`: debit positive, in the functional currency of the division. */
interface UnexplainedEntry {
  readonly number: string; readonly on: string; readonly amount_minor: number; readonly currency: string;
}

/** Entries named in one message. */
const NAMED = 3;

const entries = (db: Queryable, from: Sql): Promise<UnexplainedEntry[]> => db.query<UnexplainedEntry>(sql`
  select coalesce(t.number, k.name) as number, e.transaction_at as on, sum(e.base_amount_minor)::bigint as amount_minor,
    d.functional_currency as currency
  from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id
    join transactions t on t.id = e.transaction_id join transaction_kinds k on k.kind = e.kind
    join divisions d on d.code = e.division ${from}
  group by t.id, 1, 2, 4 having sum(e.base_amount_minor) <> 0 order by 2, t.id`);

/** On Output VAT and Input VAT: lines that are no item of a return, and settlements that no return posted. */
export async function unexplainedVat(db: Queryable, of: VatPeriod): Promise<UnexplainedEntry[]> {
  const from = await firstDay(db, of.division) ?? of.from;
  return entries(db, sql`
    where e.division = ${of.division} and a.system_key in ('vat_output', 'vat_input') and e.transaction_at >= ${from}
      and e.kind not in ('opening', 'year_end_close') and case when e.kind = 'tax_return'
        then t.source_type is distinct from 'tax_return'
        else not exists (select 1 from vat_items i where i.source = 'entry' and i.source_id = e.id) end`);
}

/** On Sales tax payable of a state: lines of no invoice. */
export async function unexplainedSalesTax(db: Queryable, of: StatePeriod): Promise<UnexplainedEntry[]> {
  const from = await firstDayOf(db, of) ?? of.from;
  return entries(db, sql`
    join tax_authorities y on e.party_type = 'tax_authority' and y.id = e.party_id
    where e.division = ${of.division} and a.system_key = 'sales_tax' and y.jurisdiction = ${of.state}
      and e.kind <> all(${RETURN_KINDS}::text[]) and e.transaction_at between ${from} and ${of.to}
      and e.invoice_id is null`);
}

/** 'No document made this entry on Output VAT: Journal of June 15, 2026 (debit of GBP 50.00). Reverse it.' */
export function unexplainedInWords(found: readonly UnexplainedEntry[], accounts: string, maker: string): string {
  if (found.length === 0) return `Find the entry on ${accounts} that no ${maker} made.`;
  const named = found.slice(0, NAMED).map(({ number, on, amount_minor: minor, currency }) =>
    `${number} of ${dateInWords(on)} (${minor > 0 ? 'debit' : 'credit'} of ${formatMoney(Math.abs(minor), currency)})`);
  const more = found.length > NAMED ? [`${found.length - NAMED} more`] : [];
  return `No ${maker} made ${found.length === 1 ? 'this entry' : 'these entries'} on ${accounts}: ${
    [...named, ...more].join(', ')}. Reverse ${found.length === 1 ? 'it' : 'them'}.`;
}

/** Sales and use tax of a period by state, from the tax lines that documents were issued with (accounting.md 3.9). */
import { addMonths } from '#kernel/calendar/calendar.ts';
import { sum } from '#kernel/money/money.ts';
import { countedFrom, countNexus, salesByState, stateOf, stateRuleOn, type JurisdictionRow, type NexusRule,
  type SalesTaxLine, type StateSales } from '#kernel/tax/sales-tax-return.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { nexusRules } from './nexus-rule.server.ts';
import { RETURN_KINDS, saleLines } from './sales-tax-items.server.ts';
import type { NexusRuleRow, SalesTaxReport, SalesTaxState, UsDivision } from './sales-tax.contract.ts';

export interface SalesPeriod { readonly division: UsDivision; readonly from: string; readonly to: string }

/** Sales within the United States in a period, credits below zero, in US dollars. */
const linesOf = (db: Queryable, of: SalesPeriod): Promise<SalesTaxLine[]> => saleLines(db,
  sql`v.division = ${of.division} and v.issued_on between ${of.from} and ${of.to} and l.jurisdiction like 'US-%'`);

interface UseTax { state: string; base_minor: number; tax_minor: number }

/** Use tax on purchases by state: lines on 2340. */
function useTaxOf(db: Queryable, of: SalesPeriod): Promise<UseTax[]> {
  return db.query<UseTax>(sql`
    select left(t.jurisdiction, 5) as state,
      sum(-round(e.tax_base_minor * coalesce(e.fx_rate, 1)))::bigint as base_minor,
      sum(-e.base_amount_minor)::bigint as tax_minor
    from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'use_tax'
      join tax_authorities t on e.party_type = 'tax_authority' and t.id = e.party_id
    where e.division = ${of.division} and e.transaction_at between ${of.from} and ${of.to}
      and e.kind <> all(${RETURN_KINDS}::text[])
    group by 1 order by 1`);
}

/** Movement of 2310 and 2340, owed above zero: the same figures from the ledger. */
async function movedOn(db: Queryable, of: SalesPeriod, key: 'sales_tax' | 'use_tax'): Promise<number> {
  const { moved } = await db.one<{ moved: number }>(sql`
    select coalesce(sum(-e.base_amount_minor), 0)::bigint as moved
    from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = ${key}
    where e.division = ${of.division} and e.transaction_at between ${of.from} and ${of.to}
      and e.kind <> all(${RETURN_KINDS}::text[])`);
  return moved;
}

async function registeredIn(db: Queryable, of: SalesPeriod): Promise<Set<string>> {
  return new Set((await db.query<{ jurisdiction: string }>(sql`
    select jurisdiction from tax_registrations where division = ${of.division} and scheme = 'sales_tax'
      and valid_from <= ${of.to} and (valid_to is null or valid_to >= ${of.from})`)).map((row) => row.jurisdiction));
}

const kernelRule = (row: NexusRuleRow): NexusRule & { row: NexusRuleRow } => ({ ...row, row,
  threshold_minor: row.threshold_minor === null ? null : BigInt(row.threshold_minor) });

export async function salesTaxReport(db: Queryable, of: SalesPeriod): Promise<SalesTaxReport> {
  const states = salesByState(await linesOf(db, of));
  const used = await useTaxOf(db, of);
  const rules = (await nexusRules(db)).map(kernelRule);
  const counted = await linesOf(db, { division: of.division, to: of.to,
    from: addMonths(countedFrom('calendar_year', of.to), -12) });
  const registered = await registeredIn(db, of);
  // A state whose sales lie before these days has its counter too.
  const known = new Set([...states.map((one) => one.state), ...used.map((one) => one.state),
    ...counted.map((line) => stateOf(line.jurisdiction))]);
  const rows = [...known].sort().map((state): SalesTaxState => {
    const rule = stateRuleOn(rules, state, of.to);
    const use = used.find((one) => one.state === state);
    return { ...stateRow(state, states.find((one) => one.state === state)), is_registered: registered.has(state),
      use_base_minor: use?.base_minor ?? 0, use_tax_minor: use?.tax_minor ?? 0,
      nexus: rule && nexusRow(rule, of.to, counted) };
  });
  const total = (key: 'gross_minor' | 'taxable_minor' | 'exempt_minor' | 'collected_minor' | 'due_minor'
    | 'use_tax_minor') => rows.reduce((minor, row) => minor + row[key], 0);
  const collected = total('collected_minor');
  const [sales, use] = [await movedOn(db, of, 'sales_tax'), await movedOn(db, of, 'use_tax')];
  return { ...of, currency: 'USD', states: rows, gross_minor: total('gross_minor'),
    taxable_minor: total('taxable_minor'), exempt_minor: total('exempt_minor'), collected_minor: collected,
    due_minor: total('due_minor'), use_tax_minor: total('use_tax_minor'), checks: [
      { name: 'sales_tax_equals_ledger', expected: sales, actual: collected, ok: sales === collected },
      { name: 'use_tax_equals_ledger', expected: use, actual: total('use_tax_minor'),
        ok: use === total('use_tax_minor') }] };
}

export interface NexusReached { state: string; since: string; rule: NexusRuleRow }

/** States whose threshold the division has reached, and where it is not registered on the day. */
export async function nexusReached(db: Queryable, division: UsDivision, on: string): Promise<NexusReached[]> {
  const rules = (await nexusRules(db)).map(kernelRule);
  const registered = await registeredIn(db, { division, from: on, to: on });
  const open = [...new Set(rules.map((rule) => rule.state))].filter((state) => !registered.has(state)).sort();
  const first = addMonths(countedFrom('calendar_year', on), -12);
  const lines = open.length === 0 ? [] : await saleLines(db, sql`v.division = ${division}
    and v.issued_on between ${first} and ${on} and left(l.jurisdiction, 5) = any (${open}::text[])`);
  return open.flatMap((state) => {
    const rule = stateRuleOn(rules, state, on);
    const counted = rule && countNexus(rule, on, lines);
    return rule && counted?.reached ? [{ state, since: counted.from, rule: rule.row }] : [];
  });
}

function nexusRow(
  rule: NexusRule & { row: NexusRuleRow }, on: string, lines: readonly SalesTaxLine[],
): SalesTaxState['nexus'] {
  const counted = countNexus(rule, on, lines);
  return { rule: rule.row, from: counted.from, sales_minor: Number(counted.sales_minor),
    transactions: counted.transactions, reached: counted.reached };
}

const NOTHING: Omit<StateSales, 'state'> = { gross_minor: 0n, taxable_minor: 0n, exempt: [], not_taxable_minor: 0n,
  not_registered_minor: 0n, unknown_minor: 0n, rows: [], collected_minor: 0n, due_minor: 0n };

function stateRow(state: string, sales: Omit<StateSales, 'state'> = NOTHING) {
  return {
    state: state.slice(3), gross_minor: Number(sales.gross_minor), taxable_minor: Number(sales.taxable_minor),
    exempt: sales.exempt.map((one) => ({ ...one, minor: Number(one.minor) })),
    exempt_minor: Number(sum(sales.exempt.map((one) => one.minor))),
    not_taxable_minor: Number(sales.not_taxable_minor), not_registered_minor: Number(sales.not_registered_minor),
    unknown_minor: Number(sales.unknown_minor), collected_minor: Number(sales.collected_minor),
    due_minor: Number(sales.due_minor), over_minor: Number(sales.collected_minor - sales.due_minor),
    rows: sales.rows.map(jurisdictionRow),
  };
}

export function jurisdictionRow(row: JurisdictionRow) {
  return { jurisdiction: row.jurisdiction.slice(3), rate_ppm: Number(row.rate_ppm),
    taxable_minor: Number(row.taxable_minor), collected_minor: Number(row.collected_minor),
    due_minor: Number(row.due_minor), over_minor: Number(row.over_minor) };
}

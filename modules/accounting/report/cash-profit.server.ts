/** The profit and loss on the cash basis, and the payments behind each of its figures. */
import type { Recognized } from '#kernel/ledger/cash-basis.ts';
import type { StatementColumn, StatementLine } from '#kernel/ledger/statement-columns.ts';
import type { Division, Language } from '#kernel/money/division.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { cashBasis } from './cash-basis.server.ts';
import { flowAccounts, type Span } from './cash-flows.server.ts';
import { hasParts, keyIs, partOfKey, type PartFilter, type PartName, type PartResult } from './line-parts.server.ts';
import { profitLines } from './statement-lines.server.ts';
import { profitAndLoss, profitOf, signOf } from './statements.server.ts';

/** `parts`: where shows or classes of customers are told apart. */
export const cashNotes = (parts: boolean, language: Language): string[] => [
  ...(parts ? ['A payment is spread over the lines of the document that it settled; show and class of customer are '
    + 'those of the line.'] : []),
  'Cash basis: income and expense count when their document is paid, by the paid share. Deferred income counts with '
    + 'the payment of its invoice, royalties when the royaltor is paid or an advance is recouped. A debt that is '
    + 'written off counts as income and as bad debt on that day.',
  spellIn(language)`Not counted: payments that are not applied to a document, deposits held, accrued income,
    unrealized exchange differences, and open documents of the former books.`,
];

const isIn = (column: { from: string; to: string }) => (one: Recognized): boolean =>
  one.on >= column.from && one.on <= column.to;

/** Amounts of the days, of one show or class of customer where the filter names one. */
async function counted(db: Queryable, span: Span, of: { each: boolean } & PartFilter): Promise<Recognized[]> {
  const parts = hasParts(of);
  const all = await cashBasis(db, span, { each: of.each, parts });
  const isKept = keyIs(of);
  return parts ? all.filter((one) => isKept(one.part)) : all;
}

/** The lines of each column; the last one tells the net profit of the same days on the accrual basis. */
export async function cashProfitLines(
  db: Queryable, of: { division: Division } & PartFilter, columns: readonly StatementColumn[],
): Promise<StatementLine[][]> {
  const { division } = of;
  const span: Span = { division, from: columns.map((one) => one.from).toSorted()[0]!,
    to: columns.map((one) => one.to).toSorted().at(-1)! };
  const accounts = await flowAccounts(db, division);
  const all = await counted(db, span, { ...of, each: false });
  const made: StatementLine[][] = [];
  for (const column of columns) {
    const own = Map.groupBy(all.filter(isIn(column)), (one) => one.account);
    const movements = [...accounts.values()].flatMap((account) => {
      const minor = Number((own.get(account.id) ?? []).reduce((total, one) => total + one.minor, 0n));
      return minor === 0 ? [] : [{ account_id: account.id, code: account.code, name: account.name,
        class: account.class, section: account.section, opening_minor: 0, debit_minor: Math.max(minor, 0),
        credit_minor: Math.max(-minor, 0), closing_minor: minor }];
    });
    const accrual = await profitAndLoss(db, { division, from: column.from, to: column.to, show_id: of.show_id,
      customer_class_id: of.customer_class_id });
    made.push([...profitLines({ ...await profitOf(db, division, movements), checks: [] }),
      { kind: 'sum', key: 'accrual', group: '', title: 'Net profit, accrual basis', code: null,
        minor: BigInt(accrual.net_profit_minor) }]);
  }
  return made;
}

/** Income (positive) and expense (negative) by show or class of customer and section, and the net profit of all. */
export async function cashResultsByPart(db: Queryable, span: Span, by: PartName):
Promise<{ results: PartResult[]; net_profit_minor: number }> {
  const accounts = await flowAccounts(db, span.division);
  const net = (list: readonly Recognized[]): number => Number(list.reduce((total, one) => total - one.minor, 0n));
  const found = Map.groupBy(await cashBasis(db, span, { each: false, parts: true }), (one) => {
    const { class: kind, section } = accounts.get(one.account)!;
    return JSON.stringify([partOfKey(one.part, by), kind, section]);
  });
  return { net_profit_minor: net(await cashBasis(db, span, { each: false, parts: false })),
    results: [...found].map(([key, list]) => {
      const [part_id, kind, section] = JSON.parse(key) as [number, string, string];
      return { part_id, class: kind, section, minor: net(list) };
    }) };
}

export interface CashBasisLine {
  transaction_id: number;
  on: string;
  kind: string;
  description: string;
  number: string | null;
  document_id: number;
  /** Number of the document, else its description. */
  document: string;
  amount_minor: number;
}
export interface CashBasisLines {
  account: { id: number; code: string; name: string };
  amount_minor: number;
  rows: CashBasisLine[];
  total: number;
}

/** One row for a payment and a document. */
function gathered(list: readonly Recognized[]): Recognized[] {
  const rows = Map.groupBy(list, (one) => `${one.on} ${one.by} ${one.document}`);
  return [...rows.values()].map((of) => ({ ...of[0]!, minor: of.reduce((total, one) => total + one.minor, 0n) }))
    .filter((one) => one.minor !== 0n)
    .toSorted((a, b) => (a.on === b.on ? b.by - a.by || b.document - a.document : a.on < b.on ? 1 : -1));
}

/** Null where the division has no such account of income or expense. Newest first, signed like the statement. */
export async function cashBasisLines(
  db: Queryable, span: Span, of: { account: string; page: number; per_page: number } & PartFilter,
): Promise<CashBasisLines | null> {
  const account = [...(await flowAccounts(db, span.division)).values()].find((one) => one.code === of.account);
  if (!account || (account.class !== 'income' && account.class !== 'expense')) return null;
  const sign = BigInt(signOf(account.section));
  const all = gathered((await counted(db, span, { ...of, each: true })).filter((one) => one.account === account.id));
  const page = all.slice((of.page - 1) * of.per_page, of.page * of.per_page);
  const facts = await db.query<{ id: number; kind: string; description: string; number: string | null }>(sql`
    select t.id, t.kind, t.description, coalesce(t.number, (select d.number
      from ledger_source(t.id) s, ledger_document(s.source_type, s.source_id) d)) as number
    from transactions t where t.id = any (${page.flatMap((one) => [one.by, one.document])}::bigint[])`);
  const known = new Map(facts.map((one) => [one.id, one]));
  const rows = page.map((one): CashBasisLine => {
    const { kind, description, number } = known.get(one.by)!;
    const document = known.get(one.document)!;
    return { transaction_id: one.by, on: one.on, kind, description, number, document_id: one.document,
      document: document.number ?? document.description, amount_minor: Number(sign * one.minor) };
  });
  return { account: { id: account.id, code: account.code, name: account.name }, rows, total: all.length,
    amount_minor: Number(sign * all.reduce((total, one) => total + one.minor, 0n)) };
}

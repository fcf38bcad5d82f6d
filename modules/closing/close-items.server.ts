/** The items of the close checklist: each reads what it is about and says what is left. */
import { addDays, bookPeriodInWords, dateInWords } from '#kernel/calendar/calendar.ts';
import { spell } from '#kernel/text/english.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { earlierOpen, intercompanyLeft, ledgerIntegrity, revaluationLeft, unreconciledAccounts }
  from '#modules/accounting/accounting.public.server.ts';
import { tieOut } from '#modules/royalties/royalties.public.server.ts';
import { openPeriods, salesTaxReport, stateName, vatPeriodLeft }
  from '#modules/taxation/taxation.public.server.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { CloseItem, CloseItemKey } from './close-checklist.contract.ts';
import { doersOf, type Month } from './close-doers.server.ts';

type Unsigned = Omit<CloseItem, 'done'>;

const of = (key: CloseItemKey, title: string, href: string, left: string, severity: 'open' | 'warning' = 'open'):
Unsigned => ({ key, title, href, detail: left, state: left === '' ? 'done' : severity });

const counted = (count: number, one: string, many: string): string =>
  (count === 0 ? '' : `${count} ${count === 1 ? one : many}`);

const ledgerHref = (month: Month, account: string): string =>
  `/admin/accounting/general-ledger?division=${month.division}&account=${account}&as_of=${month.ends}`;

async function count(db: Queryable, query: Sql): Promise<number> {
  return (await db.one<{ count: number }>(sql`select count(*)::int as count ${query}`)).count;
}

/** Balance of an account at the end of the month with its currency, that of the division; empty at zero. */
async function amountOf(db: Queryable, month: Month, key: string, sign: 1n | -1n = 1n): Promise<string> {
  const row = await db.one<{ minor: number; currency: string }>(sql`
    select coalesce(sum(e.base_amount_minor), 0)::bigint as minor, d.functional_currency as currency
    from divisions d left join ledger_accounts a on a.division = d.code and a.system_key = ${key}
      left join posted_entries e on e.ledger_account_id = a.id and e.transaction_at <= ${month.ends}
    where d.code = ${month.division} group by 2`);
  return row.minor === 0 ? '' : formatMoney(sign * BigInt(row.minor), row.currency);
}

async function balanceOf(db: Queryable, month: Month, key: string): Promise<string> {
  const amount = await amountOf(db, month, key);
  return amount === '' ? '' : `${amount} at the end of the month`;
}

async function bankItems(db: Queryable, month: Month): Promise<Unsigned[]> {
  const open = await unreconciledAccounts(db, month.division, month.ends);
  // A file of columns ends with its last line: reconciled with the closing balance of the day, it is all there is.
  const late = await db.query<{ name: string; to_on: string | null }>(sql`
    select b.name, max(s.to_on) as to_on from bank_accounts b cross join lateral bank_reconciled_balance(b.id) r
      left join bank_statements s on s.bank_account_id = b.id and s.kind = 'statement' and s.taken_back_at is null
    where b.division = ${month.division} and b.deleted_at is null and b.closed_on is null
      and coalesce(r.to_on, '-infinity') < ${month.ends}
    group by b.id, b.name having coalesce(max(s.to_on), '-infinity') < ${month.ends} order by b.name`);
  const unmatched = await count(db, sql`
    from bank_transactions t join bank_accounts b on b.id = t.bank_account_id
    where b.division = ${month.division} and t.state = 'booked' and t.deleted_at is null
      and t.booked_on <= ${month.ends} and not exists (select 1 from bank_match_lines m
        where m.bank_transaction_id = t.id and m.active)`);
  const division = `division=${month.division}`;
  return [
    of('statements', 'Bank statements are imported', `/admin/banking/statements?${division}`,
      late.map((one) => (one.to_on === null ? `${one.name}: none yet`
        : `${one.name}: through ${dateInWords(one.to_on)}`)).join(' · ')),
    of('unmatched', 'Bank lines are matched', `/admin/banking/transactions?${division}&matched=false`,
      counted(unmatched, 'line is not matched', 'lines are not matched')),
    of('reconciled', 'Bank accounts are reconciled', `/admin/banking/reconciliation${open[0] === undefined ? ''
      : `?bank_account_id=${open[0].bank_account_id}`}`,
      open.map((one) => (one.reconciled_to_on === null ? `${one.name}: never`
        : `${one.name}: through ${dateInWords(one.reconciled_to_on)}`)).join(' · ')),
  ];
}

async function incomeItems(db: Queryable, month: Month): Promise<Unsigned[]> {
  const expected = await count(db, sql`
    from box_office_reports r where r.division = ${month.division} and r.status in ('expected', 'submitted', 'queried')
      and r.period_to <= ${month.ends} and r.replaced_by_id is null`);
  const planned = await count(db, sql`
    from release_schedule s where s.division = ${month.division} and s.status = 'planned'
      and s.on_date <= ${month.ends} and s.amount_minor > s.credited_minor`);
  const different = await tieOut(db, month.division, true);
  return [
    of('box_office', 'Box office of the month is reported and accepted',
      `/admin/sales-and-royalties/box-office?division=${month.division}`,
      counted(expected, 'report is missing or not decided', 'reports are missing or not decided'), 'warning'),
    of('deferred', 'Deferred income is released', ledgerHref(month, '2100'),
      counted(planned, 'release is due', 'releases are due')),
    of('royalties', 'Royalties tie to the ledger', `/admin/accounts-payable/royalty-tie-out?division=${month.division}`,
      counted(different.length, 'royaltor differs', 'royaltors differ')),
  ];
}

/** Nothing is left that no rule decided, and returns of periods that ended with the month or before are prepared. */
async function salesTaxItem(db: Queryable, month: Month, division: 'US' | 'PROD'): Promise<Unsigned> {
  const { states } = await salesTaxReport(db, { division, from: month.starts, to: month.ends });
  const unknown = states.filter((state) => state.unknown_minor !== 0).map((state) => stateName(state.state));
  const open = await openPeriods(db, division, addDays(month.ends, 1));
  const left = [
    ...(unknown.length === 0 ? [] : [`Invoices in ${unknown.join(', ')} were issued without a tax rule or a rate`]),
    ...open.map(({ state, to }) => `The ${stateName(state)} return through ${dateInWords(to)} is not prepared`),
  ];
  return of('tax', 'Taxes are prepared', `/admin/finance/taxes-vat/us-sales-use-tax?division=${division
  }&from=${month.starts}&to=${month.ends}`, left.join(' · '), unknown.length === 0 ? 'warning' : 'open');
}

/** Returns of VAT periods that ended with the month or before: prepared at least. */
async function taxItem(db: Queryable, month: Month): Promise<Unsigned> {
  const { division } = month;
  if (division === 'US' || division === 'PROD') return salesTaxItem(db, month, division);
  const left = await vatPeriodLeft(db, division === 'UK' ? 'UK' : 'EU', month.ends);
  return of('tax', 'Taxes are prepared', `/admin/finance/taxes-vat/uk-vat?division=${division}`, left === null ? ''
    : `The VAT return through ${dateInWords(left.to)} is not prepared`, 'warning');
}

async function draftItems(db: Queryable, month: Month): Promise<Unsigned[]> {
  const bills = await count(db, sql`from bills where division = ${month.division} and billed_on <= ${month.ends}
    and status in ('draft', 'submitted') and deleted_at is null`);
  const journals = await count(db, sql`from transactions where division = ${month.division} and status = 'draft'
    and transaction_at <= ${month.ends} and deleted_at is null`);
  const runs = await count(db, sql`from payment_runs where division = ${month.division}
    and status in ('approved', 'exported') and value_on <= ${month.ends}`);
  const drafts = [counted(bills, 'bill', 'bills'), counted(journals, 'journal', 'journals')].filter(Boolean);
  return [
    of('drafts', 'Everything dated in the month is posted', `/admin/accounting/${bills > 0
      ? `bills?division=${month.division}` : `transactions?division=${month.division}&status=draft`}`,
    drafts.length === 0 ? '' : `${drafts.join(' and ')} not posted yet`, 'warning'),
    of('payments', 'Payment runs are posted', `/admin/accounts-payable/payment-runs?division=${month.division}`,
      counted(runs, 'run is approved, not posted', 'runs are approved, not posted')),
  ];
}

async function balanceItems(db: Queryable, month: Month): Promise<Unsigned[]> {
  const ledger = (account: string): string => ledgerHref(month, account);
  return [
    of('in_transit', 'Nothing is in transit', ledger('1050'), await balanceOf(db, month, 'transit'), 'warning'),
    of('undeposited', spell`Checks and cash are deposited`, ledger('1010'), await balanceOf(db, month, 'undeposited'),
      'warning'),
    of('revaluation', 'Foreign balances are revalued',
      `/admin/accounting/revaluations/create?division=${month.division}&on=${month.ends}`,
      await revaluationLeft(db, month.division, month.ends)),
    of('intercompany', 'Intercompany balances agree', `/admin/accounting/intercompany/balances?as_of=${month.ends}`,
      await intercompanyLeft(db, month.division, month.ends)),
    of('opening', 'Opening balances come to zero', ledger('3999'), await balanceOf(db, month, 'opening')),
  ];
}

/**
 * What belongs to the month and has no document in it: recurring bills that were not made, a revaluation that was not
 * reversed, and goods received for which no bill has come (account 2010).
 */
async function accrualItem(db: Queryable, month: Month): Promise<Unsigned> {
  const recurring = await count(db, sql`
    from bill_schedules s where s.division = ${month.division} and s.status = 'active' and s.next_on <= ${month.ends}`);
  const reversals = await count(db, sql`
    from revaluations r where r.division = ${month.division} and r.status = 'posted' and r.reversal_id is null
      and r.transaction_id is not null and r.revalued_on < ${month.starts}`);
  const receipts = await count(db, sql`
    from goods_receipts r where r.division = ${month.division} and r.received_on <= ${month.ends} and exists (
      select 1 from goods_receipt_lines l where l.goods_receipt_id = r.id and l.quantity
        - (select coalesce(sum(g.quantity), 0) from goods_returns g where g.goods_receipt_line_id = l.id
          and g.returned_on <= ${month.ends})
        - (select coalesce(sum(x.cleared_quantity), 0) from bill_lines x join bills b on b.id = x.bill_id
          where x.goods_receipt_line_id = l.id and b.transaction_id is not null and b.billed_on <= ${month.ends}
            and (b.voided_on is null or b.voided_on > ${month.ends})) > 0)`);
  const owed = await amountOf(db, month, 'grni', -1n);
  const missing = [counted(recurring, 'recurring bill is not made', 'recurring bills are not made'),
    counted(reversals, 'revaluation is not reversed', 'revaluations are not reversed'),
    receipts === 0 && owed !== '' ? `Accrued purchases hold ${owed} that no delivery explains` : '',
  ].filter(Boolean);
  const held = owed === '' ? '' : `, ${owed} in Accrued purchases`;
  const waiting = receipts === 0 ? []
    : [`${counted(receipts, 'delivery waits for its bill', 'deliveries wait for their bills')}${held}`];
  return of('accruals', 'Accruals are complete', recurring > 0
    ? `/admin/accounting/recurring-bills?division=${month.division}`
    : ledgerHref(month, '2010'),
  [...missing, ...waiting].join(' · '), missing.length > 0 ? 'open' : 'warning');
}

/** Closing a month leaves earlier ones open; nothing is refused, since a house may leave months open on purpose. */
async function earlierItem(db: Queryable, month: Month): Promise<Unsigned> {
  const { division, period } = month;
  const open = await earlierOpen(db, division, period);
  return of('earlier', 'Earlier months are closed',
    `/admin/accounting/close?division=${division}&period=${open?.first ?? period}`,
    open === null ? '' : `Still open: ${open.words}. Closing ${bookPeriodInWords(period)} does not close earlier `
      + 'months, and a posting in them changes its opening balances', 'warning');
}

async function integrityItem(db: Queryable, month: Month): Promise<Unsigned> {
  const broken = (await ledgerIntegrity(db)).filter((row) => !row.ok);
  return of('integrity', 'The ledger passes its checks', `/admin/accounting/integrity?division=${month.division}`,
    broken.map((row) => row.title).join(' · '));
}

/** `now`: the ledger's checks run with the call, by themselves. */
export async function closeItems(db: Queryable, month: Month, now: string): Promise<CloseItem[]> {
  const items = [...await bankItems(db, month), ...await incomeItems(db, month), await taxItem(db, month),
    ...await draftItems(db, month), await accrualItem(db, month), ...await balanceItems(db, month),
    await earlierItem(db, month), await integrityItem(db, month)];
  const doers = await doersOf(db, month);
  return items.map((item) => ({ ...item, done: item.key === 'integrity' ? { by: null, at: now }
    : doers.get(item.key) ?? null }));
}

/** A deposit slip on paper, for the bank: checks one by one, cash as a sum. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import type { Language } from '#kernel/money/division.ts';
import { formatMinor, formatMoney } from '#kernel/money/money.ts';
import { spellIn } from '#kernel/text/english.ts';
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import type { FileAnswer, WorkContext } from '#server/context.ts';
import { renderPdf, type PdfBlock } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import type { DepositItem, DepositSlipDetail } from './deposit-slip.contract.ts';

const sumOf = (items: readonly DepositItem[]): bigint =>
  items.reduce((all, one) => all + BigInt(one.amount_minor), 0n);

function checkTable(checks: readonly DepositItem[], language: Language): PdfBlock[] {
  if (checks.length === 0) return [];
  return [{ kind: 'heading', text: spellIn(language)`Checks` }, { kind: 'table',
    columns: [{ label: 'Received', width: 22 }, { label: 'From', width: 34 }, { label: 'Reference', width: 24 },
      { label: 'Amount', width: 20, align: 'right' }],
    rows: checks.map((one) => [dateFor(language, one.received_on), one.party_name, one.reference || one.number,
      formatMinor(BigInt(one.amount_minor))]),
    totals: [['', `${checks.length} in total`, '', formatMinor(sumOf(checks))]] }];
}

export async function slipDocument(ctx: WorkContext, slip: DepositSlipDetail): Promise<FileAnswer> {
  const house = await letterHead(ctx.db, slip.division);
  const account = await ctx.db.one<{ name: string; bank: string; holder: string | null; last4: string | null }>(sql`
    select b.name, n.name as bank, b.holder, b.bank_account_last4 as last4 from bank_accounts b
      join banks n on n.id = b.bank_id where b.id = ${slip.bank_account_id}`);
  const checks = slip.items.filter((one) => one.method === 'check');
  const cash = slip.items.filter((one) => one.method === 'cash');
  const content = await renderPdf({
    title: `Deposit slip ${slip.number}`, paper: 'deposit_slip', language: house.language, sender: house.lines,
    recipient: [account.bank],
    made_at: ctx.now(), footer: `${house.name} · Deposit slip ${slip.number}`,
    blocks: [
      { kind: 'title', text: `Deposit slip ${slip.number}` },
      { kind: 'facts', rows: [
        ['Account', account.last4 === null ? account.name : `${account.name} •••• ${account.last4}`],
        ['Account holder', account.holder ?? house.name],
        ['Date', dateFor(house.language, slip.deposited_on)]] },
      ...checkTable(checks, house.language),
      ...(cash.length === 0 ? [] : [{ kind: 'facts' as const, rows: [
        ['Cash', formatMinor(sumOf(cash))] as const] }]),
      { kind: 'table', columns: [{ label: '', width: 70 }, { label: `Amount, ${slip.currency}`, width: 30,
        align: 'right' }], rows: [], totals: [['Total deposit', formatMoney(slip.amount_minor, slip.currency)]] },
      { kind: 'signature', lines: ['Deposited by'] },
    ],
  });
  return { filename: `deposit-${slip.number}.pdf`, content_type: 'application/pdf', content, inline: true };
}

/** The statement of account as PDF, one table per division and currency. */
import type { Address } from '#kit/field.ts';
import { addressLines } from '#kernel/address/address-lines.ts';
import { dateFor, periodFor } from '#kernel/calendar/calendar.ts';
import type { Language } from '#kernel/money/division.ts';
import { formatMinor, formatMoney } from '#kernel/money/money.ts';
import { contactOf } from '#modules/identity/identity.public.server.ts';
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import type { FileAnswer, WorkContext } from '#server/context.ts';
import { renderPdf, type PdfBlock } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import { accountStatement } from '../aging/account-statement.server.ts';
import { howToPay } from './how-to-pay.server.ts';
import { setOffWords, type AccountStatement, type DepositLine } from '../aging/aging.contract.ts';

type Account = AccountStatement['accounts'][number];

const KINDS: Record<Account['lines'][number]['kind'], string> = {
  invoice: 'Invoice', credit_note: 'Credit memo', receipt: 'Receipt', returned: 'Returned receipt', refund: 'Refund',
  deposit: 'Deposit applied', write_off: 'Written off,', other: 'Correction',
};

export async function statementDocument(
  ctx: WorkContext, customerId: number, range: { from?: string | undefined; to?: string | undefined },
): Promise<FileAnswer> {
  const statement = await accountStatement(ctx, customerId, range);
  const customer = await ctx.db.one<{ division: string; name: string; address: Partial<Address> | null;
    number: string }>(sql`
    select default_division as division, coalesce(legal_name, name) as name, billing_address as address, number
    from customers where id = ${customerId}`);
  const house = await letterHead(ctx.db, customer.division);
  const person = await contactOf(ctx.db, null, customer.division);
  const accounts = [];
  for (const account of statement.accounts) {
    accounts.push(...accountBlocks(account, house.language), ...(account.closing_minor <= 0 ? []
      : await howToPay(ctx, { ...account, number: customer.number, license_rep_id: null })));
  }
  const content = await renderPdf({
    title: `Statement of account ${customer.number}`, paper: 'account_statement', language: house.language,
    sender: house.lines,
    recipient: [customer.name, ...addressLines(customer.address)], made_at: ctx.now(),
    footer: `${house.name} · Statement of account ${customer.number}`,
    blocks: [
      { kind: 'title', text: 'Statement of account' },
      { kind: 'facts', rows: [['Account', customer.number],
        ['Period', periodFor(house.language, statement.from, statement.to)],
        ...(person ? [['Questions', [person.name, person.phone, person.email].filter(Boolean).join(', ')] as const]
          : [])] },
      ...(statement.accounts.length === 0
        ? [{ kind: 'text' as const, text: 'Nothing was billed or paid in this period.' }]
        : accounts),
    ],
  });
  return { filename: `statement-${customer.number}-${statement.to}.pdf`, content_type: 'application/pdf', content,
    inline: true };
}

function accountBlocks(account: Account, language: Language): PdfBlock[] {
  return [{ kind: 'heading', text: `${account.division}, ${account.currency}` }, {
    kind: 'table',
    columns: [{ label: 'Date', width: 22 }, { label: 'Document', width: 38 }, { label: 'Amount', width: 20,
      align: 'right' },
      { label: 'Balance', width: 20, align: 'right' }],
    rows: [['', 'Brought forward', '', formatMinor(BigInt(account.opening_minor))],
      ...account.lines.map((line) => [dateFor(language, line.on), moveText(line, language),
        formatMinor(BigInt(line.amount_minor)), formatMinor(BigInt(line.balance_minor))])],
    totals: [['', 'Balance', '', formatMoney(account.closing_minor, account.currency)]],
  }, ...depositBlocks(account, language)];
}

const DEPOSITS: Record<DepositLine['kind'], string> = { received: 'Received', applied: 'Applied to',
  refund_due: 'To be refunded,', refunded: 'Refunded,', kept: 'Kept,' };

/** Deposits are the customer's money: a table of their own, nothing where none was ever held. */
function depositBlocks({ deposits, currency }: Account, language: Language): PdfBlock[] {
  if (deposits.opening_minor === 0 && deposits.lines.length === 0) return [];
  return [{ kind: 'heading', text: 'Deposits that we hold for you, not part of the balance' }, {
    kind: 'table',
    columns: [{ label: 'Date', width: 22 }, { label: 'Deposit', width: 38 }, { label: 'Amount', width: 20,
      align: 'right' }, { label: 'Held', width: 20, align: 'right' }],
    rows: [...deposits.opening_minor === 0 ? []
      : [['', 'Brought forward', '', formatMinor(BigInt(deposits.opening_minor))]],
    ...deposits.lines.map((line) => [dateFor(language, line.on),
      line.number === null ? DEPOSITS[line.kind].replace(/,| to$/, '') : `${DEPOSITS[line.kind]} ${line.number}`,
      formatMinor(BigInt(line.amount_minor)), formatMinor(BigInt(line.balance_minor))])],
    totals: [['', 'Deposits held', '', formatMoney(deposits.closing_minor, currency)]],
  }];
}

function moveText(line: Account['lines'][number], language: Language): string {
  const kind = line.kind === 'write_off' && line.amount_minor > 0 ? 'Write-off taken back,'
    : line.kind === 'credit_note' && language === 'en-GB' ? 'Credit note' : KINDS[line.kind];
  const named = line.number === null ? kind.replace(',', '') : `${kind} ${line.number}`;
  return [named, setOffWords(line)].filter(Boolean).join(', ');
}

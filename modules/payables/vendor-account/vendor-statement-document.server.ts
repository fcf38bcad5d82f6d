/** The statement of what is open with a vendor as PDF, one table per division and currency. */
import { addressLines } from '#kernel/address/address-lines.ts';
import { dateFor } from '#kernel/calendar/calendar.ts';
import type { Language } from '#kernel/money/division.ts';
import { formatMinor, formatMoney } from '#kernel/money/money.ts';
import type { Address } from '#kit/field.ts';
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import type { FileAnswer, WorkContext } from '#server/context.ts';
import { renderPdf, type PdfBlock } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import type { VendorAccount } from './vendor-account.contract.ts';
import { vendorStatement } from './vendor-statement.server.ts';

export async function vendorStatementDocument(
  ctx: WorkContext, id: number, asOf: string | undefined,
): Promise<FileAnswer> {
  const statement = await vendorStatement(ctx, id, asOf);
  const vendor = await ctx.db.one<{ division: string; name: string; address: Partial<Address> | null;
    number: string }>(sql`
    select divisions[1] as division, coalesce(legal_name, name) as name, address, number
    from vendors where id = ${id}`);
  const house = await letterHead(ctx.db, vendor.division);
  const { language } = house;
  const content = await renderPdf({
    title: `Statement of account ${vendor.number}`, paper: 'vendor_statement', language,
    sender: house.lines,
    recipient: [vendor.name, ...addressLines(vendor.address)], made_at: ctx.now(),
    footer: `${house.name} · Statement of account ${vendor.number}`,
    blocks: [
      { kind: 'title', text: 'Statement of account' },
      { kind: 'facts', rows: [['Vendor', vendor.number], ['As of', dateFor(language, statement.as_of)]] },
      ...(statement.accounts.length === 0
        ? [{ kind: 'text' as const, text: 'Nothing was billed or paid until this day.' }]
        : statement.accounts.flatMap((account) => blocksOf(account, language))),
    ],
  });
  return { filename: `statement-${vendor.number}-${statement.as_of}.pdf`, content_type: 'application/pdf', content,
    inline: true };
}

function blocksOf(account: VendorAccount, language: Language): PdfBlock[] {
  const facts: [string, string][] = [['Overdue', formatMoney(account.overdue_minor, account.currency)]];
  return [{ kind: 'heading', text: `${account.division}, ${account.currency}` },
    ...(account.items.length === 0 ? [{ kind: 'text' as const, text: 'Nothing is open.' }] : [{
      kind: 'table' as const,
      columns: [{ label: 'Date', width: 22 }, { label: 'Document', width: 24 }, { label: 'Your number', width: 16 },
        { label: 'Due', width: 22 }, { label: 'Open', width: 16, align: 'right' as const }],
      rows: account.items.map((item) => [dateFor(language, item.opened_on), item.document, item.reference,
        item.open_minor > 0 ? dateFor(language, item.due_on) : '', formatMinor(BigInt(item.open_minor))]),
      totals: [['', 'Balance', '', '', formatMoney(account.total_minor, account.currency)]],
    }, { kind: 'facts' as const, rows: facts }])];
}

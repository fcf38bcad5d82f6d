/** A statement as its reader gets it: the thirteen steps, then every section (domain.md 3.6). */
import { addressLines } from '#kernel/address/address-lines.ts';
import { periodFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMinor, formatMoney, formatRate } from '#kernel/money/money.ts';
import { spellIn } from '#kernel/text/english.ts';
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { PdfBlock, PdfInput } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import type { StatementDetail } from './statement.contract.ts';
import { findStatement } from './read-statements.server.ts';

export async function statementPaper(ctx: WorkContext, id: number): Promise<PdfInput> {
  const statement = await findStatement(ctx.db, id);
  const house = await letterHead(ctx.db, statement.division);
  const reader = await ctx.db.one<{ name: string; address: Record<string, string> | null }>(sql`
    select coalesce(legal_name, name) as name, address from royaltors where id = ${statement.royaltor_id}`);
  return {
    title: `Royalty statement ${statement.number ?? ''}`.trim(), paper: 'royalty_statement', language: house.language,
    sender: house.lines,
    recipient: [reader.name, ...addressLines(reader.address)],
    footer: `${house.name} · Statement ${statement.number ?? 'draft'}`,
    made_at: statement.issued_at === null ? ctx.now() : new Date(statement.issued_at),
    blocks: blocks(statement),
  };
}

const SECTIONS: Record<string, string> = {
  performances: 'Performances by license', sales_and_rentals: 'Sales and rentals', streaming: 'Streaming',
  adjustments: 'Adjustments', reserves: 'Reserves', advances: 'Advances',
};

function blocks(statement: StatementDetail): PdfBlock[] {
  const money = (minor: number): string => formatMinor(BigInt(minor));
  return [
    { kind: 'title', text: `Royalty statement ${statement.number ?? ''}`.trim() },
    { kind: 'facts', rows: [
      ['Payee', statement.payee_name], ['Agreement', statement.subject],
      ['Period', periodFor(documentLanguage(statement.division), statement.period_from, statement.period_to)],
      ['Payment', formatMoney(statement.payable_minor, statement.currency)],
      ...(statement.self_billing_number === null ? []
        : [['Self-billing invoice', statement.self_billing_number] as const]),
    ] },
    { kind: 'heading', text: 'Summary' },
    { kind: 'table', columns: [{ label: '', width: 1 }, { label: 'Step', width: 4 }, { label: 'How', width: 6 },
      { label: 'Amount', width: 2, align: 'right' }],
    rows: statement.steps.map((step) => [step.step, step.label, step.formula, money(step.amount_minor)]) },
    ...Object.entries(SECTIONS).flatMap(([section, title]) => sectionBlocks(statement, section,
      spellIn(documentLanguage(statement.division))(title))),
    ...(statement.carried_reason === null ? [] : [{ kind: 'text' as const, text: statement.carried_reason }]),
  ];
}

function sectionBlocks(statement: StatementDetail, section: string, title: string): PdfBlock[] {
  const lines = statement.lines.filter((line) => line.section === section);
  if (lines.length === 0) return [];
  const money = (minor: number | null): string => (minor === null ? '' : formatMinor(BigInt(minor)));
  return [
    { kind: 'heading', text: title },
    { kind: 'table', columns: [{ label: 'Description', width: 5.5 },
      { label: 'Performances', width: 1.8, align: 'right' },
      { label: 'Gross', width: 2, align: 'right' }, { label: 'Base', width: 2, align: 'right' },
      { label: 'Rate', width: 1.5, align: 'right' }, { label: 'Amount', width: 2, align: 'right' }],
    rows: lines.map((line) => [line.description, line.performances === null ? '' : String(line.performances),
      money(line.gross_minor), money(line.base_minor), line.rate_ppm === null ? '' : formatRate(BigInt(line.rate_ppm)),
      money(line.amount_minor)]) },
  ];
}

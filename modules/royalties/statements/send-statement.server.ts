/** A statement mailed to the agent of its agreement: the PDF as it was issued, and its lines as CSV. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { minorToDecimal } from '#kernel/money/money.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { contactOf } from '#modules/identity/identity.public.server.ts';
import { storeFile } from '#modules/system/file.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { csvStream } from '#server/csv.ts';
import { oneLine, queueMail } from '#server/mail.ts';
import { sql } from '#server/sql.ts';
import { findStatement } from './read-statements.server.ts';
import type { StatementDetail } from './statement.contract.ts';

const HEAD = ['Section', 'Line', 'Production', 'From', 'To', 'Performances', 'Gross', 'Base', 'Rate %', 'Amount',
  'Currency'];
const decimal = (minor: number | null): string => (minor === null ? '' : minorToDecimal(BigInt(minor)));

/** Each line of the statement, then what is withheld and paid. */
export function statementCsvRows(statement: StatementDetail): string[][] {
  const lines = statement.lines.map((line) => [line.section.replaceAll('_', ' '), line.description,
    line.license_number ?? '', line.period_from ?? '', line.period_to ?? '',
    line.performances === null ? '' : String(line.performances), decimal(line.gross_minor), decimal(line.base_minor),
    line.rate_ppm === null ? '' : String(line.rate_ppm / 10_000), decimal(line.amount_minor), statement.currency]);
  const steps = statement.steps.map((step) => ['calculation', `${step.step} ${step.label}`, '', '', '', '', '', '', '',
    decimal(step.amount_minor), statement.currency]);
  const payments = statement.payments.map((payment) => ['payment',
    `${payment.number}, ${payment.payee_name}, ${payment.status}`, '', payment.paid_on, '', '',
    decimal(payment.gross_minor), '', '', decimal(payment.paid_minor), statement.currency]);
  return [...lines, ...steps, ...payments];
}

async function storeCsv(ctx: Ctx, statement: StatementDetail): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of csvStream(HEAD, statementCsvRows(statement))) pieces.push(Buffer.from(piece));
  const filename = `${statement.number}.csv`;
  const file = await storeFile(ctx, { filename, content: Buffer.concat(pieces) }, 'text/csv');
  return file.storage_key;
}

/** Mails it to the agent's own address; 409 before issue, without an agent, or without an address. */
export async function sendToAgent(ctx: Ctx, id: number): Promise<StatementDetail> {
  const statement = await findStatement(ctx.db, id);
  const file = await ctx.db.maybeOne<{ storage_key: string }>(sql`
    select f.storage_key from royalty_statements m join files f on f.id = m.document_id where m.id = ${id}`);
  if (!file || statement.number === null) {
    throw conflict('royalty_statement.not_issued', 'The statement has no document before it is issued.');
  }
  if (statement.agent === null) {
    throw conflict('royalty_statement.no_agent', 'The agreement names no agent.');
  }
  if (statement.agent.email === null) {
    throw conflict('royalty_statement.no_address', `Enter the email address of ${statement.agent.name} first.`);
  }
  const { number, agent } = statement;
  const name = oneLine(statement.royaltor_name);
  const sent = await queueMail(ctx.db, { template: 'royalty.statement', to: [statement.agent.email],
    subject: `Royalty statement ${number} of ${name}`, entity: 'royalty_statement', entity_id: id,
    letter: { greeting: oneLine(agent.name), contact: await contactOf(ctx.db, ctx.user.user_id),
      paragraphs: [`Royalty statement ${number} of ${name} for the period through ${dateFor(
        documentLanguage(statement.division), statement.period_to)} `
        + 'is attached, with its lines as a spreadsheet.'] },
    attachments: [
      { filename: `${number}.pdf`, content_type: 'application/pdf', storage_key: file.storage_key },
      { filename: `${number}.csv`, content_type: 'text/csv', storage_key: await storeCsv(ctx, statement) },
    ] });
  if (!sent) throw refuse('invalid', 'The mail could not be queued.');
  await ctx.audit({ action: 'send', entity: 'royalty_statement', entity_id: id, after: { recipients: [agent.email] } });
  return statement;
}

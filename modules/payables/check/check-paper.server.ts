/** A check on paper, and as a page to look at: a copy unless it was just printed, void where it is worth nothing. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { amountInWords, micrLine, protectedAmount, wordsOnLines } from '#kernel/payment-files/check-words.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { spellIn } from '#kernel/text/english.ts';
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import { renderChecks, type CheckPaper, type CheckSheet } from '#server/check-pdf.ts';
import type { Ctx, FileAnswer, WorkContext } from '#server/context.ts';
import { unseal } from '#server/secret.ts';
import { sql } from '#server/sql.ts';
import type { CheckDetail } from './check.contract.ts';
import type { CheckTemplate } from './check-template.contract.ts';
import { fontOf, templateOf } from './template-store.server.ts';

/** Minutes in which the person who printed a check gets the check itself; afterwards it is a copy. */
const PRINTING_MINUTES = 15;

const ACROSS: Readonly<Partial<Record<CheckDetail['state'], string>>> = {
  waiting: 'DRAFT', ready: 'DRAFT', spoiled: 'VOID', voided: 'VOID', stale: 'VOID',
};

interface AccountFacts {
  bank: string; bank_account_encrypted: Buffer | null; bank_routing_encrypted: Buffer | null;
  bank_key_id: string | null; number_kind: string | null;
}

/** Of an American account with its number alone; null elsewhere. */
async function micrOf(ctx: WorkContext, check: CheckDetail, facts: AccountFacts, template: CheckTemplate):
Promise<string | null> {
  const { bank_account_encrypted: account, bank_routing_encrypted: routing, bank_key_id: key_id } = facts;
  if (check.check_number === null || facts.number_kind !== 'us' || !account || !routing || key_id === null) return null;
  const open = (field: string, bytes: Buffer): string =>
    unseal(ctx.ports.settings, `bank_account:${check.bank_account_id}:${field}`, { bytes, key_id });
  return micrLine({ routing: open('bank_routing', routing), account: open('bank_account', account),
    number: Number(check.check_number) }, template.micr_signs).line;
}

/** The check itself for the person who printed it a moment ago, else a copy. */
async function acrossOf(ctx: Ctx, check: CheckDetail): Promise<string | null> {
  const word = ACROSS[check.state];
  if (word !== undefined) return word;
  const since = new Date(ctx.now().getTime() - PRINTING_MINUTES * 60_000).toISOString();
  const own = await ctx.db.maybeOne(sql`
    select 1 from check_printings where check_id = ${check.id} and printed_by_id = ${ctx.actor.actor_id}
      and created_at >= ${since}`);
  return own ? null : 'COPY';
}

/** Gross and tax below the documents, where tax is withheld; the total is what the check says. */
function withheldRows({ amount_minor, withheld_minor }: CheckDetail): (readonly [string, string, string])[] {
  return withheld_minor === 0 ? [] : [['', 'Gross', formatMinor(BigInt(amount_minor + withheld_minor))],
    ['', 'Backup withholding', formatMinor(BigInt(-withheld_minor))]];
}

/** 'Check 1001', in British papers 'Cheque 1001'. */
const labelOf = ({ division, check_number: number }: CheckDetail): string =>
  `${spellIn(documentLanguage(division))`Check`} ${number ?? ''}`.trim();

async function paperOf(ctx: Ctx, check: CheckDetail, template: CheckTemplate): Promise<CheckPaper> {
  const language = documentLanguage(check.division);
  const house = await letterHead(ctx.db, check.division);
  const facts = await ctx.db.one<AccountFacts>(sql`
    select n.name as bank, b.bank_account_encrypted, b.bank_routing_encrypted, b.bank_key_id, b.number_kind
    from bank_accounts b join banks n on n.id = b.bank_id where b.id = ${check.bank_account_id}`);
  const limit = template.second_signature_above_minor;
  return {
    number: check.check_number ?? '', label: labelOf(check),
    date: check.checked_on === null ? '' : dateFor(language, check.checked_on),
    payee: check.payee, address: check.payee_lines, figure: protectedAmount(BigInt(check.amount_minor)),
    words: wordsOnLines(`${amountInWords(BigInt(check.amount_minor))} ${'*'.repeat(8)}`, 90).slice(0, 2),
    memo: check.memo, signatures: limit !== null && check.amount_minor > limit ? 2 : 1,
    stub: { rows: check.parts.map((part) => [dateFor(language, part.opened_on), part.description.slice(0, 70),
      formatMinor(BigInt(part.amount_minor))] as const), sums: withheldRows(check),
    total: formatMinor(BigInt(check.amount_minor)) },
    blank: template.is_blank_stock ? { house: house.lines, bank: [facts.bank] } : null,
    micr: await micrOf(ctx, check, facts, template), across: await acrossOf(ctx, check),
  };
}

const named = (checks: readonly CheckDetail[]): string => checks.length === 1
  ? `check-${checks[0]!.check_number ?? checks[0]!.payment_number ?? checks[0]!.id}` : `checks-${checks.length}`;

/** Checks of one bank account, one on each page. */
export async function checkPdf(ctx: Ctx, checks: readonly CheckDetail[]): Promise<FileAnswer> {
  const template = await templateOf(ctx, checks[0]!.bank_account_id);
  const sheet: CheckSheet = {
    title: checks.map(labelOf).join(', '), made_at: ctx.now(),
    offset_mm: { x: template.offset_x_mm, y: template.offset_y_mm }, alignment: false,
    micr_font: await fontOf(ctx, checks[0]!.bank_account_id), checks: [],
  };
  const papers: CheckPaper[] = [];
  for (const check of checks) papers.push(await paperOf(ctx, check, template));
  return { filename: `${named(checks)}.pdf`, content_type: 'application/pdf', inline: true,
    content: await renderChecks({ ...sheet, checks: papers }) };
}

export async function alignmentPdf(ctx: Ctx, account: number): Promise<FileAnswer> {
  const { offset_x_mm: x, offset_y_mm: y } = await templateOf(ctx, account);
  return { filename: 'check-alignment.pdf', content_type: 'application/pdf', inline: true,
    content: await renderChecks({ title: 'Alignment of checks', made_at: ctx.now(), offset_mm: { x, y },
      micr_font: null, checks: [], alignment: true }) };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const text = (value: string): string => value.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/** Plain HTML without script, for the browser's own printer; never the check itself. */
export async function checkHtml(ctx: Ctx, check: CheckDetail): Promise<FileAnswer> {
  const paper = await paperOf(ctx, check, await templateOf(ctx, check.bank_account_id));
  const rows = paper.stub.rows.map((row) => `<tr>${row.map((cell) => `<td>${text(cell)}</td>`).join('')}</tr>`);
  const content = `<!doctype html><html lang="${documentLanguage(check.division)}"><meta charset="utf-8">
<title>${text(paper.label)}</title>
<h1>${text(paper.label)}</h1>
<p><strong>${text(paper.across ?? 'COPY')}</strong></p>
<p>${text(paper.date)}</p>
<p>Pay to the order of <strong>${text(paper.payee)}</strong> ${text(paper.figure)}</p>
<p>${text(paper.words.join(' '))}</p>
<address>${paper.address.map(text).join('<br>')}</address>
<p>${text(paper.memo)}</p>
<table><thead><tr><th>Date</th><th>Document</th><th>Amount</th></tr></thead><tbody>${rows.join('')}</tbody></table>
</html>`;
  return { filename: `${named([check])}.html`, content_type: 'text/html; charset=utf-8',
    content: Buffer.from(content, 'utf8') };
}

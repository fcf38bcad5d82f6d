/** Lines of a bill as they are stored: account, tax with its treatment, what the line is for. */
import { invalid, type FieldErrors } from '#kit/errors.ts';
import { applyPpm, formatMinor, formatRate } from '#kernel/money/money.ts';
import { isCharged, type TaxTreatment } from '#kernel/ledger/payable-events.ts';
import { purchaseRate } from '#modules/taxation/taxation.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { BillChoices, BillLineInput } from './bill.contract.ts';

export interface ReadyLine extends Omit<BillLineInput, 'tax_minor' | 'rate_ppm'> {
  treatment: TaxTreatment;
  rate_ppm: number;
  tax_minor: number;
}

interface Account { id: number; open: boolean; pays_authority: boolean }
interface Code { id: number; kind: string; active: boolean }
interface Header { division: string; billed_on: string }

/** Accounts that a bill may be posted to: neither cash nor a sub-ledger, of no party but the vendor. */
const USABLE = sql`(active and not is_cash and not has_open_items
  and (party_types is null or 'vendor' = any (party_types)))`;

/** Tax that is owed to an authority: what was withheld or collected, and the balance of a return. */
export const OWED_TAX = sql`(active
  and system_key in ('sales_tax', 'wht_payable', 'oss_vat', 'use_tax', 'vat_control'))`;

/** Most by which the tax of a line on the document may differ from its rate, in minor units. */
const ROUNDING = 100;

/** @throws 422 at `lines.N.field` for everything that is wrong, all at once */
export async function readyLines(
  ctx: Pick<WorkContext, 'db'>, bill: Header, lines: readonly BillLineInput[],
): Promise<ReadyLine[]> {
  const errors: FieldErrors = {};
  const note = (k: number, field: string, text: string): void => { errors[`lines.${k}.${field}`] = [text]; };
  const { home, accounts, codes, known } = await referencesOf(ctx, bill, lines);
  const paysTax = lines.some((line) => accounts.get(line.ledger_account_id)?.pays_authority);
  const ready: ReadyLine[] = [];
  for (const [k, line] of lines.entries()) {
    const account = accounts.get(line.ledger_account_id);
    if (!account?.open) note(k, 'ledger_account_id', 'Choose an active account of the division that bills can use');
    for (const field of ['show_id', 'license_id', 'material_id'] as const) {
      if (line[field] !== null && !known[field].has(line[field])) note(k, field, 'This does not exist');
    }
    const code = line.tax_code_id === null ? null : codes.get(line.tax_code_id) ?? null;
    if (line.tax_code_id !== null && !code?.active) note(k, 'tax_code_id', 'Choose an active tax code of the division');
    const taxed = account?.pays_authority ? authorityOf(line) : await taxOf(ctx, { bill, home, line, code });
    if ('field' in taxed) note(k, taxed.field, taxed.problem);
    else if (paysTax && taxed.treatment !== 'none') {
      note(k, 'tax_code_id', 'Tax that is owed to an authority is on a bill of its own');
    }
    else ready.push({ ...line, ...taxed });
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return ready;
}

/** Total owed to the vendor. */
export function totalsOf(lines: readonly ReadyLine[]): { net_minor: number; tax_minor: number } {
  return {
    net_minor: lines.reduce((all, line) => all + line.net_minor, 0),
    tax_minor: lines.reduce((all, line) => all + (isCharged(line.treatment) ? line.tax_minor : 0), 0),
  };
}

async function referencesOf(ctx: Pick<WorkContext, 'db'>, bill: Header, lines: readonly BillLineInput[]) {
  const { home } = await ctx.db.one<{ home: string }>(sql`
    select home_country as home from divisions where code = ${bill.division}`);
  const accounts = await ctx.db.query<Account>(sql`
    select id, coalesce(${USABLE} or ${OWED_TAX}, false) as open, coalesce(${OWED_TAX}, false) as pays_authority
    from ledger_accounts where division = ${bill.division}
      and id = any (${lines.map((line) => line.ledger_account_id)}::bigint[])`);
  const codes = await ctx.db.query<Code>(sql`
    select id, kind, active from tax_codes where division = ${bill.division}`);
  const present = async (
    table: 'shows' | 'licenses' | 'materials', field: 'show_id' | 'license_id' | 'material_id',
  ) => {
    const ids = lines.flatMap((line) => line[field] ?? []);
    const from = { shows: sql`shows`, licenses: sql`licenses`, materials: sql`materials` }[table];
    const rows = ids.length === 0 ? [] : await ctx.db.query<{ id: number }>(sql`
      select id from ${from} where id = any (${ids}::bigint[])`);
    return new Set(rows.map((row) => row.id));
  };
  return {
    home, accounts: new Map(accounts.map((row) => [row.id, row])), codes: new Map(codes.map((row) => [row.id, row])),
    known: { show_id: await present('shows', 'show_id'), license_id: await present('licenses', 'license_id'),
      material_id: await present('materials', 'material_id') },
  };
}

type Taxed = Pick<ReadyLine, 'treatment' | 'rate_ppm' | 'tax_minor' | 'jurisdiction'>;
type Problem = { field: 'tax_code_id' | 'jurisdiction' | 'rate_ppm' | 'tax_minor'; problem: string };

/** By the kind of the code: a code that charges nothing here leaves the line without tax. */
function treatmentOf(kind: string): TaxTreatment | null {
  switch (kind) {
    case 'standard': case 'reduced': case 'zero': return 'recoverable';
    case 'sales_tax': return 'cost';
    case 'reverse_charge': case 'use_tax': return kind;
    case 'exempt': case 'outside_scope': return 'none';
    default: return null;
  }
}

/** A line that pays an authority has no tax of its own; the place says which authority. */
function authorityOf(line: BillLineInput): Taxed | Problem {
  if (line.tax_code_id !== null) return { field: 'tax_code_id', problem: 'Tax that is owed has no tax code' };
  if (line.jurisdiction === null) return { field: 'jurisdiction', problem: 'Enter the country or state it is owed to' };
  return { treatment: 'none', rate_ppm: 0, tax_minor: 0, jurisdiction: line.jurisdiction };
}

async function taxOf(ctx: Pick<WorkContext, 'db'>, of: {
  bill: Header; home: string; line: BillLineInput; code: Code | null;
}): Promise<Taxed | Problem> {
  const { line, code } = of;
  if (code === null) {
    return line.tax_minor ? { field: 'tax_code_id', problem: 'Choose the tax code of this tax' }
      : { treatment: 'none', rate_ppm: 0, tax_minor: 0, jurisdiction: null };
  }
  const treatment = treatmentOf(code.kind);
  if (treatment === null) return { field: 'tax_code_id', problem: 'This code is for sales only' };
  if (treatment === 'none') {
    return line.tax_minor ? { field: 'tax_minor', problem: 'This code has no tax' }
      : { treatment, rate_ppm: 0, tax_minor: 0, jurisdiction: null };
  }
  const jurisdiction = line.jurisdiction ?? of.home;
  if (treatment === 'use_tax' && !jurisdiction.startsWith('US-')) {
    return { field: 'jurisdiction', problem: 'Choose the state that the use tax is owed to' };
  }
  const rate = line.rate_ppm ?? await purchaseRate(ctx, { tax_code_id: code.id, jurisdiction, on: of.bill.billed_on });
  return atRate({ line, treatment, jurisdiction, rate });
}

/** US sales tax on a bill is what the vendor charged, whatever places it was charged for. */
function atRate(of: { line: BillLineInput; treatment: TaxTreatment; jurisdiction: string; rate: number | null }):
Taxed | Problem {
  const { line, treatment, jurisdiction, rate } = of;
  if (treatment === 'cost' && line.tax_minor !== null) {
    return { treatment, rate_ppm: line.rate_ppm ?? 0, tax_minor: line.tax_minor, jurisdiction };
  }
  if (rate === null) {
    return treatment === 'cost' ? { field: 'tax_minor', problem: 'Enter the tax as it is on the bill' }
      : { field: 'rate_ppm', problem: `No rate of ${jurisdiction} is entered for this day. Enter the rate` };
  }
  const exact = Number(applyPpm(BigInt(line.net_minor), BigInt(rate)));
  const tax = line.tax_minor ?? exact;
  if (Math.abs(tax - exact) > ROUNDING) {
    return { field: 'tax_minor', problem: `Tax at ${formatRate(BigInt(rate))} is ${formatMinor(BigInt(exact))}` };
  }
  return { treatment, rate_ppm: rate, tax_minor: tax, jurisdiction };
}

export async function choicesOf(ctx: Pick<WorkContext, 'db'>, division: string, on: string): Promise<BillChoices> {
  const accounts = await ctx.db.query<BillChoices['accounts'][number]>(sql`
    select id, code, name, coalesce(${OWED_TAX}, false) as pays_authority from ledger_accounts
    where division = ${division} and (${USABLE} or ${OWED_TAX}) order by class <> 'expense', code`);
  const codes = await ctx.db.query<{ id: number; name: string; kind: string; home: string }>(sql`
    select c.id, c.name, c.kind, d.home_country as home from tax_codes c join divisions d on d.code = c.division
    where c.division = ${division} and c.active and c.code <> 'NO_SUPPLY' order by c.id`);
  const taxCodes: BillChoices['tax_codes'] = [];
  for (const { id, name, kind, home } of codes) {
    const treatment = treatmentOf(kind);
    if (treatment === null) continue;
    const rated = treatment === 'recoverable' || treatment === 'reverse_charge';
    taxCodes.push({ id, name, treatment,
      rate_ppm: rated ? await purchaseRate(ctx, { tax_code_id: id, jurisdiction: home, on }) : null });
  }
  return { accounts, tax_codes: taxCodes };
}

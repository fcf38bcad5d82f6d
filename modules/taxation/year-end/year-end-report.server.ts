/** Year-end forms of a division and year: due, prepared and filed, what is missing, and the checks. */
import { addressLines } from '#kernel/address/address-lines.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import { sum } from '#kernel/money/money.ts';
import { standing } from '#kernel/tax/year-end-corrections.ts';
import { FORM_TITLES, formsOf, LEFT_OUT, payeeKey, problemsOf, withheldBox, type FormDraft, type YearEndForm,
  type YearEndPayee, type YearEndProblem } from '#kernel/tax/year-end-forms.ts';
import type { LayoutColumn } from '#kernel/tax/year-end-layout.ts';
import type { Division } from '#kernel/money/division.ts';
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { blockedBecause, nextOf, type NextStored } from './prepare-forms.server.ts';
import { payeeHref, yearFacts, type YearFacts, type YearOf } from './year-end-facts.server.ts';
import { layoutOf, thresholdsOf } from './year-end-rules.server.ts';
import { boxRows, filedForm, filingsOf, formsOfYear, plainBoxes, rowOfStored, storedForms }
  from './year-end-store.server.ts';
import type { YearEndFormDetail, YearEndFormRow, YearEndProblemRow, YearEndReport, YearEndSection }
  from './year-end.contract.ts';

/** The year asked for, else the last one that ended. */
export async function yearOf(ctx: WorkContext, query: { division: Division; year?: number | undefined }):
Promise<YearOf> {
  const { division } = query;
  return { division, year: query.year ?? Number((await ctx.today(division)).slice(0, 4)) - 1 };
}

function rowOfDraft(
  draft: FormDraft, facts: YearFacts, columns: readonly LayoutColumn[], more: Pick<YearEndFormRow, 'kind'
  | 'corrects_id' | 'sequence'>,
): YearEndFormRow {
  const { recipient } = draft;
  const key = payeeKey(recipient);
  return { id: null, key: `${key} ${draft.rate_ppm ?? ''}`, status: 'draft', ...more, recipient: key,
    href: payeeHref(key), name: recipient.name, tin_last4: facts.tax_ids.get(key)?.last4 ?? null,
    address: addressLines(recipient.address, 'US'), country: recipient.country,
    rate_ppm: draft.rate_ppm === null ? null : Number(draft.rate_ppm),
    boxes: boxRows(draft.form, plainBoxes(draft.boxes), columns),
    payments: new Set(draft.payments.map((part) => part.payment_id)).size };
}

/** A form that a preparation would store: a draft, or the one that was filed with zeros. */
function rowOfNext(
  form: YearEndForm, { next, replaces }: NextStored, facts: YearFacts, columns: readonly LayoutColumn[],
  sequence: number,
): YearEndFormRow {
  if (next.kind !== 'zero') {
    return rowOfDraft(next.draft, facts, columns, { sequence, kind: next.kind,
      corrects_id: next.kind === 'correction' ? next.corrects_id : null });
  }
  return { ...rowOfStored(form, replaces!, columns), id: null, key: `zero ${next.corrects_id}`, kind: 'correction',
    status: 'draft', sequence, corrects_id: next.corrects_id, payments: 0, boxes: boxRows(form, {}, columns) };
}

export async function sectionOf(
  ctx: WorkContext, of: YearOf, form: YearEndForm, facts: YearFacts,
): Promise<YearEndSection> {
  const asked = { ...of, form };
  const [layout, filings, stored] = [await layoutOf(ctx.db, form, of.year), await filingsOf(ctx.db, asked),
    await formsOfYear(ctx.db, asked)];
  const columns = layout?.columns ?? [];
  const waits = filings.some((one) => one.status === 'prepared');
  const next = waits ? [] : nextOf(ctx, asked, facts, stored);
  const rows = [...stored.map((one) => rowOfStored(form, one, columns)),
    ...next.map((one) => rowOfNext(form, one, facts, columns, filings.length))];
  // Current forms: filed or prepared ones that nothing corrects, and drafts.
  const known = standing(stored.map((one) => filedForm(ctx, one)));
  const replaced = new Set(next.map(({ replaces }) => replaces?.id));
  const boxes = [...known.filter((one) => !replaced.has(one.id)).map((one) => one.boxes),
    ...next.flatMap(({ next: one }) => (one.kind === 'zero' ? [] : [one.draft.boxes]))];
  const total = Object.fromEntries(boxRows(form, {}, columns).map(({ box }) =>
    [box, Number(sum(boxes.map((each) => each[box] ?? 0n)))]));
  return { form, title: FORM_TITLES[form], layout, filings, rows, totals: boxRows(form, total, columns),
    next: next.length, blocked: await blockedBecause(ctx, asked, filings, next.length) };
}

function problemRows(facts: YearFacts): YearEndProblemRow[] {
  const row = (draft: { form: YearEndForm }, payee: YearEndPayee, problem: YearEndProblem, minor: bigint) => ({
    key: `${draft.form} ${payeeKey(payee)} ${problem}`, name: payee.name, href: payeeHref(payeeKey(payee)),
    form: draft.form, problem, amount_minor: Number(minor) });
  const found = facts.forms.flatMap((draft) => {
    const amount = sum(draft.payments.map((part) => part.amount_minor));
    const payees = draft.members.map((key) => facts.payees.get(key)!);
    const shared = (kind: string): boolean => payees.filter((payee) => payee.kind === kind).length > 1;
    return [...payees.flatMap((payee) => problemsOf(draft, payee).map((problem) =>
      row(draft, payee, problem, amount))),
    ...(draft.form !== 'royalties' && (shared('royaltor') || shared('vendor'))
      ? [row(draft, draft.recipient, 'shared_tax_id', amount)] : [])];
  });
  const abroad = Map.groupBy(facts.left_out.filter((part) => part.reason === 'foreign_vendor'), (part) => part.payee);
  const all = [...found, ...[...abroad].map(([key, parts]) => row({ form: '1042_s' }, facts.payees.get(key)!,
    'foreign_vendor', sum(parts.map((part) => part.amount_minor))))];
  return [...new Map(all.map((one) => [one.key, one])).values()];
}

/** Forms and what is left out against the payments, read as the report of tax withheld reads them. */
async function checksOf(ctx: WorkContext, { division, year }: YearOf, facts: YearFacts):
Promise<YearEndReport['checks']> {
  const booked = await ctx.db.one<{ gross: number; withheld: number }>(sql`
    select coalesce(sum(coalesce(c.gross, round(p.amount_minor * coalesce(p.functional_rate, 1)) + p.withheld_minor)),
        0)::bigint as gross,
      coalesce(sum(coalesce(c.withheld, p.withheld_minor)), 0)::bigint as withheld
    from payments p left join lateral (select sum(x.paid_functional_minor + x.withheld_functional_minor) as gross,
        sum(x.withheld_functional_minor) as withheld
      from royalty_payment_conversions x where x.payment_id = p.id) c on p.kind <> 'vendor'
    where p.division = ${division} and p.direction = 'out' and p.status in ('posted', 'cleared')
      and (p.kind in ('royalty', 'royalty_advance') or (p.kind = 'vendor' and p.division in ('US', 'PROD')))
      and extract(year from case p.kind when 'vendor' then coalesce(p.value_on, p.paid_on) else p.paid_on end)
        = ${year}`);
  const boxes = facts.forms.flatMap((form) => Object.entries(form.boxes).map(([box, minor]) =>
    ({ isWithheld: box === withheldBox(form.form), minor })));
  const of = (isWithheld: boolean): bigint => sum(boxes.filter((box) => box.isWithheld === isWithheld)
    .map((box) => box.minor));
  const check = (name: string, expected: number, actual: bigint) =>
    ({ name, expected, actual: Number(actual), ok: expected === Number(actual) });
  return [
    check('boxes_equal_payments', booked.gross, of(false) + sum(facts.left_out.map((part) => part.amount_minor))),
    check('withheld_equals_payments', booked.withheld,
      of(true) + sum(facts.left_out.map((part) => part.withheld_minor))),
  ];
}

/** The number under which the division files, on a day of the year. */
export async function payerTin(ctx: WorkContext, { division, year }: YearOf): Promise<string | null> {
  const row = await ctx.db.maybeOne<{ number: string | null }>(sql`
    select number from tax_registrations where division = ${division} and scheme = 'ein'
      and valid_from <= make_date(${year}::int + 1, 12, 31) order by valid_from desc limit 1`);
  return row?.number ?? null;
}

export async function yearEndReport(ctx: WorkContext, of: YearOf): Promise<YearEndReport> {
  const facts = await yearFacts(ctx, of);
  const forms = [];
  for (const form of formsOf(of.division)) forms.push(await sectionOf(ctx, of, form, facts));
  const left = Map.groupBy(facts.left_out, (part) => part.reason);
  return { ...of, currency: FUNCTIONAL_CURRENCY[of.division], payer_tin: await payerTin(ctx, of), forms,
    problems: problemRows(facts),
    left_out: LEFT_OUT.flatMap((reason) => {
      const parts = left.get(reason) ?? [];
      return parts.length === 0 ? [] : [{ reason, payments: new Set(parts.map((part) => part.payment_id)).size,
        amount_minor: Number(sum(parts.map((part) => part.amount_minor))),
        withheld_minor: Number(sum(parts.map((part) => part.withheld_minor))) }];
    }),
    thresholds: (await thresholdsOf(ctx.db)).filter((row) => formsOf(of.division).includes(row.form)),
    checks: await checksOf(ctx, of, facts) };
}

export async function formDetail(ctx: WorkContext, id: number): Promise<YearEndFormDetail> {
  const [stored] = await storedForms(ctx.db, sql`o.id = ${id}`);
  if (!stored) throw refuse('not_found');
  const filing = await ctx.db.one<{ division: Division; tax_year: number; form: YearEndForm;
    columns: LayoutColumn[] }>(sql`
    select f.division, f.tax_year, f.form, l.columns from year_end_filings f
      join year_end_layouts l on l.id = f.layout_id where f.id = ${stored.filing_id}`);
  const paid = await ctx.db.query<YearEndFormDetail['paid'][number]>(sql`
    select x.payment_id, p.number, coalesce(p.value_on, p.paid_on) as paid_on, x.box, x.amount_minor, x.withheld_minor
    from year_end_form_payments x join payments p on p.id = x.payment_id where x.form_id = ${id}
    order by paid_on, p.id, x.box`);
  const { columns, ...of } = filing;
  return { ...rowOfStored(of.form, stored, columns), ...of, currency: FUNCTIONAL_CURRENCY[of.division], paid };
}

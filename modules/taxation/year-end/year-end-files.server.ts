/** Files of year-end forms: CSV with the boxes as heads, and the copy for the recipient. */
import { addressLines } from '#kernel/address/address-lines.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import { formatMoney, formatRate } from '#kernel/money/money.ts';
import { FORM_TITLES, formsOf, isUsDivision, type YearEndForm } from '#kernel/tax/year-end-forms.ts';
import { cellsOf, maskedTin, type LayoutColumn } from '#kernel/tax/year-end-layout.ts';
import type { Division } from '#kernel/money/division.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import type { Address } from '#kit/field.ts';
import { grants, type Permission } from '#kit/permission.ts';
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import { workContext, type Ctx, type FileAnswer, type WorkContext } from '#server/context.ts';
import { csvStream } from '#server/csv.ts';
import { renderPdf, type PdfInput } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import { draftsOf, yearFacts, type YearOf } from './year-end-facts.server.ts';
import { formDetail, payerTin } from './year-end-report.server.ts';
import { layoutOf } from './year-end-rules.server.ts';
import { bigBoxes, filingRow, formsOfYear, plainBoxes, storedForms, tinOf, type FormOf, type StoredForm }
  from './year-end-store.server.ts';

interface Payer { name: string; street: string; town: string; home_country: string; tin: string }

/** Street and town of an address, the country in the line of the town where it is abroad. */
function placeOf(address: Address | null): { street: string; town: string } {
  const street = [address?.thoroughfare, address?.premise].map((line) => line?.trim() ?? '').filter(Boolean);
  const town = addressLines(address ? { ...address, thoroughfare: '', premise: '' } : null, 'US');
  return { street: street.join(', '), town: town.join(', ') };
}

async function payerOf(ctx: WorkContext, of: YearOf): Promise<Payer> {
  const row = await ctx.db.one<{ name: string; address: Address; home_country: string }>(sql`
    select legal_entity_name as name, address, home_country from divisions where code = ${of.division}`);
  return { ...row, ...placeOf(row.address), tin: await payerTin(ctx, of) ?? '' };
}

type CsvForm = Pick<StoredForm, 'id' | 'kind' | 'sequence' | 'account' | 'name' | 'address' | 'country' | 'rate_ppm'
  | 'boxes' | 'payment_count' | 'recipient_kind'> & { tin: string; is_us_tin: boolean };

const isUsTin = (text: string): boolean => /^\d{9}$/.test(text.replace(/[^0-9A-Za-z]/g, ''));

function rowsOf(of: FormOf, payer: Payer, columns: readonly LayoutColumn[], forms: readonly CsvForm[]): string[][] {
  return forms.map((form) => cellsOf(columns, { form: of.form, year: of.year, id: form.id,
    is_correction: form.kind === 'correction', amendment: form.sequence, account: form.account, payer,
    recipient: { name: form.name, tin: form.tin, ...placeOf(form.address), country: form.country,
      is_us_tin: form.is_us_tin, legal_kind: form.recipient_kind },
    home_country: payer.home_country, rate_ppm: form.rate_ppm === null ? null : BigInt(form.rate_ppm),
    boxes: bigBoxes(form.boxes), payments: form.payment_count, currency: FUNCTIONAL_CURRENCY[of.division] }));
}

function csvOf(of: FormOf, columns: readonly LayoutColumn[], rows: string[][], marks: readonly string[]): FileAnswer {
  const name = [FORM_TITLES[of.form].toLowerCase().replaceAll(' ', '-'), of.division.toLowerCase(), of.year, ...marks];
  return { filename: `${name.join('-')}.csv`, content_type: 'text/csv; charset=utf-8',
    content: csvStream(columns.map((column) => column.head), rows) };
}

const unverified = (isConfirmed: boolean): string[] => (isConfirmed ? [] : ['unverified']);

/** All forms of a kind, corrections after what they correct; drafts where nothing is prepared. Tax numbers masked. */
export async function formsCsv(ctx: WorkContext, year: YearOf, form: YearEndForm | undefined): Promise<FileAnswer> {
  const of: FormOf = { ...year, form: form ?? formsOf(year.division)[0]! };
  if (!formsOf(of.division).includes(of.form)) {
    throw invalidField('form', `${of.division} has no form ${FORM_TITLES[of.form]}`);
  }
  const layout = await layoutOf(ctx.db, of.form, of.year);
  const columns = layout?.columns ?? [];
  const stored = await formsOfYear(ctx.db, of);
  const masked = (tin_last4: string | null, isUs: boolean) => ({ tin: maskedTin(tin_last4), is_us_tin: isUs });
  const forms = stored.length > 0
    ? stored.map((one) => ({ ...one, ...masked(one.tin_last4, isUsTin(tinOf(ctx, one) ?? '')) }))
    : await draftForms(ctx, of);
  return csvOf(of, columns, rowsOf(of, await payerOf(ctx, of), columns, forms), [
    ...(stored.length > 0 ? [] : ['draft']), ...unverified(layout?.confirmed_at != null)]);
}

async function draftForms(ctx: WorkContext, of: FormOf): Promise<CsvForm[]> {
  const facts = await yearFacts(ctx, of);
  return draftsOf(facts, of.form).map(({ recipient, ...draft }) => {
    const key = `${recipient.kind}:${recipient.id}`;
    const taxId = facts.tax_ids.get(key);
    return { id: 0, kind: 'original', sequence: 0, account: facts.accounts.get(key) ?? '', name: recipient.name,
      address: recipient.address as Address | null, country: recipient.country,
      rate_ppm: draft.rate_ppm === null ? null : Number(draft.rate_ppm), boxes: plainBoxes(draft.boxes),
      payment_count: new Set(draft.payments.map((part) => part.payment_id)).size,
      recipient_kind: recipient.legal_kind ?? null, tin: maskedTin(taxId?.last4 ?? null),
      is_us_tin: isUsTin(taxId?.text ?? '') };
  });
}

const TAX_NUMBERS: readonly Permission[] = ['royaltor.update', 'vendor.update'];

/** Whole tax numbers go to who may write them; who took the file is kept. */
export async function filingCsv(ctx: Ctx, id: number): Promise<FileAnswer> {
  const filing = await filingRow(ctx.db, id);
  if (!filing) throw refuse('not_found');
  if (ctx.user.role === 'staff_user' && !TAX_NUMBERS.every((one) => grants(ctx.user.permissions, one))) {
    throw refuse('forbidden', 'The file holds whole tax numbers: you need the right to change royaltors and vendors.');
  }
  const of: FormOf = { division: filing.division, year: filing.tax_year, form: filing.form };
  const { columns } = await ctx.db.one<{ columns: LayoutColumn[] }>(sql`
    select l.columns from year_end_filings f join year_end_layouts l on l.id = f.layout_id where f.id = ${id}`);
  const forms = (await storedForms(ctx.db, sql`o.filing_id = ${id}`)).map((one) => {
    const tin = tinOf(ctx, one) ?? '';
    return { ...one, tin, is_us_tin: isUsTin(tin) };
  });
  const answer = csvOf(of, columns, rowsOf(of, await payerOf(ctx, of), columns, forms), [
    ...(filing.sequence === 0 ? [] : [`corrections-${filing.sequence}`]), ...unverified(filing.layout_confirmed)]);
  await ctx.ports.db.tx((tx) => workContext(ctx.ports, tx, ctx.actor).audit({ action: 'download',
    entity: 'year_end_filing', entity_id: id, after: { file: answer.filename } }));
  return answer;
}

/** With the last four digits of the tax number; drawn as every paper of the house is. */
export async function recipientCopy(ctx: WorkContext, id: number): Promise<FileAnswer> {
  const form = await formDetail(ctx, id);
  const house = await letterHead(ctx.db, form.division as Division);
  const us = isUsDivision(form.division as Division);
  const title = us ? `Form ${FORM_TITLES[form.form]}, ${form.tax_year}` : `Royalties paid in ${form.tax_year}`;
  const number = us ? 'TIN' : 'tax number';
  const payer = await payerTin(ctx, { division: form.division as Division, year: form.tax_year });
  const { account, prepared_at } = await ctx.db.one<{ account: string; prepared_at: string }>(sql`
    select o.account, f.prepared_at from year_end_forms o join year_end_filings f on f.id = o.filing_id
    where o.id = ${id}`);
  const paper: PdfInput = { title, paper: 'year_end_form', language: house.language, sender: house.lines,
    recipient: [form.name, ...form.address], footer: `${house.name} · ${title} · ${account}`,
    made_at: new Date(prepared_at), blocks: [
      { kind: 'title', text: title },
      { kind: 'text', text: `Copy for the recipient${form.kind === 'correction' ? ' · CORRECTED' : ''}` },
      { kind: 'facts', rows: [['Payer', house.name],
        ...(payer === null ? [] : [[`Payer’s ${number}`, payer] as const]),
        ['Recipient', form.name], [`Recipient’s ${number}`, maskedTin(form.tin_last4) || 'None on file'],
        ['Account number', account],
        ...(form.rate_ppm === null ? [] : [['Tax rate', formatRate(BigInt(form.rate_ppm))] as const])] },
      { kind: 'table', columns: [{ label: 'Box', width: 60 }, { label: 'Amount', width: 20, align: 'right' }],
        rows: form.boxes.map((box) => [box.head, formatMoney(box.amount_minor, form.currency)]) },
      { kind: 'text', muted: true, text: us
        ? 'The amounts are also reported to the Internal Revenue Service. Keep this copy with your tax records.'
        : 'Keep this statement with your tax records.' },
    ] };
  return { filename: `${FORM_TITLES[form.form].toLowerCase().replaceAll(' ', '-')}-${form.tax_year}-${account}.pdf`,
    content_type: 'application/pdf', content: await renderPdf(paper), inline: true };
}

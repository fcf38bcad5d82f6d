/** Filings of year-end forms and the forms in them, as they were prepared. */
import { addressLines } from '#kernel/address/address-lines.ts';
import type { FiledForm } from '#kernel/tax/year-end-corrections.ts';
import { FORM_BOXES, type Boxes, type YearEndForm } from '#kernel/tax/year-end-forms.ts';
import type { LayoutColumn } from '#kernel/tax/year-end-layout.ts';
import type { Address } from '#kit/field.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { unseal } from '#server/secret.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { FilingRow, YearEndFormRow } from './year-end.contract.ts';
import { payeeHref, plainTaxId, type YearOf } from './year-end-facts.server.ts';

export type FormOf = YearOf & { form: YearEndForm };

const filings = (db: Queryable, condition: Sql): Promise<FilingRow[]> => db.query<FilingRow>(sql`
  select f.id, f.division, f.tax_year, f.form, f.sequence, f.status,
    (select count(*)::int from year_end_forms o where o.filing_id = f.id) as forms, f.prepared_by_id,
    p.first_name || ' ' || p.last_name as prepared_by_name, f.prepared_at,
    g.first_name || ' ' || g.last_name as filed_by_name, f.filed_at, f.receipt, l.revision as layout_revision,
    l.confirmed_at is not null as layout_confirmed, f.version
  from year_end_filings f join users p on p.id = f.prepared_by_id left join users g on g.id = f.filed_by_id
    join year_end_layouts l on l.id = f.layout_id
  where ${condition} order by f.sequence`);

export const filingsOf = (db: Queryable, { division, year, form }: FormOf): Promise<FilingRow[]> =>
  filings(db, sql`f.division = ${division} and f.tax_year = ${year} and f.form = ${form}`);

export const filingRow = async (db: Queryable, id: number): Promise<FilingRow | undefined> =>
  (await filings(db, sql`f.id = ${id}`))[0];

export interface StoredForm {
  id: number;
  filing_id: number;
  kind: 'original' | 'correction';
  corrects_id: number | null;
  status: 'prepared' | 'filed';
  sequence: number;
  recipient: string;
  members: string[];
  name: string;
  account: string;
  address: Address | null;
  country: string | null;
  tax_form: string;
  tin_encrypted: Buffer | null;
  tin_key_id: string | null;
  tin_last4: string | null;
  rate_ppm: number | null;
  boxes: Record<string, number>;
  payment_count: number;
  recipient_kind: string | null;
}

export function storedForms(db: Queryable, condition: Sql): Promise<StoredForm[]> {
  return db.query<StoredForm>(sql`
    select o.id, o.filing_id, o.kind, o.corrects_id, f.status, f.sequence, o.recipient, o.members, o.name, o.account,
      o.address, o.country, o.tax_form, o.tin_encrypted, o.tin_key_id, o.tin_last4, o.rate_ppm, o.boxes,
      o.payment_count, o.recipient_kind
    from year_end_forms o join year_end_filings f on f.id = o.filing_id
    where ${condition} order by f.sequence, o.name collate "und-x-icu", o.id`);
}

export const formsOfYear = (db: Queryable, { division, year, form }: FormOf): Promise<StoredForm[]> =>
  storedForms(db, sql`f.division = ${division} and f.tax_year = ${year} and f.form = ${form}`);

export const tinOwner = (form: Pick<StoredForm, 'filing_id' | 'recipient'>): string =>
  `year_end_filing:${form.filing_id}:${form.recipient}`;

/** The whole tax id as it was when the form was prepared; null: none was known. */
export function tinOf(ctx: WorkContext, form: StoredForm): string | null {
  const { tin_encrypted: bytes, tin_key_id: key_id } = form;
  return bytes === null || key_id === null ? null
    : unseal(ctx.ports.settings, tinOwner(form), { bytes, key_id });
}

export const bigBoxes = (boxes: Record<string, number>): Boxes =>
  Object.fromEntries(Object.entries(boxes).map(([box, minor]) => [box, BigInt(minor)]));
export const plainBoxes = (boxes: Boxes): Record<string, number> =>
  Object.fromEntries(Object.entries(boxes).map(([box, minor]) => [box, Number(minor)]));

export function filedForm(ctx: WorkContext, form: StoredForm): FiledForm {
  const tin = tinOf(ctx, form);
  return { id: form.id, corrects_id: form.corrects_id, members: form.members, name: form.name,
    tax_id: tin === null ? null : plainTaxId(tin), boxes: bigBoxes(form.boxes),
    rate_ppm: form.rate_ppm === null ? null : BigInt(form.rate_ppm) };
}

/** Boxes of a form with their heads, in the order of the form. */
export function boxRows(form: YearEndForm, boxes: Record<string, number>, columns: readonly LayoutColumn[]):
YearEndFormRow['boxes'] {
  const heads = new Map(columns.map((column) => [column.key, column.head]));
  return FORM_BOXES[form].map((box) => ({ box, head: heads.get(`box_${box}`) ?? box,
    amount_minor: boxes[box] ?? 0 }));
}

export function rowOfStored(form: YearEndForm, stored: StoredForm, columns: readonly LayoutColumn[]): YearEndFormRow {
  return { id: stored.id, key: `form ${stored.id}`, kind: stored.kind, status: stored.status,
    corrects_id: stored.corrects_id, sequence: stored.sequence, recipient: stored.recipient,
    href: payeeHref(stored.recipient), name: stored.name, tin_last4: stored.tin_last4,
    address: addressLines(stored.address, 'US'), country: stored.country, rate_ppm: stored.rate_ppm,
    boxes: boxRows(form, stored.boxes, columns), payments: stored.payment_count };
}

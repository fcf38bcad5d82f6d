/**
 * The tax of documents of the US divisions with a US ship-to, as the tax service determines it. It is asked outside of
 * the transaction; its answer is stored with the document under a fingerprint of the question, and serves at issue
 * while the document still asks the same. Where it does not answer, the tax of our own tables stands and the document
 * is marked. Licenses and fees are services, which our own tables decide.
 */
import { NO_TAX_REASONS } from '#kernel/tax/determine.ts';
import { localJurisdiction } from '#kernel/tax/zip.ts';
import { splitByWeight } from '#kernel/money/split.ts';
import type { ItemClass } from '#kernel/money/priced-line.ts';
import { conflict } from '#kit/errors.ts';
import type { Address } from '#kit/field.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { keyOf, outside } from '#server/outside.ts';
import { sql } from '#server/sql.ts';
import type { TaxedLine, TaxedPart, TaxSource } from '../determination/determine-tax.server.ts';
import { toAmount, toMinor } from './own-taxes.server.ts';
import { readTaxes } from './read-answers.server.ts';
import type { ServiceTax } from './service-answers.server.ts';
import { callService, ServiceRefused, ServiceSilent, type ServiceSettings } from './service-call.server.ts';
import type { TaxCalculation, TaxPortion } from './tax-service.contract.ts';

/** Category of the service by our class; null: taxed in full, as goods are that have no category of their own. */
const CATEGORIES: Partial<Record<ItemClass, string | null>> = { rental: null, printed_script: null, printed_music: null,
  merchandise: null, e_publication: '31000', digital_music: '31000', tracks: '31000', logo: '31000' };

export interface DocumentQuestion {
  division: string;
  customer_id: number;
  /** Tax point. */
  on: string;
  ship_to?: Address | null | undefined;
  lines: readonly { item_class: ItemClass; net_minor: number; tax_free?: boolean | undefined }[];
  /** By our own tables, in the order of the lines. */
  own: readonly TaxedLine[];
}

/** Goods and files that the service decides, and their delivery. */
const isServed = (question: DocumentQuestion, k: number): boolean => {
  const line = question.lines[k]!;
  return line.net_minor > 0 && line.tax_free !== true && question.own[k]!.code !== 'NO_SUPPLY'
    && (line.item_class === 'shipping' || CATEGORIES[line.item_class] !== undefined);
};

/** The lines with the source of their tax: undefined without a service, null if the service has no say in them. */
export async function determineByService(ctx: WorkContext, question: DocumentQuestion): Promise<TaxedLine[]> {
  const settings = ctx.ports.settings.tax_service;
  if (settings === null) return [...question.own];
  const { lines, source } = await askService(ctx, settings, question);
  return lines.map((line) => ({ ...line, source }));
}

async function askService(ctx: WorkContext, settings: ServiceSettings, question: DocumentQuestion):
Promise<{ lines: readonly TaxedLine[]; source: TaxSource | null }> {
  const own = { lines: question.own, source: null };
  if (question.division !== 'US' && question.division !== 'PROD') return own;
  const served = question.lines.map((_, k) => k).filter((k) => isServed(question, k));
  if (!served.some((k) => question.lines[k]!.item_class !== 'shipping')) return own;
  const body = await askOf(ctx, question, served);
  if (body === null) return own;
  const fingerprint = keyOf('document tax', question.on, body);
  try {
    const answer = await answerTo(ctx, settings, fingerprint, body);
    const lines = await linesBy(ctx, question, served, readAnswer(answer));
    return { lines, source: { fingerprint, determined_by: 'service', answer, problem: '' } };
  } catch (error) {
    if (!(error instanceof ServiceRefused || error instanceof ServiceSilent || error instanceof UnreadableAnswer)) {
      throw error;
    }
    ctx.ports.log('warn', 'tax service not used', { path: 'taxes', error: error.message });
    return { ...own, source: { fingerprint, determined_by: 'own', answer: null,
      problem: error.message.slice(0, 500) } };
  }
}

class UnreadableAnswer extends Error {}

function readAnswer(answer: ServiceTax): TaxCalculation {
  try {
    return readTaxes(answer);
  } catch (error) {
    throw new UnreadableAnswer('The answer of the tax service could not be read', { cause: error });
  }
}

/** Null where it does not ship within the United States. */
async function askOf(ctx: WorkContext, question: DocumentQuestion, served: readonly number[]): Promise<object | null> {
  const found = await ctx.db.one<{ ship_from: Address; ship_to: Address | null }>(sql`
    select d.address as ship_from, coalesce((select a.address from customer_shipping_addresses a
      where a.customer_id = c.id and a.is_default), c.billing_address) as ship_to
    from divisions d, customers c where d.code = ${question.division} and c.id = ${question.customer_id}`);
  const to = question.ship_to ?? found.ship_to;
  if (to?.country_code !== 'US') return null;
  const { ship_from: from } = found;
  const isExempt = served.some((k) => question.own[k]!.exemption_certificate_id !== null);
  const goods = served.filter((k) => question.lines[k]!.item_class !== 'shipping');
  const shipping = served.filter((k) => question.lines[k]!.item_class === 'shipping')
    .reduce((sum, k) => sum + question.lines[k]!.net_minor, 0);
  return {
    from_country: from.country_code, from_zip: from.postal_code, from_state: from.administrative_area,
    from_city: from.locality, from_street: from.thoroughfare, to_country: 'US', to_zip: to.postal_code,
    to_state: to.administrative_area, to_city: to.locality, to_street: to.thoroughfare,
    amount: toAmount(goods.reduce((sum, k) => sum + question.lines[k]!.net_minor, 0)), shipping: toAmount(shipping),
    ...(isExempt ? { exemption_type: 'other' } : {}),
    line_items: goods.map((k) => ({ id: String(k + 1), quantity: 1, discount: 0,
      unit_price: toAmount(question.lines[k]!.net_minor),
      ...(CATEGORIES[question.lines[k]!.item_class] ? { product_tax_code: CATEGORIES[question.lines[k]!.item_class] }
        : {}) })),
  };
}

/** The stored answer to the same question, or a new one, asked while no transaction is open. */
async function answerTo(ctx: WorkContext, settings: ServiceSettings, fingerprint: string, body: object):
Promise<ServiceTax> {
  const known = await ctx.db.maybeOne<{ answer: ServiceTax }>(sql`
    select answer from document_tax_answers where fingerprint = ${fingerprint} and determined_by = 'service' limit 1`);
  return known?.answer ?? outside(fingerprint, () =>
    callService<ServiceTax>(settings, { method: 'POST', path: 'taxes', body, tries: 2 }));
}

interface Codes { sales: { id: number; code: string }; none: { id: number; code: string } }

async function linesBy(ctx: WorkContext, question: DocumentQuestion, served: readonly number[], said: TaxCalculation):
Promise<TaxedLine[]> {
  const rows = await ctx.db.query<{ id: number; code: string }>(sql`
    select id, code from tax_codes where division = ${question.division} and code in ('SALES', 'NONE')`);
  const codes: Codes = { sales: rows.find((row) => row.code === 'SALES')!,
    none: rows.find((row) => row.code === 'NONE')! };
  const shipping = served.filter((k) => question.lines[k]!.item_class === 'shipping');
  const shares = shipping.length === 0 ? [] : splitByWeight(toMinor(said.breakdown?.shipping?.tax_collectable ?? 0),
    shipping.map((k) => BigInt(question.lines[k]!.net_minor)));
  return question.own.map((own, k) => {
    if (!served.includes(k)) return own;
    if (own.exemption_certificate_id !== null && said.amount_to_collect === 0) return own;
    const isShipping = shipping.includes(k);
    const portion = isShipping ? said.breakdown?.shipping ?? null
      : said.breakdown?.line_items.find((line) => line.id === String(k + 1)) ?? null;
    if (portion === null && said.amount_to_collect > 0 && !isShipping) {
      throw new UnreadableAnswer('The tax service left a line out');
    }
    const tax = isShipping ? shares[shipping.indexOf(k)]! : toMinor(portion?.tax_collectable ?? 0);
    return taxedLine(own, { net: question.lines[k]!.net_minor, tax, portion }, said, codes);
  });
}

const titled = (name: string): string => name.toLowerCase().replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

function taxedLine(
  own: TaxedLine, of: { net: number; tax: bigint; portion: TaxPortion | null }, said: TaxCalculation, codes: Codes,
): TaxedLine {
  const state = said.jurisdictions.state ?? own.jurisdiction.slice(3, 5);
  const rest = { jurisdiction: `US-${state}`, problem: null, ec_list: false, unknown_zip: null,
    exemption_certificate_id: null, legal_text: '' };
  if (of.tax === 0n || of.portion === null) {
    const reason = said.has_nexus ? `${NO_TAX_REASONS.not_taxable} ${state}, says the tax service`
      : `${NO_TAX_REASONS.not_registered} ${state}, says the tax service`;
    return { ...rest, code: codes.none.code, tax_code_id: codes.none.id, rate_ppm: 0, base_minor: of.net, tax_minor: 0,
      reason, parts: [{ tax_code_id: codes.none.id, tax_rate_id: null, jurisdiction: `US-${state}`, rate_ppm: 0,
        base_minor: of.net, tax_minor: 0 }] };
  }
  const parts = partsOf(of.portion, said, state, of.net);
  const shares = splitByWeight(of.tax, parts.map((part) => BigInt(part.rate_ppm)));
  return { ...rest, code: codes.sales.code, tax_code_id: codes.sales.id, base_minor: of.net, tax_minor: Number(of.tax),
    rate_ppm: parts.reduce((sum, part) => sum + part.rate_ppm, 0), reason: 'Determined by the tax service',
    parts: parts.map((part, k) => ({ ...part, tax_code_id: codes.sales.id, tax_minor: Number(shares[k]!) })) };
}

type Level = Omit<TaxedPart, 'tax_code_id' | 'tax_minor'>;

/** Levels that tax; one part at the whole rate where the answer names none. */
function partsOf(portion: TaxPortion, said: TaxCalculation, state: string, net: number): Level[] {
  const { county, city } = said.jurisdictions;
  const part = (jurisdiction: string, rate: number): Level => ({ tax_rate_id: null, jurisdiction,
    rate_ppm: Math.round(rate * 1_000_000), base_minor: net });
  const whole = portion.combined_tax_rate || said.rate;
  if (whole <= 0) throw new UnreadableAnswer('The tax service named a tax without its rate');
  const levels = [
    part(`US-${state}`, portion.state_tax_rate),
    part(localJurisdiction(state, titled(county ?? city ?? 'County'), 'county'), portion.county_tax_rate),
    part(localJurisdiction(state, titled(city ?? county ?? 'City'), 'city'), portion.city_tax_rate),
    part(localJurisdiction(state, titled(county ?? city ?? 'District'), 'district'), portion.special_tax_rate),
  ].filter((level) => level.rate_ppm > 0);
  return levels.length > 0 ? levels : [part(`US-${state}`, whole)];
}

/** Stores who determined the tax of a document; undefined: no service is set up, nothing is stored. */
export async function keepTaxSource(ctx: WorkContext, invoiceId: number, source: TaxSource | null | undefined):
Promise<void> {
  if (source === undefined) return;
  if (source === null) {
    await ctx.db.exec(sql`delete from document_tax_answers where invoice_id = ${invoiceId}`);
    return;
  }
  await ctx.db.exec(sql`
    insert into document_tax_answers (invoice_id, fingerprint, determined_by, answer, problem)
    values (${invoiceId}, ${source.fingerprint}, ${source.determined_by},
      ${source.answer === null ? null : JSON.stringify(source.answer)}::jsonb, ${source.problem})
    on conflict (invoice_id) do update set fingerprint = excluded.fingerprint,
      determined_by = excluded.determined_by, answer = excluded.answer, problem = excluded.problem,
      checked_by_id = null, checked_at = null`);
}

/** The invoice of a pro forma has its tax, and whoever determined it. */
export async function copyTaxSource(ctx: WorkContext, fromId: number, toId: number): Promise<void> {
  await ctx.db.exec(sql`
    insert into document_tax_answers (invoice_id, fingerprint, determined_by, answer, problem)
    select ${toId}, fingerprint, determined_by, answer, problem from document_tax_answers
    where invoice_id = ${fromId}`);
}

export interface TaxSourceOfDocument { determined_by: 'service' | 'own'; problem: string;
  checked_by_name: string | null; checked_at: string | null }

export function taxSourceOf(ctx: Pick<WorkContext, 'db'>, invoiceId: number): Promise<TaxSourceOfDocument | null> {
  return ctx.db.maybeOne<TaxSourceOfDocument>(sql`
    select a.determined_by, a.problem, u.first_name || ' ' || u.last_name as checked_by_name, a.checked_at
    from document_tax_answers a left join users u on u.id = a.checked_by_id where a.invoice_id = ${invoiceId}`);
}

/** A person has compared the tax that our own tables decided; once. */
export async function markTaxChecked(ctx: Ctx, invoiceId: number): Promise<void> {
  const row = await ctx.db.maybeOne(sql`
    update document_tax_answers set checked_by_id = ${ctx.user.user_id}, checked_at = ${ctx.now().toISOString()}
    where invoice_id = ${invoiceId} and determined_by = 'own' and checked_at is null returning invoice_id`);
  if (!row) throw conflict('tax_service.nothing_to_check', 'The tax of this document needs no check.');
  await ctx.audit({ action: 'check_tax', entity: 'invoice', entity_id: invoiceId });
}

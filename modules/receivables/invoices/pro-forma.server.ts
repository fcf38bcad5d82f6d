/**
 * Pro formas (domain.md 1, "what is invoiced when"): a reference, no number, no posting. An instalment of the payment
 * plan becomes one; its payment turns it into the tax invoice. A deposit instalment becomes a deposit request instead.
 */
import { conflict, invalidField } from '#kit/errors.ts';
import type { ItemClass } from '#kernel/money/priced-line.ts';
import { instalmentLines } from '#kernel/pricing/instalment-lines.ts';
import { spell } from '#kernel/text/english.ts';
import { copyTaxSource } from '#modules/taxation/taxation.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { tellOfProForma } from '../tell.server.ts';
import { requestDeposit } from '../deposits/request-deposit.server.ts';
import type { IncomeType, InvoiceItemKind, InvoiceLineInput, IssueInvoiceInput } from '../receivables-types.ts';
import { rateFor } from '../ledger/post.server.ts';
import { insertDraft, lockLicense } from './draft-invoice.server.ts';
import { readyLines, type LicenseDates } from './invoice-lines.server.ts';
import { lockInvoice, type InvoiceRecord } from './invoice-store.server.ts';
import { issueInvoice, postDraft, type PostedDraft } from './issue-invoice.server.ts';

export interface InstalmentInput {
  license_id: number;
  instalment_id: number;
  /** Day of issue; absent: the division's today. */
  on?: string;
  due_on?: string;
}

/** A pro forma of an instalment, or the request of its deposit. Refused where the instalment is billed already. */
export async function issueProForma(ctx: WorkContext, input: InstalmentInput):
Promise<{ invoice_id: number | null; deposit_id: number | null }> {
  const license = await lockLicense(ctx, input.license_id);
  const instalment = await lockInstalment(ctx, input);
  const on = input.on ?? await ctx.today(license.division);
  if (instalment.is_deposit) {
    const { deposit_id } = await requestDeposit(ctx, {
      license_id: license.id, kind: 'on_account', amount_minor: instalment.amount_minor, due_on: input.due_on ?? on });
    await ctx.ports.money.licensing.instalmentBilled(ctx, { instalment_id: instalment.id, deposit_id });
    return { invoice_id: null, deposit_id };
  }
  const lines = await readyLines(ctx, { customer_id: license.customer_id, division: license.division, on, license,
    lines: await linesOf(ctx, license, instalment) });
  const draft = await insertDraft(ctx, {
    kind: 'proforma', customer_id: license.customer_id, division: license.division, currency: license.currency,
    license, on, due_on: input.due_on ?? null, purchase_order_no: license.purchase_order_no, notes: '',
  }, lines);
  await ctx.ports.money.licensing.instalmentBilled(ctx, { instalment_id: instalment.id, proforma_id: draft.id });
  await ctx.audit({ action: 'create', entity: 'invoice', entity_id: draft.id, after: { kind: 'proforma', ...input } });
  await tellOfProForma(ctx, draft.id);
  return { invoice_id: draft.id, deposit_id: null };
}

/** A pro forma of lines that no licence brings: goods that are paid before they leave. Refused as their invoice is. */
export async function issueProFormaOf(ctx: WorkContext, input: Omit<IssueInvoiceInput, 'license_id' | 'deposit_ids'>):
Promise<{ invoice_id: number }> {
  const lines = await readyLines(ctx, { customer_id: input.customer_id, division: input.division, on: input.issued_on,
    license: null, lines: input.lines, ship_to: input.ship_to });
  const draft = await insertDraft(ctx, {
    kind: 'proforma', customer_id: input.customer_id, division: input.division, currency: input.currency, license: null,
    on: input.issued_on, due_on: input.due_on ?? null, purchase_order_no: input.purchase_order_no ?? null,
    ship_to: input.ship_to, notes: input.notes ?? '',
  }, lines);
  await ctx.audit({ action: 'create', entity: 'invoice', entity_id: draft.id, after: { kind: 'proforma', ...input } });
  await tellOfProForma(ctx, draft.id);
  return { invoice_id: draft.id };
}

/** Withdraws a pro forma that nobody has paid; 409 where it is paid or withdrawn already. */
export async function voidProForma(ctx: WorkContext, id: number, reason: string): Promise<void> {
  const document = await lockInvoice(ctx, id);
  if (document.kind !== 'proforma' || document.status !== 'proforma') {
    throw conflict('proforma.closed', `This pro forma is ${document.status}.`);
  }
  await voidOne(ctx, id, reason);
}

/** The tax invoice of an instalment without a payment: at execution, or when it falls due (domain.md 1). */
export async function issueInstalment(ctx: WorkContext, input: InstalmentInput):
Promise<{ invoice_id: number; transaction_id: number | null }> {
  const license = await lockLicense(ctx, input.license_id);
  const instalment = await lockInstalment(ctx, input, true);
  const on = input.on ?? await ctx.today(license.division);
  if (instalment.proforma_id !== null) await voidOne(ctx, instalment.proforma_id, 'Replaced by the tax invoice');
  const made = await issueInvoice(ctx, {
    license_id: license.id, customer_id: license.customer_id, division: license.division, currency: license.currency,
    issued_on: on, ...(input.due_on === undefined ? {} : { due_on: input.due_on }),
    lines: await linesOf(ctx, license, instalment),
  });
  await ctx.ports.money.licensing.instalmentBilled(ctx, { instalment_id: instalment.id,
    invoice_id: made.invoice_id });
  return made;
}

/**
 * The tax invoice of what a deposit on account pays: the rest of the licence's charges, at most the deposit, which is
 * set off against it. The part of the plan that the deposit was taken from is billed before.
 */
export async function issueDepositPart(ctx: WorkContext, input: InstalmentInput): Promise<void> {
  const license = await lockLicense(ctx, input.license_id);
  const instalment = await lockDepositPart(ctx, input);
  const lines = await linesOf(ctx, license, { ...instalment, line_kinds: [] }, true);
  const invoice = lines.length === 0 ? await lastInvoice(ctx, license.id) : (await issueInvoice(ctx, {
    license_id: license.id, customer_id: license.customer_id, division: license.division, currency: license.currency,
    issued_on: input.on ?? await ctx.today(license.division), lines })).invoice_id;
  await ctx.ports.money.licensing.depositInvoiced(ctx, { instalment_id: instalment.id, invoice_id: invoice });
}

/** Open pro formas and unpaid deposit requests of a licence are withdrawn. */
export async function voidProFormas(ctx: WorkContext, licenseId: number, reason: string): Promise<{ voided: number }> {
  await lockLicense(ctx, licenseId);
  const open = await ctx.db.query<{ id: number }>(sql`
    select id from invoices where license_id = ${licenseId} and kind = 'proforma' and status = 'proforma'
    order by id for update`);
  for (const { id } of open) await voidOne(ctx, id, reason);
  await ctx.db.exec(sql`
    update deposits set status = 'cancelled', version = version + 1
    where license_id = ${licenseId} and status = 'requested'`);
  await ctx.ports.money.licensing.proFormasWithdrawn(ctx, { license_id: licenseId });
  return { voided: open.length };
}

async function voidOne(ctx: WorkContext, id: number, reason: string): Promise<void> {
  await ctx.db.exec(sql`
    update invoices set status = 'void', voided_at = ${ctx.now().toISOString()}, void_reason = ${reason},
      version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'void', entity: 'invoice', entity_id: id, after: { reason } });
}

/**
 * The tax invoice of a pro forma that is being paid: the same lines and tax, posted, its number still to come. The
 * caller has brought the pro forma to the tax of `on` ({@link reviseProForma}).
 */
export async function proFormaToInvoice(ctx: WorkContext, proForma: InvoiceRecord, on: string): Promise<PostedDraft> {
  const rate = await rateFor(ctx, proForma.division, proForma.currency, on);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into invoices (kind, status, customer_id, license_id, proforma_id, division, currency, billing_name,
      billing_address, customer_vat_number, division_vat_number, issued_on, tax_point_on, due_on, purchase_order_no,
      net_minor, tax_minor, total_minor, functional_rate, functional_rate_on, notes, legal_texts, ship_to,
      issued_by_id)
    select 'invoice', 'draft', customer_id, license_id, id, division, currency, billing_name, billing_address,
      customer_vat_number, division_vat_number, ${on}, ${on}, ${on}, purchase_order_no, net_minor, tax_minor,
      total_minor, ${rate.rate}, ${rate.on}, notes, legal_texts, ship_to, ${ctx.actor.actor_id}::bigint
    from invoices where id = ${proForma.id} returning id`);
  await ctx.db.exec(sql`
    with copied as (
      insert into invoice_items (invoice_id, sort, kind, description, license_charge_id, license_venue_id,
        performance_id, add_on_id, box_office_report_id, quantity, unit_minor, net_minor, tax_code_id, tax_minor,
        total_minor, income_type, item_class, royalty_bearing, release_rule, release_from, release_to, account_code,
        tax_free, carries)
      select ${id}, sort, kind, description, license_charge_id, license_venue_id, performance_id, add_on_id,
        box_office_report_id, quantity, unit_minor, net_minor, tax_code_id, tax_minor, total_minor, income_type,
        item_class, royalty_bearing, release_rule, release_from, release_to, account_code, tax_free, carries
      from invoice_items where invoice_id = ${proForma.id} order by sort, id returning id, sort)
    insert into invoice_tax_lines (invoice_id, invoice_item_id, jurisdiction, tax_code_id, tax_rate_id,
      local_tax_rate_id, exemption_certificate_id, rate_ppm, base_minor, tax_minor, tax_functional_minor, rate,
      rate_date, rate_source, reason)
    select ${id}, c.id, t.jurisdiction, t.tax_code_id, t.tax_rate_id, t.local_tax_rate_id,
      t.exemption_certificate_id, t.rate_ppm,
      t.base_minor, t.tax_minor, round(t.tax_minor * ${rate.functional ? null : rate.rate}::numeric),
      ${rate.functional ? null : rate.rate}::numeric, ${rate.functional ? null : rate.on}::date,
      ${rate.functional ? null : rate.source}, t.reason
    from invoice_tax_lines t join invoice_items i on i.id = t.invoice_item_id join copied c on c.sort = i.sort
    where t.invoice_id = ${proForma.id} order by t.id`);
  await copyTaxSource(ctx, proForma.id, id);
  await ctx.db.exec(sql`
    update invoices set status = 'paid', version = version + 1 where id = ${proForma.id}`);
  await ctx.ports.money.licensing.proFormaInvoiced(ctx, { proforma_id: proForma.id, invoice_id: id });
  return postDraft(ctx, id, []);
}

/** Instalments whose invoice or deposit has its money; tax that an older version left open stops no licence. */
export async function instalmentsPaid(ctx: WorkContext, licenseId: number): Promise<void> {
  const paid = await ctx.db.query<{ id: number }>(sql`
    select t.id from license_instalments t where t.license_id = ${licenseId} and t.status = 'billed'
      and (exists (select 1 from invoices i where i.id = t.invoice_id
          and i.balance_minor <= i.tax_shortfall_minor)
        or exists (select 1 from deposits d where d.id = t.deposit_id and d.status in ('held', 'settled')))
    order by t.id`);
  if (paid.length === 0) return;
  await ctx.ports.money.licensing.instalmentsPaid(ctx, { instalment_ids: paid.map(({ id }) => id) });
}

interface Instalment {
  id: number;
  line_kinds: string[];
  amount_minor: number;
  is_deposit: boolean;
  status: string;
  proforma_id: number | null;
}

async function lockInstalment(ctx: WorkContext, input: InstalmentInput, evenWithProForma = false): Promise<Instalment> {
  const row = await ctx.db.maybeOne<Instalment & { invoice_id: number | null }>(sql`
    select id, line_kinds, amount_minor, is_deposit, status, proforma_id, invoice_id from license_instalments
    where id = ${input.instalment_id} and license_id = ${input.license_id} for update`);
  if (!row) throw invalidField('instalment_id', spell`This installment does not exist`);
  const open = row.status === 'planned' || (evenWithProForma && row.status === 'billed' && row.invoice_id === null);
  if (!open) throw conflict('instalment.billed', spell`This installment is billed already.`);
  return row;
}

/** The price fell below what was billed: the invoices before this one hold the deposit's part, too. */
async function lastInvoice(ctx: WorkContext, licenseId: number): Promise<number | null> {
  const row = await ctx.db.maybeOne<{ id: number }>(sql`
    select id from invoices where license_id = ${licenseId} and kind = 'invoice' and invoice_number is not null
    order by id desc limit 1`);
  return row?.id ?? null;
}

async function lockDepositPart(ctx: WorkContext, input: InstalmentInput): Promise<Instalment> {
  const row = await ctx.db.maybeOne<Instalment>(sql`
    select id, line_kinds, amount_minor, is_deposit, status, proforma_id from license_instalments
    where id = ${input.instalment_id} and license_id = ${input.license_id} and is_deposit and invoice_id is null
    for update`);
  if (!row) throw conflict('instalment.billed', spell`This installment is billed already.`);
  return row;
}

interface Charge {
  id: number; kind: string; description: string; detail: string; quantity: number; unit_minor: number;
  item_class: ItemClass;
  income_type: IncomeType; royalty_bearing: boolean; license_venue_id: number | null; add_on_id: number | null;
  net: number; tax: number; tax_free: boolean; whole_minor: number;
}

/**
 * The instalment over what its kinds of charges still have to bill. What was billed with another tax than quoted leaves
 * the quoted tax of the rest.
 */
async function linesOf(
  ctx: WorkContext, license: LicenseDates, instalment: Instalment, atMostTheRest = false,
): Promise<InvoiceLineInput[]> {
  const charges = await ctx.db.query<Charge>(sql`
    select c.id, c.kind, c.description, c.detail, c.quantity, c.unit_minor, c.item_class, c.income_type,
      c.royalty_bearing,
      c.license_venue_id, c.add_on_id, c.net_minor as whole_minor,
      c.net_minor - c.invoiced_net_minor as net,
      c.tax_minor - case when abs(c.invoiced_tax_minor - q.share) <= 2 then c.invoiced_tax_minor else q.share end
        as tax,
      coalesce(case when ${license.division} in ('US', 'PROD') then not m.tax else not m.vat end, false) as tax_free
    from license_charges c left join license_materials lm on lm.id = c.license_material_id
      left join materials m on m.id = lm.material_id
      cross join lateral (select coalesce(round(c.tax_minor * c.invoiced_net_minor::numeric
        / nullif(c.net_minor, 0)), 0)::bigint as share) q
    where c.license_id = ${license.id} order by c.sort, c.id`);
  const share = instalmentLines(BigInt(instalment.amount_minor), charges.map((charge) => ({ id: charge.id,
    kind: charge.kind, net_minor: BigInt(charge.net), tax_minor: BigInt(charge.tax) })), instalment.line_kinds);
  if (share.unapplied_minor !== 0n && !atMostTheRest) {
    throw conflict('instalment.exceeds_charges',
      spell`The installment is larger than what its lines still have to bill.`);
  }
  return share.lines.filter((line) => line.amount_minor > 0n).map((line): InvoiceLineInput => {
    const charge = charges.find((one) => one.id === line.line_id)!;
    const whole = Number(line.net_minor) === charge.unit_minor * charge.quantity;
    return {
      kind: charge.kind as InvoiceItemKind, description: wordsOf(charge, Number(line.net_minor)),
      item_class: charge.item_class,
      ...(whole ? { quantity: charge.quantity, unit_minor: charge.unit_minor } : {}),
      net_minor: Number(line.net_minor), quoted_tax_minor: Number(line.tax_minor), income_type: charge.income_type,
      royalty_bearing: charge.royalty_bearing, license_charge_id: charge.id,
      license_venue_id: charge.license_venue_id, add_on_id: charge.add_on_id, tax_free: charge.tax_free,
    };
  });
}

/** A charge that is billed as a whole says what it is made of. */
function wordsOf({ description, detail, whole_minor }: Charge, billedMinor: number): string {
  return detail !== '' && billedMinor === whole_minor ? `${description}: ${detail}` : description;
}

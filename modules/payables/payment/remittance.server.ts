/** The remittance advice of a payment on its way: as PDF, by mail from its page, and for each payment of a run. */
import { addressLines } from '#kernel/address/address-lines.ts';
import { dateFor } from '#kernel/calendar/calendar.ts';
import { formatMoney } from '#kernel/money/money.ts';
import type { Address } from '#kit/field.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { contactOf, greetingOf } from '#modules/identity/identity.public.server.ts';
import type { PaymentDetail } from '#modules/receivables/payments/payment.contract.ts';
import { letterHead, type LetterHead } from '#modules/system/letter-head.public.server.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import type { Ctx, FileAnswer, WorkContext } from '#server/context.ts';
import { queueMail } from '#server/mail.ts';
import { renderPdf, type PdfInput } from '#server/pdf.ts';
import { refuseUnprintable } from '#server/pdf-words.ts';
import { sql } from '#server/sql.ts';
import { payeeNameOf } from '../check/check-store.server.ts';
import { isOnItsWay } from './payment-events.server.ts';
import { refundPartsOf } from './refund-parts.server.ts';
import { royaltyPartsOf } from './royalty-parts.server.ts';
import { remittancePaper, type Remittance, type RemittancePart } from './remittance-paper.server.ts';

interface Head extends Omit<Remittance, 'payee' | 'parts' | 'royalties' | 'is_refund'> {
  id: number; kind: PaymentDetail['kind']; party_type: string; division: string;
  status: 'draft' | 'approved' | 'posted'; has_parts: boolean; run_status: string | null; payee_name: string;
  payee_address: Partial<Address> | null; email: string | null;
}

/** Documents of the payee, or statements and advances of a royaltor. */
const SETTLES = sql`(exists (select 1 from payment_parts x where x.payment_id = p.id)
  or exists (select 1 from royalty_payment_conversions x where x.payment_id = p.id))`;

/** 404 where it settles no documents, 409 while it is not on its way. */
async function headOf(ctx: WorkContext, id: number): Promise<Head> {
  const head = await ctx.db.maybeOne<Head>(sql`
    select p.id, p.kind, p.party_type, p.number, p.division, p.currency, p.amount_minor, p.withheld_minor,
      p.method, p.status, p.memo, p.reference,
      coalesce(p.value_on, n.value_on, p.paid_on) as value_on, p.posted_at is not null as is_posted,
      p.payee_last4 as last4, n.status as run_status, ${payeeNameOf(sql`p`)} as payee_name,
      coalesce(v.remit_to_address, v.address, c.billing_address, r.address) as payee_address,
      coalesce(v.email, c.statement_email, r.email) as email,
      (select k.check_number::text from checks k where k.payment_id = p.id and k.status = 'printed') as check_number,
      ${SETTLES} as has_parts
    from payments p left join vendors v on v.id = ${currentVendor(sql`p.vendor_id`)}
      left join customers c on c.id = p.customer_id
      left join royaltors r on r.id = p.royaltor_id
      left join payment_runs n on n.id = p.payment_run_id
    where p.id = ${id} and p.direction = 'out' and p.deleted_at is null`);
  if (!head?.has_parts && head?.kind !== 'refund') throw refuse('not_found');
  if (!isOnItsWay(head)) {
    throw conflict('payment.not_sent', `Payment ${head.number} is not on its way yet, or came back.`);
  }
  return head;
}

function partsOf(ctx: WorkContext, id: number): Promise<RemittancePart[]> {
  return ctx.db.query<RemittancePart>(sql`
    select coalesce(nullif(b.vendor_number, ''), d.number, t.description) as payee_number,
      coalesce(d.number, t.description) as document, coalesce(b.billed_on, i.opened_on) as dated_on,
      (-i.original_minor)::bigint as total_minor, x.discount_minor::bigint as discount_minor,
      x.amount_minor::bigint as paid_minor
    from payment_parts x join open_items i on i.id = x.open_item_id join transactions t on t.id = i.transaction_id
      left join lateral ledger_document(i.document_type, i.document_id) d on true
      left join bills b on i.document_type = 'bill' and b.id = i.document_id
    where x.payment_id = ${id} and x.state <> 'released' order by x.id`);
}

async function paperOf(ctx: WorkContext, head: Head, house: LetterHead): Promise<PdfInput> {
  const payee = [head.payee_name, ...addressLines(head.payee_address)];
  const own = await partsOf(ctx, head.id);
  const back = head.kind === 'refund' && own.length === 0;
  const parts = back ? (await refundPartsOf(ctx, head.id)).map((part) => ({ ...part, discount_minor: 0,
    paid_minor: part.amount_minor })) : own;
  return remittancePaper({ ...head, payee, parts, is_refund: back,
    royalties: await royaltyPartsOf(ctx, head.id) }, house, ctx.now());
}

const fileName = (head: Head): string => `remittance-${head.number}.pdf`;

export async function remittanceFile(ctx: WorkContext, id: number): Promise<FileAnswer> {
  const head = await headOf(ctx, id);
  const content = await renderPdf(await paperOf(ctx, head, await letterHead(ctx.db, head.division)));
  return { filename: fileName(head), content_type: 'application/pdf', content, inline: true };
}

interface AdviceMail { recipients: string[]; message: string; unprintable_accepted: boolean }

/** Queues the mail with the paper; who sent it to whom stays with the payment. */
export async function sendRemittance(ctx: Ctx, id: number, of: AdviceMail): Promise<void> {
  await mailRemittance(ctx, await headOf(ctx, id), of);
}

async function mailRemittance(ctx: Ctx, head: Head, of: AdviceMail): Promise<void> {
  const house = await letterHead(ctx.db, head.division);
  const paper = await paperOf(ctx, head, house);
  await refuseUnprintable([paper], of.unprintable_accepted);
  const { storage_key } = await ctx.ports.files.put(await renderPdf(paper));
  const on = dateFor(house.language, head.value_on);
  await queueMail(ctx.db, {
    template: 'payment.remittance', to: of.recipients, entity: 'payment', entity_id: head.id,
    subject: `Remittance advice ${head.number}`,
    letter: {
      greeting: of.message === '' ? await greetingOf(ctx.db, of.recipients) : null,
      paragraphs: [of.message, `${head.is_posted ? 'We paid' : 'We are paying'} ${
        formatMoney(head.amount_minor, head.currency)} to ${head.payee_name}${
        head.is_posted ? ` on ${on}` : `, value date ${on}`}. The attached remittance advice lists ${
        head.party_type === 'royaltor' ? 'the statements and the tax withheld'
          : head.kind === 'refund' ? 'what is refunded'
            : `the documents${head.withheld_minor === 0 ? '' : ' and the tax withheld'}`}.`],
      contact: await contactOf(ctx.db, ctx.user.user_id),
    },
    attachments: [{ filename: fileName(head), content_type: 'application/pdf', storage_key }],
  });
  await ctx.audit({ action: 'send_remittance', entity: 'payment', entity_id: head.id,
    after: { recipients: of.recipients } });
}

/** Each payment of the run that is on its way and has not been sent yet, to the address of its payee. */
export async function sendRunRemittances(ctx: Ctx, runId: number): Promise<{ sent: number;
  without_address: string[] }> {
  const run = await ctx.db.query(sql`select 1 from payment_runs where id = ${runId} for update`);
  if (run.length === 0) throw refuse('not_found');
  const payments = await ctx.db.query<{ id: number }>(sql`
    select p.id from payments p join payment_runs n on n.id = p.payment_run_id
    where n.id = ${runId} and (p.status in ('posted', 'cleared') or (p.status = 'approved' and n.status = 'exported'))
      and (p.kind = 'refund' or ${SETTLES})
      and not exists (select 1 from audit_events e where e.entity = 'payment' and e.entity_id = p.id
        and e.action = 'send_remittance') order by p.id`);
  const without: string[] = [];
  let sent = 0;
  for (const { id } of payments) {
    const head = await headOf(ctx, id);
    if (head.email === null) without.push(head.payee_name);
    else {
      await mailRemittance(ctx, head, { recipients: [head.email], message: '', unprintable_accepted: true });
      sent += 1;
    }
  }
  return { sent, without_address: without };
}

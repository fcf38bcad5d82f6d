/**
 * A customer's VAT number looked up and its answer stored. The register is asked outside of any transaction, and its
 * answer commits by itself: the document that asked for it may be refused, the answer stays.
 */
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { workContext, type WorkContext } from '#server/context.ts';
import { keyOf, outside } from '#server/outside.ts';
import { sql } from '#server/sql.ts';
import { checkVatNumber, type VatNumberCheck } from '../tax-service/vat-number.server.ts';
import { askRegister, registerOf, type AskedRegister } from './ask-register.server.ts';
import { REGISTER_NAMES } from './vat-number.contract.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A register that did not answer is left alone for so long before a document asks it again. */
const PAUSE_MS = 15 * 60 * 1000;

interface Holder { id: number; name: string; vat_number: string | null; vat_register_answer: string | null;
  vat_checked_at: string | null }
interface Proven extends Holder { last_asked_at: string | null }

const chargesVat = (division: string): boolean => division === 'EU' || division === 'UK';

/** Looks the number up now and stores the answer; nothing where the customer has no number. */
export async function checkNumberOf(ctx: WorkContext, customerId: number): Promise<void> {
  const row = await ctx.db.maybeOne<Holder>(sql`
    select id, name, vat_number, vat_register_answer, vat_checked_at from customers where id = ${customerId}`);
  if (!row?.vat_number) return;
  const check = checkVatNumber(row.vat_number);
  if (check.number !== '') await askOnce(ctx, customerId, check);
}

const askOnce = (ctx: WorkContext, customerId: number, check: VatNumberCheck): Promise<void> =>
  outside(keyOf('VAT number', customerId, check.number), async () => {
    const asked = await askRegister(ctx, check);
    await ctx.ports.db.tx((tx) => keep(workContext(ctx.ports, tx, ctx.actor), customerId, check, asked));
  });

/**
 * Before the tax of a document of the EU or UK division is determined: asks the register of the customer's number where
 * its last answer is older than the installation wants. Without a register nothing is asked.
 */
export async function proveVatNumber(ctx: WorkContext, division: string, customerId: number): Promise<void> {
  const { vat_registers, tax_service } = ctx.ports.settings;
  const isSetUp = vat_registers.vies_url !== null || vat_registers.hmrc || tax_service !== null;
  if (!chargesVat(division) || !isSetUp) return;
  const row = await ctx.db.maybeOne<Proven>(sql`
    select c.id, c.name, c.vat_number, c.vat_register_answer, c.vat_checked_at,
      (select asked_at from vat_number_checks k where k.customer_id = c.id and k.answer is not null
        and k.vat_number = upper(regexp_replace(c.vat_number, '[^A-Za-z0-9+*]', '', 'g'))
        order by k.id desc limit 1) as last_asked_at
    from customers c where c.id = ${customerId}`);
  if (!row?.vat_number) return;
  const check = checkVatNumber(row.vat_number);
  if (!check.check_digit_valid || registerOf(ctx.ports.settings, check) === null) return;
  const now = ctx.now().getTime();
  const age = (at: string | null): number => (at === null ? Infinity : now - new Date(at).getTime());
  if (age(row.vat_checked_at) < vat_registers.proof_days * DAY_MS || age(row.last_asked_at) < PAUSE_MS) return;
  await askOnce(ctx, customerId, check);
}

/** For several documents of one transaction: what is missing is asked before it runs again, all of it at once. */
export async function proveVatNumbers(
  ctx: WorkContext, documents: readonly { division: string; customer_id: number }[],
): Promise<void> {
  let missing: unknown = null;
  const customers = new Map(documents.filter((one) => chargesVat(one.division))
    .map((one) => [one.customer_id, one.division]));
  for (const [id, division] of customers) {
    await proveVatNumber(ctx, division, id).catch((error: unknown) => { missing ??= error; });
  }
  if (missing !== null) throw missing as Error;
}

/** The row stays free for documents that name the customer: one of them may be what asks. */
async function keep(ctx: WorkContext, customerId: number, check: VatNumberCheck, asked: AskedRegister | null):
Promise<void> {
  const before = await ctx.db.maybeOne<Holder>(sql`
    select id, name, vat_number, vat_register_answer, vat_checked_at from customers where id = ${customerId}
    for no key update`);
  // Another number was entered meanwhile: what the register said is of the old one.
  if (!before?.vat_number || checkVatNumber(before.vat_number).number !== check.number) return;
  await ctx.db.exec(sql`
    insert into vat_number_checks (customer_id, vat_number, format_ok, checksum_ok, register, answer, name, address,
      reference, problem, asked_by_id, asked_at)
    values (${customerId}, ${check.number}, ${check.format_valid}, ${check.check_digit_valid},
      ${asked?.register ?? null}, ${asked?.answer ?? null}, ${asked?.name ?? null}, ${asked?.address ?? null},
      ${asked?.reference ?? null}, ${asked?.problem ?? ''}, ${ctx.actor.actor_id}, ${ctx.now().toISOString()})`);
  const answer = asked === null ? null : { register: REGISTER_NAMES[asked.register], answer: asked.answer,
    ...(asked.reference === null ? {} : { reference: asked.reference }),
    ...(asked.problem === '' ? {} : { problem: asked.problem }) };
  await ctx.audit({ action: 'check_vat_number', entity: 'customer', entity_id: customerId,
    before: { answer: before.vat_register_answer },
    after: { vat_number: check.number, check_digit_valid: check.check_digit_valid, ...answer } });
  if (asked?.answer !== 'invalid' || before.vat_register_answer === 'invalid') return;
  await notifyStaff(ctx, { kind: 'tax.number_refused',
    title: before.vat_register_answer === 'valid' ? `VAT number of ${before.name} is no longer valid`
      : `VAT number of ${before.name} is not valid`,
    body: `${REGISTER_NAMES[asked.register]} does not know ${check.number}.`,
    href: `/admin/customers/${customerId}/tax` });
}

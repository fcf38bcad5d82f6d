/**
 * Proof of the VAT number on which an invoice goes out without VAT to another member state: the register's answer and
 * consultation number as they are at issue. An issued invoice keeps its tax, whatever the register says later.
 */
import { conflict } from '#kit/errors.ts';
import { EU_COUNTRIES } from '#kernel/tax/determine.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { TaxedLine } from '../determination/determine-tax.server.ts';
import { registerOf } from './ask-register.server.ts';
import { checkVatNumber } from '../tax-service/vat-number.server.ts';
import type { VatProof } from './vat-number.contract.ts';

/** 409 where a line without VAT stands on a number that is mistyped or that its register does not know. */
export function refuseRefusedNumber(lines: readonly Pick<TaxedLine, 'code' | 'problem' | 'ec_list'>[]): void {
  const problem = lines.find((line) => line.ec_list && line.problem !== null)?.problem ?? null;
  if (problem !== null) throw conflict('tax.vat_number_refused', problem);
}

interface Unproved { id: number; vat_number: string; check_id: number | null; answer: string | null;
  age_days: string | null; problem: string }

/** Stores the proof of each invoice that was issued without VAT to another member state. */
export async function keepVatProofs(ctx: WorkContext, invoiceIds: readonly number[]): Promise<void> {
  const rows = await ctx.db.query<Unproved>(sql`
    select v.id, n.number as vat_number, k.id as check_id, k.answer,
      extract(epoch from ${ctx.now().toISOString()}::timestamptz - k.asked_at) / 86400 as age_days,
      coalesce(l.problem, '') as problem
    from invoices v join divisions d on d.code = v.division
      cross join lateral (select coalesce(upper(regexp_replace(v.customer_vat_number, '[^A-Za-z0-9+*]', '', 'g')), '')
        as number) n
      left join lateral (select id, answer, asked_at from vat_number_checks k where k.customer_id = v.customer_id
        and k.vat_number = n.number and k.answer in ('valid', 'invalid') order by k.id desc limit 1) k on true
      left join lateral (select problem from vat_number_checks k where k.customer_id = v.customer_id
        and k.vat_number = n.number order by k.id desc limit 1) l on true
    where v.id = any(${[...invoiceIds]}::bigint[]) and v.division = 'EU' and exists (select 1 from invoice_tax_lines t
      join tax_codes c on c.id = t.tax_code_id where t.invoice_id = v.id and (c.kind = 'reverse_charge' or (
        c.kind = 'zero' and t.jurisdiction <> d.home_country
        and t.jurisdiction = any(${[...EU_COUNTRIES]}::text[]))))`);
  for (const row of rows) {
    const { state, problem } = stateOf(ctx, row);
    await ctx.db.exec(sql`
      insert into document_vat_proofs (invoice_id, vat_number, state, check_id, problem)
      values (${row.id}, ${row.vat_number}, ${state}, ${row.check_id}, ${problem})
      on conflict (invoice_id) do nothing`);
  }
}

function stateOf(ctx: WorkContext, row: Unproved): { state: VatProof['state']; problem: string } {
  const { settings } = ctx.ports;
  if (row.answer === 'invalid') return { state: 'refused', problem: '' };
  if (row.answer === 'valid') {
    const isFresh = Number(row.age_days) <= Math.max(settings.vat_registers.proof_days, 1);
    return { state: isFresh || row.problem === '' ? 'proved' : 'kept', problem: isFresh ? '' : row.problem };
  }
  const register = row.vat_number === '' ? null : registerOf(settings, checkVatNumber(row.vat_number));
  return { state: register === null ? 'format' : 'unproved', problem: row.problem };
}

export function vatProofOf(ctx: Pick<WorkContext, 'db'>, invoiceId: number): Promise<VatProof | null> {
  return ctx.db.maybeOne<VatProof>(sql`
    select p.state, p.vat_number, k.register, k.reference, k.name, k.asked_at, p.problem,
      u.first_name || ' ' || u.last_name as checked_by_name, p.checked_at
    from document_vat_proofs p left join vat_number_checks k on k.id = p.check_id
      left join users u on u.id = p.checked_by_id where p.invoice_id = ${invoiceId}`);
}

/** A person has settled the missing proof; answers whether there was one to settle. */
export async function markProofChecked(ctx: Ctx, invoiceId: number): Promise<boolean> {
  const row = await ctx.db.maybeOne(sql`
    update document_vat_proofs set checked_by_id = ${ctx.user.user_id}, checked_at = ${ctx.now().toISOString()}
    where invoice_id = ${invoiceId} and state <> 'proved' and state <> 'format' and checked_at is null
    returning invoice_id`);
  if (row) await ctx.audit({ action: 'check_tax', entity: 'invoice', entity_id: invoiceId });
  return row !== null;
}

/** VAT numbers that a register does not know and invoices that stand on them, as tasks; and the check of the silent. */
import { runEach, type BatchRun } from '#server/batch.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext, type Ports } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { todoColumns } from '#server/todo-columns.ts';
import { checkNumberOf } from './check-number.server.ts';

export const RECHECK_VAT_NUMBERS = 'recheck-vat-numbers';

/**
 * Rows of the task list: numbers that are not valid; invoices without VAT whose number was never confirmed, was not
 * valid at issue, or turned out invalid after the register had not answered.
 */
export function vatNumberTasks({ division }: { division: string }): Sql[] {
  return [sql`select ${todoColumns({ kind: 'vat_number', id: sql`c.id`,
    title: sql`'Correct the VAT number of ' || c.name`, detail: sql`'Not valid: ' || c.vat_number`,
    entity: sql`'customer'`, entity_id: sql`c.id`, customer_id: sql`c.id` })}
    from customers c where c.vat_register_answer = 'invalid' and c.vat_number is not null and c.deleted_at is null
      and c.default_division = ${division}`,
  sql`select ${todoColumns({ kind: 'vat_number', id: sql`v.id`, title: sql`'Settle the VAT of ' || v.invoice_number`,
    detail: sql`case p.state when 'unproved' then 'VAT number not confirmed: ' else 'VAT number not valid: ' end
      || p.vat_number`, entity: sql`'invoice'`, entity_id: sql`v.id`, license_id: sql`v.license_id`,
    customer_id: sql`v.customer_id`, currency: sql`v.currency`, minor: sql`v.net_minor` })}
    from document_vat_proofs p join invoices v on v.id = p.invoice_id
    where v.division = ${division} and p.checked_at is null and v.status <> 'credited'
      and (p.state = 'refused'
        or (p.state = 'unproved' and ${lastAnswer('is distinct from', 'valid')})
        or (p.state = 'kept' and ${lastAnswer('=', 'invalid')}))`];
}

/** Of the number of proof `p`, since its document. */
function lastAnswer(compare: 'is distinct from' | '=', answer: string): Sql {
  const last = sql`(select k.answer from vat_number_checks k where k.vat_number = p.vat_number
    and k.customer_id = v.customer_id and k.answer in ('valid', 'invalid') order by k.id desc limit 1)`;
  return compare === '=' ? sql`${last} = ${answer}` : sql`${last} is distinct from ${answer}`;
}

/** Asks again where the register did not answer the last time. */
export async function recheckVatNumbers(ports: Ports): Promise<BatchRun> {
  const { vat_registers, tax_service } = ports.settings;
  if (vat_registers.vies_url === null && !vat_registers.hmrc && tax_service === null) return { done: 0, failed: 0 };
  const items = await ports.db.query<{ id: number }>(sql`
    select c.id from customers c where c.deleted_at is null and c.vat_number is not null and (select k.answer
      from vat_number_checks k where k.customer_id = c.id and k.answer is not null order by k.id desc limit 1)
      = 'unavailable' order by c.id limit 100`);
  return runEach(ports, { job: RECHECK_VAT_NUMBERS, items, facts: ({ id }) => ({ customer: id }) }, async ({ id }) => {
    await checkNumberOf(workContext(ports, ports.db, SYSTEM_ACTOR), id);
    return 1;
  });
}

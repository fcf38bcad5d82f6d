/**
 * Agreements whose advances are recouped from the earnings of all of them, with one statement (domain.md 3.2). A group
 * is of one royaltor, one paying division and one currency; who is in it is settled before the first statement.
 */
import { invalidField } from '#kit/errors.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { AgreementRow } from './agreement.contract.ts';

/** The group of that name, made where the royaltor has none yet; 422 at `name` where the agreement cannot be in it. */
export async function groupFor(db: Queryable, agreement: AgreementRow, name: string): Promise<number> {
  await db.exec(sql`
    insert into cross_collateral_groups (name, royaltor_id) values (${name}, ${agreement.royaltor_id})
    on conflict (name) do nothing`);
  const group = await db.one<{ id: number; royaltor_id: number; royaltor_name: string }>(sql`
    select g.id, g.royaltor_id, r.name as royaltor_name from cross_collateral_groups g
      join royaltors r on r.id = g.royaltor_id where g.name = ${name} for update of g`);
  if (group.royaltor_id !== agreement.royaltor_id) {
    throw invalidField('name', `This is a group of ${group.royaltor_name}: choose another name`);
  }
  const other = await db.maybeOne<{ payer_division: string; currency: string }>(sql`
    select payer_division, currency from show_royaltors where cross_collateral_group_id = ${group.id}
      and id <> ${agreement.id} and deleted_at is null
      and (payer_division, currency) <> (${agreement.payer_division}, ${agreement.currency}) limit 1`);
  if (other) {
    throw invalidField('name', `Its agreements are paid by ${other.payer_division} in ${other.currency}, this one by `
      + `${agreement.payer_division} in ${agreement.currency}`);
  }
  const stated = await db.maybeOne(sql`
    select 1 from royalty_statements where cross_collateral_group_id = ${group.id} limit 1`);
  if (stated) throw invalidField('name', 'This group has a statement already: nothing joins it any more');
  return group.id;
}

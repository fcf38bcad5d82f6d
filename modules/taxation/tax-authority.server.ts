/** Authorities that taxes are owed to: parties of the ledger. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { jurisdictionName } from './jurisdiction.contract.ts';

/** Party id of the authority behind a jurisdiction: the country, in the US the state. Made at first use. */
export async function taxAuthority(ctx: Pick<WorkContext, 'db'>, jurisdiction: string): Promise<number> {
  const [country = '', state] = jurisdiction.split('-');
  const key = country === 'US' && state ? `US-${state}` : country;
  const known = await ctx.db.maybeOne<{ id: number }>(sql`
    select id from tax_authorities where jurisdiction = ${key}`);
  if (known) return known.id;
  await ctx.db.exec(sql`
    insert into tax_authorities (jurisdiction, name) values (${key}, ${`Tax authority of ${jurisdictionName(key)}`})
    on conflict (jurisdiction) do nothing`);
  return (await ctx.db.one<{ id: number }>(sql`select id from tax_authorities where jurisdiction = ${key}`)).id;
}

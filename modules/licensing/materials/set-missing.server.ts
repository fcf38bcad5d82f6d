/** A licence that was executed without its materials because its set could not be attached. */
import { hasMaterials } from '#modules/stock/stock.public.server.ts';
import { sql, type Sql } from '#server/sql.ts';

export const NOT_ORDERED = 'materials_not_ordered';

/** Why the set of the licence of this id was not attached when it was executed last; null where it was. */
export const setProblem = (licenseId: Sql): Sql => sql`(select e.reason from license_events e
  where e.license_id = ${licenseId} and e.event = ${NOT_ORDERED} and e.details ->> 'set' = 'missing'
    and e.id > (select max(x.id) from license_events x where x.license_id = ${licenseId} and x.event = 'execute')
  order by e.id desc limit 1)`;

/** Whether that still holds: nobody has given it a set or anything to send since. */
export const setMissing = (licenseId: Sql): Sql => sql`(${setProblem(licenseId)} is not null
  and not ${hasMaterials(licenseId)} and not exists (select 1 from license_boms s where s.license_id = ${licenseId}))`;

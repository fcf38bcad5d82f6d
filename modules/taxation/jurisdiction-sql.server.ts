/** Names of places in SQL, for lists that are put together in the database. */
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { sql, type Sql } from '#server/sql.ts';
import { jurisdictionName } from './jurisdiction.contract.ts';

const CODES = COUNTRIES.flatMap(({ code }) => [code, ...territoriesOf(code).map((within) => `${code}-${within.code}`)]);
const NAMES = JSON.stringify(Object.fromEntries(CODES.map((code) => [code, jurisdictionName(code)])));

/** 'US-OH' is Ohio, 'GB' is United Kingdom; a code that nothing is known about stays as it is. */
export const jurisdictionNameOf = (code: Sql): Sql => sql`coalesce(${NAMES}::jsonb ->> (${code}), ${code})`;

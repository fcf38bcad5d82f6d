/**
 * Settings that administrators change while the house runs; what operators set once stands in settings.ts. A missing
 * row means the default. Read where they are used, so that a change holds at once on every replica.
 */
import type { Queryable } from './db.ts';
import { sql } from './sql.ts';

const LIMIT_TEXT = 'In whole units of the currency of the division. Above it an administrator approves; all unpaid '
  + 'bills of one vendor count together';

export const HOUSE_SETTINGS = {
  mail_from: { label: 'Sender of mail', initial: 'Grand Rights <office@grandrights.example>',
    text: 'Name and address that people see, as Name <address>' },
  notifications_keep_days: { label: 'Days that notifications are kept', initial: 400,
    text: 'Older ones are removed by night, read or not' },
  sent_mail_keep_days: { label: 'Days that sent mail is kept', initial: 730,
    text: 'The outbox keeps what was sent, as proof; older mail is removed by night' },
  client_errors_keep_days: { label: 'Days that faults of browsers are kept', initial: 90,
    text: 'Reports without any particulars of people' },
  bill_limit_us: { label: 'Approval limit for bills, US', initial: 25_000, text: LIMIT_TEXT },
  bill_limit_eu: { label: 'Approval limit for bills, EU', initial: 25_000, text: LIMIT_TEXT },
  bill_limit_uk: { label: 'Approval limit for bills, UK', initial: 25_000, text: LIMIT_TEXT },
  bill_limit_prod: { label: 'Approval limit for bills, Production', initial: 25_000, text: LIMIT_TEXT },
} as const;

export type HouseSetting = keyof typeof HOUSE_SETTINGS;
type ValueOf<K extends HouseSetting> = (typeof HOUSE_SETTINGS)[K]['initial'] extends number ? number : string;

export async function houseSetting<K extends HouseSetting>(db: Queryable, key: K): Promise<ValueOf<K>> {
  const row = await db.maybeOne<{ value: ValueOf<K> }>(sql`select value from house_settings where key = ${key}`);
  return row?.value ?? (HOUSE_SETTINGS[key].initial as ValueOf<K>);
}

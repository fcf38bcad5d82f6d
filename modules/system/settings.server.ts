/** X208, X209: settings of the house; the version of one that was never changed is 0. */
import { invalidField, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { HOUSE_SETTINGS, type HouseSetting } from '#server/house-settings.ts';
import { sql } from '#server/sql.ts';
import type { HouseSettingRow } from './system.contract.ts';

const SENDER = /^[^<>\r\n]{1,120} <[^@\s<>]+@[^@\s<>]+\.[^@\s<>]+>$/;
const LONGEST_DAYS = 3_650;
/** Largest amount of the house, in whole units. */
const LARGEST_LIMIT = 10_000_000_000;

export async function readSettings(ctx: Ctx): Promise<HouseSettingRow[]> {
  const stored = await ctx.db.query<{ key: string; value: string | number; version: number }>(sql`
    select key, value, version from house_settings`);
  const known = new Map(stored.map((row) => [row.key, row]));
  return Object.entries(HOUSE_SETTINGS).map(([key, { label, text, initial }]) => ({
    key, label, text, value: known.get(key)?.value ?? initial, version: known.get(key)?.version ?? 0 }));
}

function problemOf(key: HouseSetting, value: unknown): string | null {
  if (key === 'mail_from') {
    return typeof value === 'string' && SENDER.test(value) ? null : 'Write it as Name <address@example.org>';
  }
  if (key.startsWith('bill_limit_')) {
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LARGEST_LIMIT ? null
      : `Enter a whole amount from 0 to ${LARGEST_LIMIT.toLocaleString('en-US')}`;
  }
  const whole = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LONGEST_DAYS;
  return whole ? null : `Enter whole days from 1 to ${LONGEST_DAYS.toLocaleString('en-US')}`;
}

export async function changeSetting(
  ctx: Ctx, input: { key: string; value: string | number; version: number },
): Promise<HouseSettingRow> {
  const before = (await readSettings(ctx)).find((row) => row.key === input.key);
  if (!before) throw refuse('not_found');
  const problem = problemOf(input.key as HouseSetting, input.value);
  if (problem) throw invalidField('value', problem);
  if (input.version !== before.version) throw stale({ ...before });
  const saved = await ctx.db.exec(sql`
    insert into house_settings (key, value, version) values (${input.key}, ${JSON.stringify(input.value)}::jsonb, 1)
    on conflict (key) do update set value = excluded.value, version = house_settings.version + 1
      where house_settings.version = ${input.version}`);
  if (saved === 0) throw stale({ ...before });
  await ctx.audit({ action: 'update', entity: 'house_setting', entity_id: null,
    before: { [input.key]: before.value }, after: { [input.key]: input.value } });
  return { ...before, value: input.value, version: before.version + 1 };
}

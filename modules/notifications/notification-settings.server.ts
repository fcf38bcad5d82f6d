/** Notification settings of a person, per kind: in the app, in the daily mail, both or neither (X190, X191). */
import { invalid, refuse, type FieldErrors } from '#kit/errors.ts';
import { principalOfPerson } from '#modules/identity/identity.public.server.ts';
import type { Ctx } from '#server/context.ts';
import type { Principal } from '#server/principal.ts';
import { serve } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { kindOf, kindsFor, type NotificationKind } from './notification-kinds.ts';
import { notificationSettingsEndpoints, type SettingRow } from './notification.contract.ts';

interface Settings { email: string; settings: SettingRow[] }

const read = (ctx: Ctx): Promise<Settings> => settingsOf(ctx, ctx.user);

async function settingsOf(ctx: Ctx, person: Principal): Promise<Settings> {
  const stored = await ctx.db.query<{ kind: string; in_app: boolean; by_mail: boolean }>(sql`
    select kind, in_app, by_mail from notification_settings where user_id = ${person.user_id}`);
  const chosen = new Map(stored.map((row) => [row.kind, row]));
  return {
    email: person.email,
    settings: kindsFor(person).map((kind) => {
      const { label, text, by_mail } = kindOf(kind);
      const row = chosen.get(kind);
      return { kind, label, text, in_app: row?.in_app ?? true, by_mail: row?.by_mail ?? by_mail };
    }),
  };
}

function refuseForeignKinds(ctx: Ctx, kinds: readonly NotificationKind[]): void {
  const own = new Set(kindsFor(ctx.user));
  const errors: FieldErrors = {};
  kinds.forEach((kind, index) => {
    if (!own.has(kind)) errors[`settings.${index}.kind`] = ['You are not told of this'];
    if (kinds.indexOf(kind) !== index) errors[`settings.${index}.kind`] = ['This is named twice'];
  });
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** Of a member of staff, for colleagues; nobody is told of anything once the account is closed. */
async function ofStaff(ctx: Ctx, id: number): Promise<Settings> {
  const row = await ctx.db.maybeOne<{ email: string }>(sql`
    select email from users where id = ${id} and role in ('staff_user', 'staff_admin', 'system_admin')`);
  if (!row) throw refuse('not_found');
  const person = await principalOfPerson(ctx.db, id);
  return person ? settingsOf(ctx, person) : { email: row.email, settings: [] };
}

export const notificationSettingsRoutes = serve(notificationSettingsEndpoints, {
  async show(ctx) {
    return { data: await read(ctx) };
  },
  ofStaff: async (ctx, { params }) => ({ data: await ofStaff(ctx, params.id) }),
  async update(ctx, { body }) {
    refuseForeignKinds(ctx, body.settings.map((one) => one.kind));
    const before = await read(ctx);
    for (const one of body.settings) {
      await ctx.db.exec(sql`
        insert into notification_settings (user_id, kind, in_app, by_mail)
        values (${ctx.user.user_id}, ${one.kind}, ${one.in_app}, ${one.by_mail})
        on conflict (user_id, kind) do update set in_app = excluded.in_app, by_mail = excluded.by_mail`);
    }
    const after = await read(ctx);
    const channels = ({ settings }: { settings: SettingRow[] }): Record<string, string> => Object.fromEntries(
      settings.map((one) => [one.kind, [one.in_app && 'app', one.by_mail && 'mail'].filter(Boolean).join(', ')]));
    await ctx.audit({ action: 'update', entity: 'notification_settings', entity_id: ctx.user.user_id,
      before: channels(before), after: channels(after) });
    return { data: after };
  },
});

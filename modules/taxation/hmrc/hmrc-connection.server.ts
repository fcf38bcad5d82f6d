/**
 * The authorization of HMRC for a division (OAuth 2): granted by a person at HMRC, renewed by a refresh token that
 * works once, ended by HMRC after 18 months or by anybody on either side. Tokens are sealed for their row.
 */
import { randomBytes, createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fraudHeaders, type BrowserFacts } from '#kernel/tax/fraud-headers.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { authorizationEnd, refusalInWords, vrnOf } from '#kernel/tax/hmrc.ts';
import { conflict, type AppError } from '#kit/errors.ts';
import { workContext, type Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { keyOf, outside } from '#server/outside.ts';
import { seal, unseal } from '#server/secret.ts';
import type { HmrcSettings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import {
  HmrcAnswerLost, HmrcNotReached, HmrcRefusal, hmrcTokens, hmrcVat, signInAddress, type HmrcTokens, type HmrcVat,
} from './hmrc-client.server.ts';
import type { HmrcConnection } from './hmrc.contract.ts';
import { productVersion } from './product-version.server.ts';

type Division = HmrcConnection['division'];

interface StoredConnection {
  id: number; division: Division; environment: 'sandbox' | 'production';
  state: 'connected' | 'expired' | 'revoked' | 'disconnected';
  access_token_encrypted: Buffer | null; refresh_token_encrypted: Buffer | null; token_key_id: string | null;
  access_expires_at: string | null; granted_at: string; valid_until: string; granted_by_name: string; version: number;
}

/** Redirect path back from HMRC; registered there letter by letter. */
const BACK_TO = '/admin/finance/taxes-vat/uk-vat';
const WAY_MINUTES = 15;
/** A token that ends within this is renewed before it is used; seconds. */
const RENEW_BEFORE = 60;
const REFRESH_LEASE_SECONDS = 30;

const hashOf = (state: string): Buffer => createHash('sha256').update(state).digest();
const later = (from: Date, seconds: number): string => new Date(from.getTime() + seconds * 1000).toISOString();

export function hmrcOf(ctx: Ctx): HmrcSettings {
  const { hmrc } = ctx.ports.settings;
  if (hmrc === null) {
    throw conflict('hmrc.not_configured', 'This installation has no credentials of HMRC. Copy the figures by hand.');
  }
  return hmrc;
}

function storedOf(db: Queryable, division: Division): Promise<StoredConnection | null> {
  return db.maybeOne<StoredConnection>(sql`
    select c.id, c.division, c.environment, c.state, c.access_token_encrypted, c.refresh_token_encrypted,
      c.token_key_id, c.access_expires_at, c.granted_at, c.valid_until, c.version,
      u.first_name || ' ' || u.last_name as granted_by_name
    from hmrc_connections c join users u on u.id = c.granted_by_id where c.division = ${division}`);
}

/** The connection for people. Tokens of the sandbox are none in production. */
export async function connectionOf(ctx: Ctx, division: Division): Promise<HmrcConnection> {
  const { hmrc } = ctx.ports.settings;
  const stored = await storedOf(ctx.db, division);
  const known = stored !== null && stored.environment === hmrc?.environment ? stored : null;
  return { division, environment: hmrc?.environment ?? null,
    state: hmrc === null ? 'not_configured' : known?.state ?? 'not_connected',
    granted_by_name: known?.granted_by_name ?? null, granted_at: known?.granted_at ?? null,
    valid_until: known?.valid_until ?? null, version: stored?.version ?? 0 };
}

export async function beginAuthorization(ctx: Ctx, division: Division): Promise<{ url: string }> {
  const hmrc = hmrcOf(ctx);
  const state = randomBytes(32).toString('base64url');
  const back = `${ctx.ports.settings.app_origins[0] ?? ctx.origin}${BACK_TO}`;
  await ctx.db.exec(sql`delete from hmrc_authorizations where expires_at < ${ctx.now().toISOString()}`);
  await ctx.db.exec(sql`
    insert into hmrc_authorizations (division, state_sha256, redirect_uri, asked_by_id, expires_at)
    values (${division}, ${hashOf(state)}, ${back}, ${ctx.user.user_id}, ${later(ctx.now(), WAY_MINUTES * 60)})`);
  return { url: signInAddress(hmrc, state, back) };
}

/** The state is of this person, not over and used once; a code is exchanged with the address it was asked for. */
export async function finishAuthorization(ctx: Ctx, input: { state: string; code: string }): Promise<HmrcConnection> {
  const hmrc = hmrcOf(ctx);
  const asked = await ctx.db.maybeOne<{ division: Division; redirect_uri: string }>(sql`
    update hmrc_authorizations set used_at = ${ctx.now().toISOString()}
    where state_sha256 = ${hashOf(input.state)} and asked_by_id = ${ctx.user.user_id} and used_at is null
      and expires_at >= ${ctx.now().toISOString()} returning division, redirect_uri`);
  if (!asked) {
    throw conflict('hmrc.state_unknown', 'This way back from HMRC is over, or was begun by somebody else. '
      + 'Connect to HMRC again.');
  }
  const tokens = await outside(keyOf('hmrc code', input.state), () => exchanged(hmrc, input.code, asked.redirect_uri));
  const before = await connectionOf(ctx, asked.division);
  await storeGrant(ctx, hmrc, asked.division, tokens);
  const after = await connectionOf(ctx, asked.division);
  const { id } = (await storedOf(ctx.db, asked.division))!;
  await ctx.audit({ action: 'connect', entity: 'hmrc_connection', entity_id: id, before, after });
  return after;
}

async function exchanged(hmrc: HmrcSettings, code: string, redirect_uri: string): Promise<HmrcTokens> {
  try {
    return await hmrcTokens(hmrc, { code, redirect_uri });
  } catch (error) {
    throw error instanceof HmrcRefusal
      ? conflict('hmrc.refused', `HMRC did not accept the sign-in (${error.code}). Connect to HMRC again.`)
      : unreached(error);
  }
}

/** Tokens of a row, sealed for it. */
function sealedTokens(ctx: Ctx, id: number, tokens: HmrcTokens) {
  const access = seal(ctx.ports.settings, `hmrc_connection:${id}:access_token`, tokens.access_token);
  const refresh = seal(ctx.ports.settings, `hmrc_connection:${id}:refresh_token`, tokens.refresh_token);
  return sql`access_token_encrypted = ${access.bytes}, refresh_token_encrypted = ${refresh.bytes},
    token_key_id = ${access.key_id}, access_expires_at = ${later(ctx.now(), tokens.expires_in)},
    refreshing_until = null`;
}

async function storeGrant(ctx: Ctx, hmrc: HmrcSettings, division: Division, tokens: HmrcTokens): Promise<void> {
  const now = ctx.now().toISOString();
  const until = `${authorizationEnd(now.slice(0, 10))}T00:00:00Z`;
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into hmrc_connections (division, environment, state, granted_by_id, granted_at, valid_until)
    values (${division}, ${hmrc.environment}, 'disconnected', ${ctx.user.user_id}, ${now}, ${until})
    on conflict (division) do update set version = hmrc_connections.version + 1 returning id`);
  await ctx.db.exec(sql`
    update hmrc_connections set state = 'connected', environment = ${hmrc.environment},
      granted_by_id = ${ctx.user.user_id}, granted_at = ${now}, valid_until = ${until}, ${sealedTokens(ctx, id, tokens)}
    where id = ${id}`);
}

const NOT_CONNECTED = 'The division is not connected to HMRC. Connect it on the page of its VAT return.';
const WITHOUT_TOKENS = sql`access_token_encrypted = null, refresh_token_encrypted = null, token_key_id = null,
  access_expires_at = null, refreshing_until = null, version = version + 1`;

export async function disconnect(ctx: Ctx, division: Division, version: number): Promise<HmrcConnection> {
  await ctx.db.exec(sql`select 1 from hmrc_connections where division = ${division} for update`);
  const before = await connectionOf(ctx, division);
  if (before.version !== version) throw stale(before);
  if (before.state !== 'connected') throw conflict('hmrc.not_connected', NOT_CONNECTED);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    update hmrc_connections set state = 'disconnected', ${WITHOUT_TOKENS} where division = ${division} returning id`);
  const after = await connectionOf(ctx, division);
  await ctx.audit({ action: 'disconnect', entity: 'hmrc_connection', entity_id: id, before, after });
  return after;
}

/** Nothing was taken by HMRC. */
export function unreached(error: unknown): AppError {
  const why = error instanceof HmrcNotReached ? 'cannot be reached' : 'does not answer';
  return conflict('hmrc.unreachable', `HMRC ${why} at the moment. Nothing was sent. Try again in a few minutes.`);
}

function ended(stored: StoredConnection, state: 'expired' | 'revoked'): AppError {
  const day = dateInWords(stored.granted_at.slice(0, 10));
  const granted = `The permission that ${stored.granted_by_name} gave on ${day}`;
  return conflict('hmrc.not_connected', state === 'expired'
    ? `${granted} has ended: HMRC keeps one for 18 months. Connect to HMRC again.`
    : `${granted} is no longer accepted by HMRC. Connect to HMRC again.`);
}

/** A new token, by whoever comes first; everybody else waits for it. */
async function renew(ctx: Ctx, hmrc: HmrcSettings, of: StoredConnection): Promise<StoredConnection> {
  const { db } = ctx.ports;
  const taken = await db.exec(sql`
    update hmrc_connections set refreshing_until = ${later(ctx.now(), REFRESH_LEASE_SECONDS)}
    where id = ${of.id} and state = 'connected' and access_token_encrypted = ${of.access_token_encrypted}
      and (refreshing_until is null or refreshing_until < ${ctx.now().toISOString()})`);
  if (taken === 0) return awaitRenewal(ctx, of);
  const refresh_token = unseal(ctx.ports.settings, `hmrc_connection:${of.id}:refresh_token`,
    { bytes: of.refresh_token_encrypted!, key_id: of.token_key_id! });
  try {
    const tokens = await hmrcTokens(hmrc, { refresh_token });
    await db.exec(sql`update hmrc_connections set ${sealedTokens(ctx, of.id, tokens)} where id = ${of.id}`);
    return (await storedOf(db, of.division))!;
  } catch (error) {
    if (!(error instanceof HmrcRefusal)) {
      await db.exec(sql`update hmrc_connections set refreshing_until = null where id = ${of.id}`);
      throw unreached(error);
    }
    throw await end(ctx, of);
  }
}

/** HMRC no longer accepts what it granted: the tokens are forgotten, and people are told why. */
async function end(ctx: Ctx, of: StoredConnection): Promise<AppError> {
  const state = ctx.now().toISOString() >= of.valid_until ? 'expired' : 'revoked';
  await ctx.ports.db.tx(async (tx) => {
    await tx.exec(sql`
      update hmrc_connections set state = ${state}, ${WITHOUT_TOKENS} where id = ${of.id} and state = 'connected'`);
    await workContext(ctx.ports, tx, ctx.actor).audit({ action: 'end_connection', entity: 'hmrc_connection',
      entity_id: of.id, after: { state } });
  });
  return ended(of, state);
}

async function awaitRenewal(ctx: Ctx, of: StoredConnection): Promise<StoredConnection> {
  for (let round = 0; round < 20; round += 1) {
    const now = await storedOf(ctx.ports.db, of.division);
    if (now?.state !== 'connected') throw ended(of, now?.state === 'expired' ? 'expired' : 'revoked');
    if (!now.access_token_encrypted!.equals(of.access_token_encrypted!)) return now;
    await wait(250);
  }
  throw unreached(null);
}

/** Second factor of the session, as far as HMRC asks for it. */
async function secondFactor(ctx: Ctx) {
  const found = ctx.session && await ctx.ports.db.maybeOne<{ second_factor: string | null; created_at: string }>(sql`
    select second_factor, created_at from sessions where id = ${ctx.session.id}`);
  if (!found?.second_factor) return null;
  return { kind: found.second_factor === 'code' ? 'TOTP' as const : 'OTHER' as const, at: found.created_at,
    reference: createHash('sha256').update(`${ctx.user.user_id}:${ctx.session!.id}`).digest('hex') };
}

async function numberOf(ctx: Ctx, division: Division): Promise<string> {
  const { number } = await ctx.ports.db.one<{ number: string | null }>(sql`
    select (select r.number from tax_registrations r join divisions d on d.code = r.division
        and d.home_country = r.jurisdiction
      where r.division = ${division} and r.scheme = 'vat' order by r.valid_from desc limit 1) as number`);
  const vrn = vrnOf(number);
  if (vrn === null) {
    throw conflict('hmrc.no_vat_number', 'The division has no UK VAT number of nine digits under Tax registrations.');
  }
  return vrn;
}

/**
 * Runs `work` at HMRC as the division, for the person who asks; outside every transaction. A token that HMRC does not
 * take any more is renewed once: what was refused for it was not done.
 */
export async function atHmrc<T>(
  ctx: Ctx, division: Division, browser: BrowserFacts, work: (vat: HmrcVat) => Promise<T>,
): Promise<T> {
  const hmrc = hmrcOf(ctx);
  const found = await storedOf(ctx.ports.db, division);
  if (found?.environment !== hmrc.environment || found.state === 'disconnected') {
    throw conflict('hmrc.not_connected', NOT_CONNECTED);
  }
  if (found.state !== 'connected') throw ended(found, found.state);
  const vrn = await numberOf(ctx, division);
  const now = ctx.now();
  const fraud = fraudHeaders(browser, { user: ctx.user.email, client_ip: ctx.ip, client_port: ctx.port,
    at: now.toISOString(), second_factor: await secondFactor(ctx), vendor_ip: hmrc.public_ip,
    version: productVersion() });
  const withToken = (of: StoredConnection): HmrcVat => hmrcVat(hmrc, vrn, unseal(ctx.ports.settings,
    `hmrc_connection:${of.id}:access_token`, { bytes: of.access_token_encrypted!, key_id: of.token_key_id! }), fraud);
  const stillGood = new Date(found.access_expires_at!).getTime() - now.getTime() > RENEW_BEFORE * 1000;
  const current = stillGood ? found : await renew(ctx, hmrc, found);
  try {
    return await work(withToken(current));
  } catch (error) {
    if (!(error instanceof HmrcRefusal) || error.status !== 401) throw error;
    return work(withToken(await renew(ctx, hmrc, current)));
  }
}

/** Readable error for a failed call that changes nothing. */
export function readFailure(error: unknown): unknown {
  if (error instanceof HmrcRefusal) {
    return conflict('hmrc.refused', refusalInWords(error.code, error.message), { hmrc_code: error.code });
  }
  return error instanceof HmrcNotReached || error instanceof HmrcAnswerLost ? unreached(error) : error;
}

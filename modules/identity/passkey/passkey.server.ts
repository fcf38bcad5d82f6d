/** Passkeys: making, listing, removing them, and signing in with one. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import type { Account } from '../session/session.server.ts';
import { challengedPerson, completeSignIn } from '../two-factor/challenge.server.ts';
import { factorsOf } from '../two-factor/factors.server.ts';
import { firstRecoveryCodes } from '../two-factor/recovery-codes.server.ts';
import { refuseIfLast } from '../two-factor/required.server.ts';
import { tellOfChange } from '../two-factor/security-mail.server.ts';
import { checkPasskey, newChallenge, partyOf, takeChallenge } from './passkey-answer.server.ts';
import { passkeyEndpoints, type Attestation, type PasskeyAnswer, type PasskeyRow } from './passkey.contract.ts';

const MOST_PASSKEYS = 20;
/** EdDSA, ES256, RS256: what every authenticator speaks (COSE algorithm numbers). */
const ALGORITHMS = [-8, -7, -257];

const credentialsOf = (ctx: Ctx, userId: number) => ctx.db.query<{ id: string; transports: string[] }>(sql`
  select credential_id as id, transports from passkeys where user_id = ${userId}`);

/** For whoever is signed in or has given the password: their passkeys. For anybody else: any that the device holds. */
async function signingOptions(ctx: Ctx): Promise<Record<string, unknown>> {
  await limit(ctx, `passkey-options:${ctx.ip}`, 60, 60);
  const party = partyOf(ctx);
  const person = ctx.principal?.user_id ?? (await challengedPerson(ctx))?.id ?? null;
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const challenge = await newChallenge(ctx);
  return { ...await generateAuthenticationOptions({
    rpID: party.id, challenge: new Uint8Array(Buffer.from(challenge, 'base64url')), userVerification: 'required',
    timeout: 120_000,
    ...(person === null ? {} : { allowCredentials: await credentialsOf(ctx, person) }),
  }) };
}

/** A passkey that verified its person is two factors by itself: the device, and the finger or the PIN. */
async function signInWith(ctx: Ctx, answer: PasskeyAnswer): Promise<{ two_factor: boolean }> {
  await limit(ctx, `login-ip:${ctx.ip}`, 20, 60);
  const userId = await checkPasskey(ctx, answer, null);
  const account = await ctx.db.maybeOne<Account>(sql`
    select id, role, session_epoch from users where id = ${userId} and disabled_at is null`);
  if (!account) throw invalidField('passkey', 'This passkey was not accepted. Try again, or use another way.');
  await completeSignIn(ctx, account, 'passkey');
  return { two_factor: false };
}

async function makingOptions(ctx: Ctx): Promise<Record<string, unknown>> {
  const { user_id, email, first_name, last_name } = ctx.user;
  const party = partyOf(ctx);
  const known = await credentialsOf(ctx, user_id);
  if (known.length >= MOST_PASSKEYS) throw conflict('passkey.most', `At most ${MOST_PASSKEYS} passkeys. Remove one.`);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const challenge = await newChallenge(ctx);
  return { ...await generateRegistrationOptions({
    rpName: 'Grand Rights', rpID: party.id, userName: email, userDisplayName: `${first_name} ${last_name}`,
    userID: new TextEncoder().encode(`grand-rights:${user_id}`),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')), timeout: 120_000, attestationType: 'none',
    excludeCredentials: known, supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  }) };
}

async function store(ctx: Ctx, name: string, attestation: Attestation): Promise<PasskeyRow> {
  const party = partyOf(ctx);
  const challenge = await takeChallenge(ctx);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const checked = await verifyRegistrationResponse({
    response: attestation as RegistrationResponseJSON, expectedChallenge: challenge, expectedOrigin: party.origins,
    expectedRPID: party.id, requireUserVerification: true, supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: Error) => {
    ctx.ports.log('warn', 'passkey refused', { request: ctx.actor.request_id, reason: error.message });
    return null;
  });
  if (!checked?.verified) throw invalidField('attestation', 'The passkey could not be made. Try again.');
  const { credential, credentialBackedUp } = checked.registrationInfo;
  const row = await ctx.db.maybeOne<PasskeyRow>(sql`
    insert into passkeys (user_id, name, credential_id, public_key, sign_count, transports, backed_up, created_at)
    values (${ctx.user.user_id}, ${name}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter},
      ${attestation.response.transports ?? []}, ${credentialBackedUp}, ${ctx.now().toISOString()})
    on conflict (credential_id) do nothing
    returning id, name, backed_up, created_at, last_used_at`);
  if (!row) throw invalidField('attestation', 'This passkey is in use already.');
  await ctx.audit({ action: 'add_passkey', entity: 'user', entity_id: ctx.user.user_id, after: { passkey: name } });
  await tellOfChange(ctx, ctx.user.user_id, 'A passkey was added', `The passkey "${name}" can sign in as you.`);
  return row;
}

async function remove(ctx: Ctx, id: number): Promise<void> {
  const { user_id } = ctx.user;
  const row = await ctx.db.maybeOne<{ name: string }>(sql`
    select name from passkeys where id = ${id} and user_id = ${user_id} for update`);
  if (!row) throw refuse('not_found');
  const factors = await factorsOf(ctx, user_id);
  const last = factors.passkeys === 1 && !factors.code;
  await refuseIfLast(ctx, last);
  await ctx.db.exec(sql`delete from passkeys where id = ${id}`);
  if (last) await ctx.db.exec(sql`delete from recovery_codes where user_id = ${user_id}`);
  await ctx.audit({ action: 'remove_passkey', entity: 'user', entity_id: user_id, before: { passkey: row.name } });
  await tellOfChange(ctx, user_id, 'A passkey was removed', `The passkey "${row.name}" can no longer sign in as you.`);
}

export const passkeyRoutes: Route[] = serve(passkeyEndpoints, {
  options: async (ctx) => ({ data: await signingOptions(ctx) }),
  login: (ctx, { body }) => signInWith(ctx, body.passkey),
  async list(ctx) {
    return { data: await ctx.db.query<PasskeyRow>(sql`
      select id, name, backed_up, created_at, last_used_at from passkeys where user_id = ${ctx.user.user_id}
      order by id`) };
  },
  async create(ctx, { body }) {
    if (!body.attestation) return { data: { options: await makingOptions(ctx), passkey: null, recovery_codes: null } };
    const passkey = await store(ctx, body.name, body.attestation);
    return { data: { options: null, passkey, recovery_codes: await firstRecoveryCodes(ctx, ctx.user.user_id) } };
  },
  remove: (ctx, { params }) => remove(ctx, params.id),
});

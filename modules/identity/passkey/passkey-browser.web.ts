/**
 * The browser's half of passkeys. The library that speaks to the device is loaded when somebody uses one; what the two
 * halves of the library say to each other is carried by the contract without being read.
 */
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON }
  from '@simplewebauthn/browser';
import { call, prepareCsrf, remote } from '#kit/client.ts';
import type { Attestation, PasskeyAnswer, passkeyEndpoints } from './passkey.contract.ts';

type Endpoints = typeof passkeyEndpoints;
const options = remote<Endpoints['options']>('POST', '/api/auth/passkey-options');
const create = remote<Endpoints['create']>('POST', '/api/users/me/passkeys');

/** Whether this browser knows passkeys at all. */
export function passkeysPossible(): boolean {
  return typeof window.PublicKeyCredential === 'function';
}

/** The browser's refusals in our words; they say nothing about why, on purpose (WebAuthn level 3, 14.5). */
function inWords(error: unknown): Error {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return new Error('This device has a passkey for your account already.');
  if (name === 'NotAllowedError' || name === 'AbortError') {
    return new Error('The passkey was not used. Try again, or use another way.');
  }
  if (name === 'SecurityError') return new Error('Passkeys do not work at this address.');
  return error instanceof Error ? error : new Error('The passkey did not work.');
}

/** Lets a passkey sign: of this person where somebody is signed in or has given the password, else any. */
export async function askPasskey(): Promise<PasskeyAnswer> {
  await prepareCsrf();
  const { data } = await call(options, {});
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = data as unknown as PublicKeyCredentialRequestOptionsJSON;
  return await startAuthentication({ optionsJSON }).catch((error: unknown) => {
    throw inWords(error);
  }) as unknown as PasskeyAnswer;
}

/** Makes a passkey on this device; answers the recovery codes where it is the first factor. */
export async function makePasskey(name: string): Promise<string[] | null> {
  const { data } = await call(create, { body: { name } });
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = data.options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const attestation = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw inWords(error);
  });
  const body = { name, attestation: attestation as unknown as Attestation };
  return (await call(create, { body })).data.recovery_codes;
}

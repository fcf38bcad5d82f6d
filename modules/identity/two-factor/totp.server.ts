/** Codes of authenticator apps: RFC 6238 with SHA-1, six digits, 30 seconds, as every app computes them. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** One step earlier or later is accepted: clocks of telephones are not exact. */
const DRIFT = [0, -1, 1];
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret in base32, as apps take it. */
export function newSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** The address that an authenticator app reads from the QR code. */
export function otpauthUrl(secret: string, email: string): string {
  const label = `Grand Rights:${email}`;
  return `otpauth://totp/${encodeURIComponent(label)}?secret=${secret}&issuer=Grand%20Rights&algorithm=SHA1`
    + `&digits=${DIGITS}&period=${STEP_SECONDS}`;
}

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS);
}

/** The code of a step: RFC 4226 section 5.3 on the secret's bytes. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = mac[mac.length - 1]! & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step that `code` belongs to at `now`; null where it is none of the three that are accepted. */
export function matchingStep(secret: string, code: string, now: Date): number | null {
  const given = Buffer.from(code.replace(/\s/g, ''));
  let found: number | null = null;
  for (const drift of DRIFT) {
    const step = stepAt(now) + drift;
    const wanted = Buffer.from(codeOf(secret, step));
    if (wanted.length === given.length && timingSafeEqual(wanted, given)) found ??= step;
  }
  return found;
}

export function toBase32(bytes: Buffer, alphabet = BASE32): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text).map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

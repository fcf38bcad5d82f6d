/**
 * Secrets at rest: bank details and tax ids are AES-256-GCM ciphertext, bound to the record they belong to, so that
 * a value copied to another row does not open there. The key comes from ENCRYPTION_KEY; without it from a key file
 * that the installation makes once under DATA_DIR.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyFrom, type Settings } from './settings.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealed {
  /** nonce, ciphertext and tag in one. */
  bytes: Buffer;
  /** Id of the key that sealed it: eight characters that reveal nothing about the key. */
  key_id: string;
}

type KeySettings = Pick<Settings, 'encryption_key' | 'data_dir'>;

/** `owner` names record and field, such as `royaltor:12:bank_account`; the same text opens it again. */
export function seal(settings: KeySettings, owner: string, text: string): Sealed {
  const key = keyOf(settings);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
  const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { bytes, key_id: keyId(key) };
}

/** Throws where the key is another one, the bytes were changed, or they belong to another record. */
export function unseal(settings: KeySettings, owner: string, sealed: Sealed): string {
  const key = keyOf(settings);
  if (keyId(key) !== sealed.key_id) throw new Error(`sealed with key ${sealed.key_id}, which is not the key in use`);
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(owner)).setAuthTag(sealed.bytes.subarray(-TAG_BYTES));
  const body = sealed.bytes.subarray(NONCE_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

/** The last four characters that screens show, without blanks; fewer where revealing four would reveal the whole. */
export function lastFour(text: string): string {
  const plain = text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  return plain.slice(-Math.min(4, Math.max(1, Math.floor(plain.length / 2))));
}

const fileKeys = new Map<string, Buffer>();

function keyOf(settings: KeySettings): Buffer {
  if (settings.encryption_key !== null) return keyFrom(settings.encryption_key);
  const known = fileKeys.get(settings.data_dir);
  if (known) return known;
  const key = keyFrom(keyFileText(settings.data_dir));
  fileKeys.set(settings.data_dir, key);
  return key;
}

/** Written with `wx`: of two processes that start at once the first one's key stands. */
function keyFileText(folder: string): string {
  const file = join(folder, 'encryption.key');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

function keyId(key: Buffer): string {
  return createHash('sha256').update('key-id').update(key).digest('hex').slice(0, 8);
}

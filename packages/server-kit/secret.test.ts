import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lastFour, seal, unseal } from './secret.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'secret-'));
const settings = { encryption_key: null, data_dir };
const OWNER = 'royaltor:1:bank_account';
afterAll(() => rmSync(data_dir, { recursive: true }));

describe('secrets at rest', () => {
  it('open again only for the record they belong to', () => {
    const sealed = seal(settings, OWNER, 'GB29 NWBK 6016 1331 9268 19');
    expect(sealed.bytes.toString('latin1')).not.toContain('NWBK');
    expect(unseal(settings, OWNER, sealed)).toBe('GB29 NWBK 6016 1331 9268 19');
    expect(() => unseal(settings, 'royaltor:2:bank_account', sealed)).toThrow();
  });

  it('never have the same ciphertext twice and refuse a changed byte', () => {
    const sealed = seal(settings, OWNER, '12345678');
    expect(seal(settings, OWNER, '12345678').bytes.equals(sealed.bytes)).toBe(false);
    sealed.bytes[14]! ^= 1;
    expect(() => unseal(settings, OWNER, sealed)).toThrow();
  });

  it('name the key, and say so when it is another one', () => {
    const sealed = seal(settings, OWNER, '12345678');
    expect(() => unseal({ ...settings, encryption_key: 'another' }, OWNER, sealed)).toThrow(/not the key in use/);
  });

  it('keep the key file to its owner', () => {
    seal(settings, OWNER, 'x');
    expect(statSync(join(data_dir, 'encryption.key')).mode & 0o777).toBe(0o600);
  });

  it.each([['GB29 6819', '6819'], ['123', '3'], ['1234', '34'], ['12-3456789', '6789']])(
    'shows %s as %s', (text, shown) => expect(lastFour(text)).toBe(shown));
});

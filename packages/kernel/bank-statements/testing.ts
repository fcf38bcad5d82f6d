/** Helpers for tests of bank files: text in, statements or the code of the refusal out. */
import type { BankFileRefusal, BankStatement } from './bank-file.ts';
import type { Decode } from './file-text.ts';
import { readBankFile, type ReadOptions } from './read-bank-file.ts';

export const NO_OPTIONS: ReadOptions = { today: null, currency: null, date_order: null, decimal_mark: null };

/** The decoder that the server hands over: labels of the Encoding Standard, unknown ones are null. */
export function decodeWith(decoder: new (label: string) => { decode(bytes: Uint8Array): string }): Decode {
  return (bytes, encoding) => {
    try {
      return new decoder(encoding).decode(bytes);
    } catch {
      return null;
    }
  };
}

export interface Read {
  statements: BankStatement[];
  refusal: BankFileRefusal | null;
  format: string | null;
}

/** Reads bytes with what is known of the account. */
export function readBytes(bytes: Uint8Array, decode: Decode, options: Partial<ReadOptions> = {}): Read {
  const { file, refusal } = readBankFile(bytes, decode, { ...NO_OPTIONS, ...options });
  return { statements: file?.statements ?? [], refusal, format: file?.format ?? null };
}

/** A line in short: '2026-03-01 -33.52 NAME|memo|reference'. */
export function inShort(statement: BankStatement | undefined): string[] {
  return (statement?.lines ?? []).map((line) => {
    const digits = String(line.amount_minor < 0n ? -line.amount_minor : line.amount_minor).padStart(3, '0');
    const amount = `${line.amount_minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    return `${line.booked_on} ${amount} ${line.name}|${line.memo}|${line.reference || line.bank_id || ''}`;
  });
}

/** Flags of a statement, in order of the alphabet. */
export function flagsOf(statement: BankStatement | undefined): string[] {
  return (statement?.flags ?? []).map(({ flag }) => flag).sort();
}

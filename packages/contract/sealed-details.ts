/**
 * Bank details and tax id of whom the house pays: written and never read back, changed only by a person who confirmed
 * who they are, and trusted once another person has verified them (domain.md 7; reliability.md 3.5).
 */
import * as z from 'zod';
import { ibanHolds, plainNumber } from '#kernel/receivables/bank-numbers.ts';
import { declineBody } from './approval.ts';
import { staff } from './auth.ts';
import { endpoint, one } from './endpoint.ts';
import { version } from './field.ts';
import type { Permission } from './permission.ts';

/** What a row shows of them; for the `extra` of its resource. */
export const sealedRow = {
  bank_account_last4: z.string().nullable(), bank_verified_at: z.string().nullable(), tin_last4: z.string().nullable(),
  /** Who wrote the bank details that are stored: another person verifies them. */
  bank_written_by_id: z.int().nullable(),
};

const ALPHABET = [/^[0-9A-Za-z -]+$/, 'Letters, digits, blanks and hyphens'] as const;

/** Two letters and two digits begin an IBAN, and nothing else that an account is called by. */
const isIban = (text: string): boolean => /^[A-Z]{2}\d{2}/.test(plainNumber(text));

export const bankDetails = z.strictObject({
  version,
  account: z.string().trim().min(4, 'An account number or IBAN is required').max(40).regex(...ALPHABET)
    .refine((text) => !isIban(text) || ibanHolds(text),
      'This IBAN does not hold: a character is wrong, missing or too many. Compare it with what they sent').nullable(),
  routing: z.string().trim().min(4).max(40).regex(...ALPHABET).nullable().default(null),
});
export const taxId = z.strictObject({
  version, tin: z.string().trim().min(4, 'A tax id is required').max(30).regex(...ALPHABET).nullable(),
});

/** `path` is that of the collection, `noun` what people call one of its rows; null clears what is stored. */
export function sealedEndpoints<P extends string, R extends z.ZodType>(
  { path, noun, permission, row }: { path: P; noun: string; permission: Permission; row: R },
) {
  return {
    bankDetails: endpoint({ method: 'PUT', path: `${path}/{id}/bank_details` as const, auth: staff(permission),
      confirm: true, secret: true, summary: `Write or clear the bank details of a ${noun}; they are never read back`,
      body: bankDetails, response: one(row) }),
    verifyBankDetails: endpoint({ method: 'PUT', path: `${path}/{id}/bank_details/verify` as const,
      auth: staff(permission), confirm: true, summary: `Confirm bank details of a ${noun} that another person wrote`,
      body: z.strictObject({ version }), response: one(row) }),
    declineBankDetails: endpoint({ method: 'PUT', path: `${path}/{id}/bank_details/decline` as const,
      auth: staff(permission), confirm: true,
      summary: `Decline bank details of a ${noun} that another person wrote: they are deleted`,
      body: declineBody, response: one(row) }),
    taxId: endpoint({ method: 'PUT', path: `${path}/{id}/tax_id` as const, auth: staff(permission),
      confirm: true, secret: true, summary: `Write or clear the tax id of a ${noun}; it is never read back`,
      body: taxId, response: one(row) }),
  };
}

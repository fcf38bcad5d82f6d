/**
 * Bank details and tax id of whom the house pays: written and never read back, changed only by a person who confirmed
 * who they are, and trusted once another person has verified them (domain.md 7; reliability.md 3.5).
 */
import * as z from 'zod';
import { ibanHolds, numberKind } from '#kernel/receivables/bank-numbers.ts';
import { declineBody } from './approval.ts';
import { staff } from './auth.ts';
import { endpoint, one } from './endpoint.ts';
import { nameLine, version } from './field.ts';
import type { Permission } from './permission.ts';

/** An American account with its routing number; a British one with its sort code; an IBAN; any other. */
export const BANK_KINDS = ['us', 'uk', 'iban', 'other'] as const;
export type BankKind = (typeof BANK_KINDS)[number];

/** Fields of the sealed details that a row shows; for the `extra` of its resource. */
export const sealedRow = {
  bank_account_last4: z.string().nullable(), tin_last4: z.string().nullable(),
  bank_kind: z.enum(BANK_KINDS).nullable(), bank_country: z.string().nullable(), bank_holder: z.string().nullable(),
  /** Author of the stored bank details: another person verifies them. */
  bank_written_by_id: z.int().nullable(), bank_written_by_name: z.string().nullable(),
  bank_details_changed_at: z.string().nullable(),
  bank_verified_at: z.string().nullable(), bank_verified_by_name: z.string().nullable(),
  /** Person who confirmed the details, and how they were reached. */
  bank_verified_note: z.string().nullable(),
};

const ALPHABET = [/^[0-9A-Za-z -]+$/, 'Letters, digits, blanks and hyphens'] as const;

export const bankDetails = z.strictObject({
  version,
  account: z.string().trim().min(4, 'An account number or IBAN is required').max(40).regex(...ALPHABET)
    .refine((text) => numberKind(text, null) !== 'iban' || ibanHolds(text),
      'This IBAN does not hold: a character is wrong, missing or too many. Compare it with what they sent').nullable(),
  /** Routing number, sort code, BIC, or the name of a bank elsewhere. */
  routing: z.string().trim().min(4).max(40).regex(...ALPHABET).nullable().default(null),
  /** null: read from the numbers. */
  kind: z.enum(BANK_KINDS, 'Choose the kind of account').nullable().default(null),
  country: z.string().regex(/^[A-Z]{2}$/, 'Choose a country').nullable().default(null),
  /** Name on the account where it is another one. */
  holder: nameLine('Account holder', 140).nullable().default(null),
  is_savings: z.boolean().default(false),
});
const verification = z.strictObject({
  version, note: z.string().trim().min(1, 'Say who confirmed the details and how you reached them').max(500),
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
      body: verification, response: one(row) }),
    declineBankDetails: endpoint({ method: 'PUT', path: `${path}/{id}/bank_details/decline` as const,
      auth: staff(permission), confirm: true,
      summary: `Decline bank details of a ${noun} that another person wrote: they are deleted`,
      body: declineBody, response: one(row) }),
    taxId: endpoint({ method: 'PUT', path: `${path}/{id}/tax_id` as const, auth: staff(permission),
      confirm: true, secret: true, summary: `Write or clear the tax id of a ${noun}; it is never read back`,
      body: taxId, response: one(row) }),
  };
}

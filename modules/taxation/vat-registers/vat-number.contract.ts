/** The VAT number of a customer: format, check digit, and the answers of the public registers. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';

export const REGISTERS = ['vies', 'hmrc', 'tax_service'] as const;
export type RegisterName = (typeof REGISTERS)[number];
export const REGISTER_NAMES: Record<RegisterName, string> = { vies: 'VIES', hmrc: 'HMRC',
  tax_service: 'VIES, through the tax service' };

const register = z.enum(REGISTERS).nullable();
export const vatNumberCheck = z.object({
  id: z.int(), vat_number: z.string(), register,
  /** null: no register was asked. */
  answer: z.enum(['valid', 'invalid', 'unavailable']).nullable(),
  name: z.string().nullable(), address: z.string().nullable(),
  /** Consultation number. */
  reference: z.string().nullable(), problem: z.string(), asked_at: z.string(), asked_by: z.string().nullable(),
});
export type VatNumberCheckRow = z.infer<typeof vatNumberCheck>;

export const vatNumberState = z.object({
  /** Without blanks; null where the customer has none. */
  vat_number: z.string().nullable(), country_code: z.string().nullable(),
  format_valid: z.boolean(), check_digit_valid: z.boolean(),
  /** The register that answers for this number; null where none is set up. */
  register,
  /** Last yes or no; unavailable until there is one. */
  answer: z.enum(['valid', 'invalid', 'unavailable']).nullable(),
  answered_at: z.string().nullable(),
  /** Days after which the register is asked again when a document is made. */
  proof_days: z.int(),
  /** The latest first, at most 20. */
  checks: z.array(vatNumberCheck),
});
export type VatNumberState = z.infer<typeof vatNumberState>;

const path = '/api/admin/staff/customers/{id}/vat_number_checks';
export const vatNumberEndpoints = {
  show: endpoint({ method: 'GET', path, auth: staff('customer.show'), summary: 'The VAT number of a customer',
    response: one(vatNumberState) }),
  check: endpoint({ method: 'POST', path, auth: staff('customer.update'),
    summary: 'Look up the VAT number of a customer in its register', response: one(vatNumberState) }),
};

/** State of the proof on which a document was issued without VAT. */
export const vatProof = z.object({
  state: z.enum(['proved', 'kept', 'unproved', 'refused', 'format']), vat_number: z.string(), register,
  reference: z.string().nullable(), name: z.string().nullable(), asked_at: z.string().nullable(),
  problem: z.string(), checked_by_name: z.string().nullable(), checked_at: z.string().nullable(),
});
export type VatProof = z.infer<typeof vatProof>;

/**
 * The error catalogue: one stable code per refusal, with its status and its text in the product's words.
 * Bodies have Laravel's shape plus `code` (reliability.md 1.2).
 */
import type { MachineConflict } from '#kernel/licensing/machine.ts';
import type { ConflictCode } from './conflict-codes.ts';

export const ERROR_CODES = {
  unauthenticated: [401, 'Unauthenticated.'],
  forbidden: [403, 'This action is unauthorized.'],
  two_factor_required: [403, 'Set up two-factor sign-in first.'],
  email_unverified: [403, 'Your email address is not verified.'],
  acting_refused: [403, 'This cannot be done while acting for a customer.'],
  not_found: [404, 'Not Found'],
  method_not_allowed: [405, 'This address does not answer that method.'],
  conflict: [409, 'Someone changed this meanwhile.'],
  in_progress: [409, 'The same request is still being worked on.'],
  phase_conflict: [409, 'This is not possible in the current phase.'],
  in_use: [409, 'This is still in use.'],
  posted_document: [409, 'A posted document is never deleted. Credit it or reverse it.'],
  period_locked: [409, 'The accounting period is closed.'],
  four_eyes: [409, 'Another person has to do this.'],
  stale: [412, 'Someone changed this since you opened it.'],
  payload_too_large: [413, 'The file is larger than 25 MiB.'],
  unsupported_media_type: [415, 'Send JSON.'],
  csrf_mismatch: [419, 'CSRF token mismatch.'],
  invalid: [422, 'The given data was invalid.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for another request.'],
  idempotency_key_required: [422, 'Send an Idempotency-Key.'],
  confirmation_required: [423, 'Confirm that it is you first.'],
  version_required: [428, 'Say which version you are changing.'],
  too_many_attempts: [429, 'Too Many Attempts.'],
  server_error: [500, 'Server Error'],
  unavailable: [503, 'The service is not ready. Try again in a moment.'],
  storage_full: [503, 'The storage is full. Nothing was lost; try again later.'],
  unsupported_version: [400, 'Unsupported API version.'],
  bad_request: [400, 'The request could not be read.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof ERROR_CODES;
export type FieldErrors = Record<string, string[]>;

/** A refusal that the client may see. Throw it anywhere below a handler; the transaction rolls back. */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: FieldErrors | undefined;
  readonly facts: Record<string, unknown> | undefined;
  constructor(code: string, options: {
    status: number; message: string; errors?: FieldErrors | undefined; facts?: Record<string, unknown> | undefined;
  }) {
    super(options.message);
    this.name = 'AppError';
    this.code = code;
    this.status = options.status;
    this.errors = options.errors;
    this.facts = options.facts;
  }
}

/** A refusal of the catalogue, with a text of its own where the general one says too little. */
export function refuse(code: ErrorCode, message?: string, facts?: Record<string, unknown>): AppError {
  const [status, text] = ERROR_CODES[code];
  return new AppError(code, { status, message: message ?? text, facts });
}

/** A business refusal: 409 with a code of `CONFLICT_CODES` and facts for the screen. */
export function conflict(
  code: ConflictCode | MachineConflict, message: string, facts?: Record<string, unknown>,
): AppError {
  return new AppError(code, { status: 409, message, facts });
}

/** 422 with texts at their fields; keys in dot notation (`lines.0.amount`). */
export function invalid(errors: FieldErrors, code = 'invalid'): AppError {
  const texts = Object.values(errors).flat();
  const more = texts.length - 1;
  const first = texts[0] ?? ERROR_CODES.invalid[1];
  const message = more > 0 ? `${first} (and ${more} more ${more === 1 ? 'error' : 'errors'})` : first;
  return new AppError(code, { status: 422, message, errors });
}

/** 422 at one field. */
export function invalidField(name: string, text: string): AppError {
  return invalid({ [name]: [text] });
}

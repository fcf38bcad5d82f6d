/** Turns whatever a handler threw into the answer of the error catalogue; what is not ours to tell becomes a 500. */
import * as z from 'zod';
import '#kit/plain-errors.ts';
import { spell } from '#kernel/text/english.ts';
import { AmountTooLarge } from '#kernel/money/money.ts';
import { MIB } from '#kit/endpoint.ts';
import { AppError, invalid, refuse, type FieldErrors } from '#kit/errors.ts';

export interface ErrorAnswer {
  status: number;
  body: Record<string, unknown>;
  /** Unexpected: logged as an error with its stack. */
  unexpected: boolean;
  /** A rule of the database refused a value that no schema did: answered like any wrong value, logged as a warning. */
  missed: boolean;
}

/** `bodyLimit` is the route's, in bytes: an answer names it. */
export function answerFor(error: unknown, requestId: string, bodyLimit = MIB): ErrorAnswer {
  const known = asAppError(error, bodyLimit);
  if (known) {
    return {
      status: known.status,
      unexpected: false,
      missed: error instanceof AmountTooLarge || isOfDatabase(error),
      body: {
        message: known.message,
        code: known.code,
        error_id: requestId,
        ...(known.errors ? { errors: known.errors } : {}),
        ...known.facts,
      },
    };
  }
  return {
    status: 500, unexpected: true, missed: false,
    body: { message: 'Server Error', code: 'server_error', error_id: requestId },
  };
}

function asAppError(error: unknown, bodyLimit: number): AppError | null {
  if (error instanceof AppError) return error;
  if (error instanceof AmountTooLarge) return invalid({ '': [TOO_LARGE_AMOUNT] });
  if (error instanceof z.ZodError) return invalid(fieldErrors(error));
  const { code, message, statusCode } = (error ?? {}) as { code?: string; message?: string; statusCode?: number };
  if (error instanceof Error && LOST_CONNECTION.test(error.message)) return refuse('unavailable');
  if (typeof code === 'string') {
    const database = fromDatabase(code, message ?? '', error);
    if (database) return database;
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      return refuse('payload_too_large', `The request is larger than ${bodyLimit < MIB ? `${bodyLimit / 1024} KiB`
        : `${bodyLimit / MIB} MiB`}.`);
    }
    if (code === 'FST_REQ_FILE_TOO_LARGE') return refuse('payload_too_large');
    if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refuse('unsupported_media_type');
    if (code.startsWith('FST_ERR_CTP')) return refuse('bad_request');
  }
  if (error instanceof SyntaxError || statusCode === 400) return refuse('bad_request');
  return null;
}

/** Includes the timeouts of idle sessions and transactions (57P05, 25P03, 25P04) and a read-only server (25006). */
const UNAVAILABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND',
  'EAI_AGAIN', '57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '25006', '53300', '57014']);
/** Errors of pg about a connection that is gone have a text and no code. */
const LOST_CONNECTION = new RegExp('^(Connection terminated|Client was closed|Client has encountered a connection error'
  + '|timeout exceeded when trying to connect|Cannot use a pool after calling end)');

function fromDatabase(code: string, message: string, error: unknown): AppError | null {
  if (code === '53100') return refuse('storage_full');
  if (code === '55P03' || code === '40001' || code === '40P01') return refuse('in_progress');
  if (code === '22021' || code === '22P05') {
    return invalid({ '': ['The text holds characters that cannot be stored.'] });
  }
  if (UNAVAILABLE.has(code) || code.startsWith('08')) return refuse('unavailable');
  const value = valueRefused(code, error);
  if (value) return invalid(value);
  if (code === '23505') return refuse('conflict', 'This already exists.', constraint(error));
  if (code === '23503') return refuse('in_use', 'This is used by other records, or names one that is not there.');
  const ledger = /^(ACCT_[A-Z_]+)/.exec(message)?.[1];
  if (ledger === 'ACCT_PERIOD_LOCKED' || ledger === 'ACCT_NO_PERIOD') return refuse('period_locked');
  if (ledger !== undefined) {
    const name = `ledger.${ledger.slice(5).toLowerCase()}`;
    return new AppError(name, { status: 409, message: `The ledger refused this: ${message}` });
  }
  return null;
}

/** Classes of SQLSTATE in which the database refuses a value: of its type (22), of a rule (23). */
function isOfDatabase(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code);
}

const TOO_LARGE = 'A number here, or a sum of numbers, is larger than can be stored.';
const TOO_LARGE_AMOUNT = 'An amount here, or a sum of amounts, is above 10,000,000,000.00.';

/** A value that the database holds to be impossible, at its field where the rule names one; null for other errors. */
function valueRefused(code: string, error: unknown): FieldErrors | null {
  const { constraint: rule = '', column, table = '', dataType = '' } = error as {
    constraint?: string; column?: string; table?: string; dataType?: string };
  switch (code) {
    case '22003': return { '': [TOO_LARGE] };
    case '22001': return { [column ?? '']: ['This is longer than can be stored.'] };
    case '22P02': case '22007': case '22008': return { '': ['A value has a form that cannot be stored.'] };
    case '23502': return { [column ?? '']: ['This is required'] };
    case '23514': {
      if (dataType === 'minor_amount' || rule === 'minor_amount_check') return { '': [TOO_LARGE_AMOUNT] };
      const ofTable = rule.startsWith(`${table}_`) ? rule.slice(table.length + 1) : '';
      const field = /^(.+)_check\d*$/.exec(ofTable)?.[1];
      return { [field ?? '']: [field === undefined ? 'These values do not go together.'
        : 'This value is not possible here.'] };
    }
    default: return null;
  }
}

function constraint(error: unknown): Record<string, unknown> {
  const name = (error as { constraint?: string }).constraint;
  return name === undefined ? {} : { constraint: name };
}

/** Errors that one answer tells: a stranger who sends a thousand unknown fields is not answered a thousand lines. */
const MOST_ERRORS = 50;
const LONGEST_NAME = 80;

const nameOf = (key: string): string => (key.length > LONGEST_NAME ? `${key.slice(0, LONGEST_NAME)}…` : key);

/** Errors at fields that the schema does not know, the first 50. */
export function unknownFields(keys: readonly string[]): FieldErrors {
  return Object.fromEntries(keys.slice(0, MOST_ERRORS).map((key) =>
    [nameOf(key), [`${nameOf(key)} is not a field we know`]]));
}

/** zod issues as field errors in dot notation, the first 50. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  let told = 0;
  for (const issue of error.issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [null];
    for (const key of keys) {
      if (told === MOST_ERRORS) return errors;
      told += 1;
      const path = [...issue.path.map(String), ...(key === null ? [] : [key])].map(nameOf).join('.');
      const text = key === null ? spell(issue.message) : `${nameOf(key)} is not a field we know`;
      (errors[path] ??= []).push(text);
    }
  }
  return errors;
}

/** Shared code of the two transports (fetch in client.ts, XMLHttpRequest in upload-progress.ts). */
import type { FieldErrors } from './errors.ts';

/** By its Idempotency-Key, or by the version that its body names; null: a person has to ask again. */
export type Repeatable = 'key' | 'version' | null;

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: FieldErrors;
  readonly body: Record<string, unknown>;
  /** No answer came, and asking again cannot run it twice; what protects from that (client.ts). */
  repeatable: Repeatable = null;
  constructor(status: number, message: string, body: Record<string, unknown> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.code = typeof body.code === 'string' ? body.code : '';
    this.errors = (body.errors as FieldErrors | undefined) ?? {};
  }
}

/** Bytes sent so far; `total` and `progress` (0 to 1) where the length is known. */
export interface UploadProgress { loaded: number; total?: number; progress?: number }

/** Request to send, by either transport. */
export interface OutgoingRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | FormData | undefined;
  signal: AbortSignal | undefined;
  /** The answer is a file: its content as a Blob. */
  blob: boolean;
  timeout: number;
}
export interface IncomingAnswer { status: number; data: unknown }

/** JSON where it is, the text itself where not; nothing is `undefined`. */
export function readContent(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

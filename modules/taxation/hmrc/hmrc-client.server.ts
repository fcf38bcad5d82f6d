/**
 * HMRC's VAT (Making Tax Digital) API 1.0 and its OAuth 2 over HTTP. Never called inside a transaction. A request that
 * was certainly not taken, one that was refused and one whose answer was lost are three different things.
 */
import * as z from 'zod';
import type { NineBoxes, Obligation } from '#kernel/tax/hmrc.ts';
import { refuseInTransaction } from '#server/outside.ts';
import type { HmrcSettings } from '#server/settings.ts';

/** HMRC answered and did not take it. */
export class HmrcRefusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The request did not leave: no connection. */
export class HmrcNotReached extends Error {}

/** The request may have been taken; the answer did not come, or was none. */
export class HmrcAnswerLost extends Error {}

export interface HmrcTokens { access_token: string; refresh_token: string; expires_in: number }
export interface HmrcReceipt {
  form_bundle_number: string; processing_date: string; charge_ref_number: string | null; receipt_id: string | null;
}
export interface HmrcLiability {
  type: string; originalAmount: number; outstandingAmount?: number | undefined; due?: string | undefined;
  taxPeriod?: { from: string; to: string } | undefined;
}
export interface HmrcPayment { amount: number; received?: string | undefined }

/** One business at HMRC, asked with a token and the headers of the person who asks. */
export interface HmrcVat {
  obligations(filter: { status: 'O' } | { from: string; to: string }): Promise<Obligation[]>;
  submit(body: NineBoxes): Promise<HmrcReceipt>;
  /** null: HMRC has no return of the period. */
  view(periodKey: string): Promise<NineBoxes | null>;
  liabilities(from: string, to: string): Promise<HmrcLiability[]>;
  payments(from: string, to: string): Promise<HmrcPayment[]>;
}

const TIMEOUT_MS = 15_000;
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const obligations = z.object({ obligations: z.array(z.object({ start: day, end: day, due: day,
  status: z.enum(['O', 'F']), periodKey: z.string().length(4), received: day.optional() })) });
const taxPeriod = z.object({ from: day, to: day });
const liabilities = z.object({ liabilities: z.array(z.object({ type: z.string(), originalAmount: z.number(),
  outstandingAmount: z.number().optional(), due: day.optional(), taxPeriod: taxPeriod.optional() })) });
const payments = z.object({ payments: z.array(z.object({ amount: z.number(), received: day.optional() })) });
const receipt = z.object({ processingDate: z.string().max(40), formBundleNumber: z.string().max(100),
  chargeRefNumber: z.string().max(100).optional() });
const stored = z.record(z.string(), z.unknown());
const tokens = z.object({ access_token: z.string().min(1), refresh_token: z.string().min(1),
  expires_in: z.number().positive() });
const refusal = z.object({ code: z.string(), message: z.string().default(''),
  errors: z.array(z.object({ code: z.string(), message: z.string().default('') })).optional() });
const oauthRefusal = z.object({ error: z.string(), error_description: z.string().default('') });

/** Failures before a byte of the request was sent. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']);

async function ask(url: string, init: RequestInit): Promise<Response> {
  refuseInTransaction('A call to HMRC');
  try {
    return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    const code = (error as { cause?: { code?: string } }).cause?.code ?? '';
    throw NOT_SENT.has(code) ? new HmrcNotReached(code) : new HmrcAnswerLost(code || String(error));
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw new HmrcAnswerLost(`status ${response.status} without an answer: ${String(error)}`);
  }
}

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const result = schema.safeParse(answer);
  if (!result.success) throw new HmrcAnswerLost(`HMRC answered something else: ${result.error.message.slice(0, 300)}`);
  return result.data;
}

/** A refusal as HMRC writes it; several faults come as one code with a list. */
async function refused(response: Response): Promise<Error> {
  if (response.status >= 500) return new HmrcAnswerLost(`status ${response.status}`);
  const answer = refusal.safeParse(await response.json().catch(() => null));
  const first = answer.data?.errors?.[0] ?? answer.data;
  return new HmrcRefusal(response.status, first?.code ?? `HTTP_${response.status}`, first?.message ?? '');
}

/** Authorization at HMRC, by code or by refresh token. */
export async function hmrcTokens(
  hmrc: HmrcSettings, grant: { code: string; redirect_uri: string } | { refresh_token: string },
): Promise<HmrcTokens> {
  const body = new URLSearchParams({ client_id: hmrc.client_id, client_secret: hmrc.client_secret,
    grant_type: 'code' in grant ? 'authorization_code' : 'refresh_token', ...grant });
  const response = await ask(`${hmrc.url}/oauth/token`, { method: 'POST', body,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' } });
  if (response.ok) return read(tokens, await jsonOf(response));
  if (response.status >= 500) throw new HmrcAnswerLost(`status ${response.status}`);
  const answer = oauthRefusal.safeParse(await response.json().catch(() => null));
  throw new HmrcRefusal(response.status, answer.data?.error ?? `HTTP_${response.status}`,
    answer.data?.error_description ?? '');
}

/** Address at which a person signs in to HMRC and grants the authorization. */
export function signInAddress(hmrc: HmrcSettings, state: string, redirectUri: string): string {
  return `${hmrc.sign_in_url}/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: hmrc.client_id,
    scope: 'read:vat write:vat', state, redirect_uri: redirectUri })}`;
}

export function hmrcVat(hmrc: HmrcSettings, vrn: string, token: string, fraud: Record<string, string>): HmrcVat {
  const base = `${hmrc.url}/organisations/vat/${vrn}`;
  const send = (path: string, init: RequestInit = {}): Promise<Response> => ask(`${base}${path}`, { ...init,
    headers: { ...fraud, Accept: 'application/vnd.hmrc.1.0+json', Authorization: `Bearer ${token}`,
      ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }) } });
  /** Returns the response as read by the schema, or null if HMRC has nothing. */
  async function get<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
    const response = await send(path);
    if (response.ok) return read(schema, await jsonOf(response));
    if (response.status === 404) return null;
    throw await refused(response);
  }
  const span = (from: string, to: string): string => `?${new URLSearchParams({ from, to })}`;
  return {
    obligations: async (filter) => (await get(`/obligations?${new URLSearchParams({ ...filter })}`, obligations))
      ?.obligations ?? [],
    async submit(body) {
      const response = await send('/returns', { method: 'POST', body: JSON.stringify(body) });
      if (response.status !== 201) throw await refused(response);
      const answer = read(receipt, await jsonOf(response));
      return { form_bundle_number: answer.formBundleNumber, processing_date: answer.processingDate,
        charge_ref_number: answer.chargeRefNumber ?? null,
        receipt_id: response.headers.get('Receipt-ID')?.slice(0, 100) ?? null };
    },
    view: (periodKey) => get(`/returns/${encodeURIComponent(periodKey)}`, stored),
    liabilities: async (from, to) => (await get(`/liabilities${span(from, to)}`, liabilities))?.liabilities ?? [],
    payments: async (from, to) => (await get(`/payments${span(from, to)}`, payments))?.payments ?? [],
  };
}

/**
 * HMRC's VAT (MTD) API 1.0 and its OAuth 2 as a server on this machine. It holds every request to what HMRC publishes:
 * addresses, methods, Accept, token and scope, nine-digit number, dates and their span, key and boxes of a return, the
 * sums between them, a period that has ended, one return for each period; codes and statuses are HMRC's own (the test
 * compares them with the published file). Faults are ordered one by one.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;
interface Obligation {
  start: string; end: string; due: string; status: 'O' | 'F'; periodKey: string; received?: string;
}
interface Seen { method: string; path: string; headers: IncomingMessage['headers']; body: unknown }

/** Code, status and words of each refusal that the published file names and the double gives. */
export const REFUSALS = {
  VRN_INVALID: [400, 'The provided VRN is invalid'], PERIOD_KEY_INVALID: [400, 'Invalid period key'],
  INVALID_REQUEST: [400, 'Invalid request'], INVALID_DATE_FROM: [400, 'The provided from date is invalid'],
  INVALID_DATE_TO: [400, 'The provided to date is invalid'],
  INVALID_DATE_RANGE: [400, 'Invalid date range, must be 366 days or less'],
  DATE_FROM_INVALID: [400, 'The provided from date is invalid'],
  DATE_TO_INVALID: [400, 'The provided to date is invalid'],
  DATE_RANGE_INVALID: [400, 'Invalid date range, must be 365 days or less'],
  INVALID_STATUS: [400, 'The provided data is failed validation, invalid status'],
  VAT_TOTAL_VALUE: [400, 'totalVatDue should be equal to the sum of vatDueSales and vatDueAcquisitions'],
  VAT_NET_VALUE: [400, 'netVatDue should be the difference between the largest and the smallest values among '
    + 'totalVatDue and vatReclaimedCurrPeriod'],
  INVALID_NUMERIC_VALUE: [400, 'please provide a numeric field'],
  INVALID_MONETARY_AMOUNT: [400, 'amount should be a monetary value (to 2 decimal places), between 0 and '
    + '99,999,999,999.99'],
  NOT_FINALISED: [403, 'User has not declared VAT return as final'],
  DUPLICATE_SUBMISSION: [403, 'The VAT return was already submitted for the given period'],
  TAX_PERIOD_NOT_ENDED: [403,
    'The remote endpoint has indicated that the submission is for a tax period that has not ended'],
  CLIENT_OR_AGENT_NOT_AUTHORISED: [403, 'The client and/or agent is not authorised'],
  NOT_FOUND: [404, 'The requested resource could not be found'],
} as const;

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(code: keyof typeof REFUSALS | 'INVALID_CREDENTIALS' | 'INVALID_SCOPE' | 'ACCEPT_HEADER_INVALID') {
    const gateway = { INVALID_CREDENTIALS: [401, 'Invalid Authentication information provided'],
      INVALID_SCOPE: [403, 'The scope is invalid'],
      ACCEPT_HEADER_INVALID: [406, 'The accept header is missing or invalid'] } as const;
    const [status, message] = { ...REFUSALS, ...gateway }[code];
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Names of the nine boxes as the published file requires them; the first five in pence, box 5 never below zero. */
export const BOXES = ['vatDueSales', 'vatDueAcquisitions', 'totalVatDue', 'vatReclaimedCurrPeriod', 'netVatDue',
  'totalValueSalesExVAT', 'totalValuePurchasesExVAT', 'totalValueGoodsSuppliedExVAT', 'totalAcquisitionsExVAT'];
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const pence = (pounds: number): number => Math.round(pounds * 100);
const inPence = (value: number): boolean => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6;

/** Each header of the list with the form that HMRC publishes for it. */
const FRAUD: Readonly<Record<string, RegExp>> = {
  'gov-client-connection-method': /^WEB_APP_VIA_SERVER$/,
  'gov-client-browser-js-user-agent': /^.{5,}$/,
  'gov-client-device-id': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'gov-client-public-ip': /^[\d.]+$|^[0-9a-f:]+$/i,
  'gov-client-public-ip-timestamp': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  'gov-client-screens': /^width=\d+&height=\d+&scaling-factor=[\d.]+&colour-depth=\d+(,width=.+)*$/,
  'gov-client-timezone': /^UTC[+-]\d\d:\d\d$/,
  'gov-client-user-ids': /^[^=&,\s]+=[^=&,\s]+$/,
  'gov-client-window-size': /^width=\d+&height=\d+$/,
  'gov-vendor-forwarded': /^by=[^&]+&for=[^&]+$/,
  'gov-vendor-product-name': /^[^\s]+$/,
  'gov-vendor-public-ip': /^[\d.]+$/,
  'gov-vendor-version': /^[^=&,\s]+=[^=&,\s]+$/,
};

/** Effect of an ordered fault on the next matching request. */
type Fault = 'cut_after' | 'cut_before' | 'unavailable';

export class HmrcDouble {
  readonly clientId = 'test-client';
  readonly clientSecret = 'test-secret';
  vrn = '123456782';
  today = '2026-11-20';
  obligations: Obligation[] = [];
  readonly returns = new Map<string, Json>();
  liabilities: Json[] = [];
  payments: Json[] = [];
  readonly seen: Seen[] = [];
  /** Headers of fraud prevention that were missing or of another form. */
  readonly fraudFaults: string[] = [];
  readonly faults: { on: string; fault: Fault }[] = [];
  #codes = new Map<string, string>();
  #access = new Set<string>();
  #refresh = new Set<string>();
  #server = createServer((request, response) => { void this.#answer(request, response); });

  async start(): Promise<this> {
    await new Promise<void>((done) => { this.#server.listen(0, '127.0.0.1', done); });
    return this;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((done) => { this.#server.close(() => done()); });
  }

  get url(): string { return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; }

  /** Simulates the person at HMRC: signs in, agrees, and is redirected with a code. */
  grant(address: string): { state: string; code: string; back: string } {
    const query = new URL(address).searchParams;
    const wrong = query.get('response_type') !== 'code' || query.get('client_id') !== this.clientId
      || query.get('scope') !== 'read:vat write:vat';
    if (wrong) throw new Error(`HMRC shows an error: ${address}`);
    const [code, back] = [randomUUID(), query.get('redirect_uri')!];
    this.#codes.set(code, back);
    return { state: query.get('state')!, code, back };
  }

  /** The four hours are over: the token is not taken any more. */
  endAccess(): void { this.#access.clear(); }

  /** The authorization is withdrawn at HMRC. */
  revoke(): void { this.#access.clear(); this.#refresh.clear(); }

  calls(path: RegExp, method = 'POST'): Seen[] {
    return this.seen.filter((one) => one.method === method && path.test(one.path));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const url = new URL(request.url!, this.url);
    const order = this.faults.findIndex(({ on }) => `${request.method} ${url.pathname}`.startsWith(on));
    const fault = order < 0 ? null : this.faults.splice(order, 1)[0]!.fault;
    if (fault === 'cut_before') { request.socket.destroy(); return; }
    if (fault === 'unavailable') { response.writeHead(503).end('<html>Service unavailable</html>'); return; }
    const answer = this.#judge(request, url, text);
    if (fault === 'cut_after') { request.socket.destroy(); return; }
    response.writeHead(answer.status, { 'Content-Type': 'application/json', 'X-CorrelationId': randomUUID(),
      ...answer.headers }).end(JSON.stringify(answer.body));
  }

  #judge(request: IncomingMessage, url: URL, text: string): { status: number; body: Json; headers?: Json & object } {
    if (url.pathname === '/oauth/token') return this.#token(text, request.headers['content-type'] ?? '');
    try {
      const body = text === '' ? undefined : JSON.parse(text) as unknown;
      this.seen.push({ method: request.method!, path: url.pathname + url.search, headers: request.headers, body });
      return this.#vat(request, url, body);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: { code: error.code, message: error.message } };
    }
  }

  #token(text: string, type: string): { status: number; body: Json } {
    const form = new URLSearchParams(text);
    const failed = (error: string): { status: number; body: Json } =>
      ({ status: error === 'invalid_client' ? 401 : 400, body: { error, error_description: error } });
    if (!type.startsWith('application/x-www-form-urlencoded')) return failed('invalid_request');
    if (form.get('client_id') !== this.clientId || form.get('client_secret') !== this.clientSecret) {
      return failed('invalid_client');
    }
    const kind = form.get('grant_type');
    const good = kind === 'authorization_code'
      ? this.#codes.get(form.get('code') ?? '') === form.get('redirect_uri') && this.#codes.delete(form.get('code')!)
      : kind === 'refresh_token' && this.#refresh.delete(form.get('refresh_token') ?? '');
    if (!good) return failed('invalid_grant');
    const [access, refresh] = [randomUUID(), randomUUID()];
    this.#access.clear();
    this.#access.add(access);
    this.#refresh.add(refresh);
    return { status: 200, body: { access_token: access, refresh_token: refresh, expires_in: 14_400,
      scope: 'read:vat write:vat', token_type: 'bearer' } };
  }

  #vat(request: IncomingMessage, url: URL, body: unknown) {
    const { headers } = request;
    if (headers.accept !== 'application/vnd.hmrc.1.0+json') throw new Refusal('ACCEPT_HEADER_INVALID');
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (!token || !this.#access.has(token)) throw new Refusal('INVALID_CREDENTIALS');
    for (const [name, form] of Object.entries(FRAUD)) {
      if (!form.test(String(headers[name] ?? ''))) this.fraudFaults.push(`${name}: ${String(headers[name])}`);
    }
    const match = /^\/organisations\/vat\/([^/]+)\/(\w+)(?:\/([^/]+))?$/.exec(url.pathname);
    if (!match) throw new Refusal('NOT_FOUND');
    const [, vrn, what, key] = match;
    if (!/^\d{9}$/.test(vrn!)) throw new Refusal('VRN_INVALID');
    if (vrn !== this.vrn) throw new Refusal('CLIENT_OR_AGENT_NOT_AUTHORISED');
    const call = `${request.method} ${what}${key === undefined ? '' : ' key'}`;
    if (call === 'GET obligations') return this.#obligations(url.searchParams);
    if (call === 'POST returns') return this.#submit(body);
    if (call === 'GET returns key') return this.#view(decodeURIComponent(key!));
    if (call === 'GET liabilities') return this.#money(url.searchParams, 'liabilities', this.liabilities);
    if (call === 'GET payments') return this.#money(url.searchParams, 'payments', this.payments);
    throw new Refusal('NOT_FOUND');
  }

  #obligations(query: URLSearchParams) {
    const [from, to, status] = [query.get('from'), query.get('to'), query.get('status')];
    if (status !== null && status !== 'O' && status !== 'F') throw new Refusal('INVALID_STATUS');
    if (status !== 'O' || from !== null || to !== null) {
      if (!DAY.test(from ?? '')) throw new Refusal('INVALID_DATE_FROM');
      if (!DAY.test(to ?? '')) throw new Refusal('INVALID_DATE_TO');
      const days = (Date.parse(to!) - Date.parse(from!)) / 86_400_000;
      if (days < 0 || days > 366) throw new Refusal('INVALID_DATE_RANGE');
    }
    const found = this.obligations.filter((one) => (status === null || one.status === status)
      && (from === null || one.end >= from) && (to === null || one.start <= to));
    if (found.length === 0) throw new Refusal('NOT_FOUND');
    return { status: 200, body: { obligations: found } };
  }

  #money(query: URLSearchParams, name: string, rows: Json[]) {
    const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
    if (!DAY.test(from) || from < '2017-12-01') throw new Refusal('DATE_FROM_INVALID');
    if (!DAY.test(to) || to > this.today) throw new Refusal('DATE_TO_INVALID');
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
    if (days < 0 || days > 365) throw new Refusal('DATE_RANGE_INVALID');
    if (rows.length === 0) throw new Refusal('NOT_FOUND');
    return { status: 200, body: { [name]: rows } };
  }

  #view(key: string) {
    if (key.length !== 4) throw new Refusal('PERIOD_KEY_INVALID');
    const found = this.returns.get(key);
    if (!found) throw new Refusal('NOT_FOUND');
    return { status: 200, body: found };
  }

  #submit(sent: unknown) {
    const body = sent as Json;
    const extra = Object.keys(body).filter((name) => ![...BOXES, 'periodKey', 'finalised'].includes(name));
    if (extra.length > 0) throw new Refusal('INVALID_REQUEST');
    const key = body['periodKey'];
    if (typeof key !== 'string' || key.length !== 4) throw new Refusal('PERIOD_KEY_INVALID');
    const numbers = BOXES.map((name) => body[name]);
    if (!numbers.every((value) => typeof value === 'number')) throw new Refusal('INVALID_NUMERIC_VALUE');
    const [sales, acquired, total, reclaimed, net, ...values] = numbers;
    const wrong = !numbers.every((value) => inPence(value) && Math.abs(value) < 1e13)
      || net! < 0 || net! > 99_999_999_999.99 || !values.every(Number.isInteger);
    if (wrong) throw new Refusal('INVALID_MONETARY_AMOUNT');
    if (pence(total!) !== pence(sales!) + pence(acquired!)) throw new Refusal('VAT_TOTAL_VALUE');
    if (pence(net!) !== Math.abs(pence(total!) - pence(reclaimed!))) throw new Refusal('VAT_NET_VALUE');
    if (body['finalised'] !== true) throw new Refusal('NOT_FINALISED');
    const obligation = this.obligations.find((one) => one.periodKey === key);
    if (!obligation) throw new Refusal('PERIOD_KEY_INVALID');
    if (this.returns.has(obligation.periodKey)) throw new Refusal('DUPLICATE_SUBMISSION');
    if (obligation.end >= this.today) throw new Refusal('TAX_PERIOD_NOT_ENDED');
    const { finalised: _, ...stored } = body;
    this.returns.set(obligation.periodKey, stored);
    Object.assign(obligation, { status: 'F', received: this.today });
    return { status: 201, headers: { 'Receipt-ID': randomUUID(), 'Receipt-Timestamp': `${this.today}T09:32:15Z`,
      'Receipt-Signature': 'DO NOT USE' },
    body: { processingDate: `${this.today}T08:20:27.895+0000`, formBundleNumber: '256660290587',
      paymentIndicator: 'BANK',
      ...(total! > reclaimed! ? { chargeRefNumber: 'aCxFaNx0FZsCvyWF' } : {}) } };
  }
}

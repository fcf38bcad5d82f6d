/**
 * The registers of VAT numbers as servers on this machine. VIES answers `check-vat-number` in its REST shapes, faults
 * included, which come with status 200. HMRC's "Check a UK VAT number" 2.0 holds a request to its published file
 * (github.com/hmrc/vat-registered-companies-api, public/api/conf/2.0/application.yaml): Accept, token, digits, codes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Registered { name: string; address: string }

/** Behavior towards every question. */
export type Fault = 'MS_UNAVAILABLE' | 'INVALID_REQUESTER_INFO' | 'down' | 'lost' | 'garbage';

export class VatRegisterDouble {
  url = '';
  /** By the whole number, with its country. */
  readonly numbers = new Map<string, Registered>();
  /** Numbers that were asked for, with the requester's where it was named. */
  readonly asked: { number: string; requester: string | null }[] = [];
  tokens = 0;
  /** For every question until it is taken away. */
  fault: Fault | null = null;
  readonly #server = createServer((request, response) => { void this.#answer(request, response); });

  async start(): Promise<this> {
    await new Promise<void>((done) => { this.#server.listen(0, '127.0.0.1', done); });
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }
  stop(): Promise<void> {
    return new Promise((done) => { this.#server.close(() => { done(); }); });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const send = (status: number, json: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    };
    if (request.url === '/oauth/token') return this.#token(body, send);
    const lookup = /^\/organisations\/vat\/check-vat-number\/lookup\/(\w+)(?:\/(\w+))?$/.exec(request.url ?? '');
    if (lookup) {
      this.asked.push({ number: `GB${lookup[1]}`, requester: lookup[2] ?? null });
      if (this.#fails(response)) return;
      return this.#lookUp(request, lookup[1]!, lookup[2] ?? null, send);
    }
    if (request.method !== 'POST' || request.url !== '/check-vat-number') return send(404, {});
    const { countryCode, vatNumber, requesterMemberStateCode = '', requesterNumber = '' } =
      JSON.parse(body) as Record<string, string>;
    const requester = `${requesterMemberStateCode}${requesterNumber}` || null;
    this.asked.push({ number: `${countryCode}${vatNumber}`, requester });
    if (this.#fails(response)) return;
    if (this.fault === 'MS_UNAVAILABLE' || (this.fault === 'INVALID_REQUESTER_INFO' && requester !== null)) {
      return send(200, { actionSucceed: false, errorWrappers: [{ error: this.fault }] });
    }
    const found = this.numbers.get(`${countryCode}${vatNumber}`);
    send(200, { countryCode, vatNumber, requestDate: '2026-11-20T15:00:00.000Z', valid: found !== undefined,
      requestIdentifier: requester === null ? '' : `CONSULT${this.asked.length}`, name: found?.name ?? '---',
      address: found?.address ?? '---' });
  }

  #fails(response: ServerResponse): boolean {
    if (this.fault === 'lost') response.socket?.destroy();
    else if (this.fault === 'down') response.writeHead(503).end('{}');
    else if (this.fault === 'garbage') response.writeHead(200).end('<html>');
    else return false;
    return true;
  }

  #token(body: string, send: (status: number, json: object) => void): void {
    const asked = new URLSearchParams(body);
    if (asked.get('grant_type') !== 'client_credentials' || asked.get('client_secret') !== 'secret of the double') {
      return send(401, { error: 'invalid_client' });
    }
    this.tokens += 1;
    send(200, { access_token: `token ${this.tokens}`, token_type: 'bearer', expires_in: 14_400 });
  }

  #lookUp(request: IncomingMessage, target: string, requester: string | null,
    send: (status: number, json: object) => void): void {
    const digits = (vrn: string): boolean => /^(\d{9}|\d{12})$/.test(vrn);
    if (request.headers.accept !== 'application/vnd.hmrc.2.0+json') return send(406, { code: 'ACCEPT_HEADER_INVALID' });
    if (request.headers.authorization !== `Bearer token ${this.tokens}`) {
      return send(401, { code: 'INVALID_CREDENTIALS', message: 'Invalid Authentication information provided' });
    }
    if (!digits(target)) return send(400, { code: 'INVALID_REQUEST', message: 'Invalid targetVrn' });
    if (requester !== null && !this.numbers.has(`GB${requester}`)) {
      return send(403, { code: 'INVALID_REQUEST', message: 'requesterVrn does not match a registered company' });
    }
    const found = this.numbers.get(`GB${target}`);
    if (!found) return send(404, { code: 'NOT_FOUND', message: 'targetVrn does not match a registered company' });
    const [line1, postcode] = found.address.split('\n');
    send(200, { target: { name: found.name, vatNumber: target, address: { line1, postcode, countryCode: 'GB' } },
      processingDate: '2026-11-20T15:00:00+00:00',
      ...(requester === null ? {} : { requester, consultationNumber: `ypA${this.asked.length}` }) });
  }
}

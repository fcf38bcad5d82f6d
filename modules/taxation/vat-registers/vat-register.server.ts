/**
 * A public register of VAT numbers, behind one port: the European Commission's, HMRC's, or the tax service that asks
 * the first for us. It knows a number, does not know it, or does not answer; the last two are never the same.
 */
import type { VatNumberCheck } from '../tax-service/vat-number.server.ts';
import type { RegisterName } from './vat-number.contract.ts';

export interface RegisterAnswer {
  answer: 'valid' | 'invalid' | 'unavailable';
  /** As registered; null where the register does not publish it. */
  name: string | null;
  address: string | null;
  /** Consultation number: proof towards the tax office that the register was asked. */
  reference: string | null;
  /** Cause of no answer, in the register's word; empty otherwise. */
  problem: string;
}

export interface VatRegister {
  name: RegisterName;
  /** Never called inside a transaction. `requester` is our own VAT number, for the consultation number. */
  lookUp(number: VatNumberCheck, requester: string | null): Promise<RegisterAnswer>;
}

/** A register answered and refused the question; repeating it changes nothing. */
export class RegisterRefused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
/** No answer, or none that can be read. */
export class RegisterSilent extends Error {}

export const NOT_KNOWN: RegisterAnswer = { answer: 'invalid', name: null, address: null, reference: null,
  problem: '' };
export const unavailable = (problem: string): RegisterAnswer => ({ answer: 'unavailable', name: null, address: null,
  reference: null, problem: problem.slice(0, 200) });

/** Payments and originators for tests of payment files: invented names, numbers with right check digits. */
import type { BacsOptions, BacsOriginator } from './bacs.ts';
import type { NachaOptions, NachaOriginator } from './nacha.ts';
import type { SepaOptions, SepaOriginator } from './sepa.ts';
import type { FileIssue, IbanAccount, PaymentBatch, PaymentItem, UkAccount, UsAccount } from './payment-batch.ts';

export const CHECKING: UsAccount = { kind: 'us', routing: '231380104', account: '744-5678-99', savings: false };
export const SAVINGS: UsAccount = { kind: 'us', routing: '121042882', account: '2321', savings: true };
export const BRITISH: UkAccount = { kind: 'uk', sort_code: '089999', account: '66374958' };
export const GERMAN: IbanAccount = { kind: 'iban', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };

export function payment(id: string, amount_minor: bigint, more: Partial<PaymentItem> = {}): PaymentItem {
  return { id, payee: 'Ada Field', account_holder: null, is_person: true, address: null, bank: CHECKING, amount_minor,
    is_prenote: false, reference: '', purpose: '', documents: [], ...more };
}

export function batchOf(items: readonly PaymentItem[], more: Partial<PaymentBatch> = {}): PaymentBatch {
  return { reference: 'RUN-US-2026-000012', currency: 'USD', value_on: '2026-11-27', items, ...more };
}

export const ORIGINATOR: NachaOriginator = { company_name: 'Grand Rights', company_id: '1123456789',
  account: { kind: 'us', routing: '121042882', account: '4567890', savings: false }, destination_routing: '121042882',
  destination_name: 'Harbor Bank', origin_id: '1123456789', origin_name: 'Grand Rights Inc' };

export const NACHA_OPTIONS: NachaOptions = { created_on: '2026-11-25', created_at: '1412', modifier: 'A',
  description: 'ROYALTIES', balanced: false, same_day: false, first_trace: 1, first_batch: 1 };

/** Each issue as 'field: message'. */
export function issuesOf(of: { issues: readonly FileIssue[] }): string[] {
  return of.issues.map(({ field, message }) => `${field}: ${message}`);
}

export const SEPA_ORIGINATOR: SepaOriginator = { name: 'Grand Rights GmbH', organization_id: null,
  account: { kind: 'iban', iban: 'IE29 AIBK 9311 5212 3456 78', bic: 'AIBKIE2D' } };

export const SEPA_OPTIONS: SepaOptions = { version: '09', message_id: 'RUN-EU-2026-000004', created_on: '2026-11-25',
  created_at: '14:12:00', addresses: 'structured', one_debit: true };

export const BACS_ORIGINATOR: BacsOriginator = { service_user: '123456', name: 'Grand Rights Ltd',
  account: { kind: 'uk', sort_code: '20-00-52', account: '12345678' } };

export const BACS_OPTIONS: BacsOptions = { created_on: '2026-11-25', serial: '000012', file_number: 1,
  extra_holidays: [] };

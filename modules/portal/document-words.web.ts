/** Names of documents as a customer reads them; pure. */
import { spell } from '#kernel/text/english.ts';
const TITLES: Record<string, string> = {
  quote_letter: 'Quote', offer: 'Offer', production_contract: 'Production contract', rider: 'Rider',
  amendment: 'Addendum', execution_certificate: spell`License certificate`, invoice: 'Invoice',
    proforma: 'Payment request',
  credit_note: 'Credit note', receipt: 'Receipt', vat_receipt: 'VAT receipt',
    statement_of_account: 'Statement of account',
  deposit_statement: 'Deposit statement', packing_slip: 'Packing slip', return_form_and_label: 'Return form and label',
  perusal_letter: 'Perusal letter', box_office_form: 'Box-office form', box_office_statement: 'Box-office statement',
  purchase_order: 'Purchase order', tax_exemption_certificate: 'Tax exemption certificate',
  programme_artwork: spell`Program artwork`, sole_source_letter: 'Sole source letter',
  refund_payee_change: 'Refund payee change', reminder_letter_1: 'Reminder', reminder_letter_2: 'Second reminder',
  reminder_letter_3: 'Third reminder', cancellation_confirmation: 'Cancellation confirmation',
  signed_contract: 'Signed contract', other: 'Document',
};

/** File types a customer may send us. */
export const UPLOAD_TYPES = [
  { value: 'purchase_order', label: 'Purchase order' },
  { value: 'programme_artwork', label: spell`Program artwork` },
  { value: 'tax_exemption_certificate', label: 'Tax exemption certificate' },
  { value: 'box_office_statement', label: 'Box-office statement' },
  { value: 'other', label: 'Something else' },
] as const;

export function typeTitle(type: string): string {
  return TITLES[type] ?? 'Document';
}

/** 'Production contract, version 3'; the description where an upload carries one. */
export function documentTitle(row: {
  type: string; description: string; offer_version: number | null; origin: string;
}): string {
  const named = row.origin === 'upload' && row.description ? row.description : typeTitle(row.type);
  return row.offer_version ? `${named}, version ${row.offer_version}` : named;
}

/** 1,536 bytes as '1.5 KB'. */
export function fileSize(bytes: number | null): string {
  if (bytes === null) return '';
  if (bytes < 1024) return `${bytes} bytes`;
  const kilo = bytes / 1024;
  return kilo < 1024 ? `${kilo.toFixed(kilo < 10 ? 1 : 0)} KB` : `${(kilo / 1024).toFixed(1)} MB`;
}

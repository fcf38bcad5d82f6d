/** Labels of documents and their states. */
import type { Tone } from '#web/data/badge.tsx';
import { plainWords } from '../words.web.ts';
import { DOCUMENT_TYPES, type LicenseDocumentRow } from './license-document.contract.ts';

const SPECIAL: Readonly<Record<string, string>> = {
  proforma: 'Pro forma', vat_receipt: 'VAT receipt', return_form_and_label: 'Return form and label',
  sole_source_letter: 'Sole-source letter', reminder_letter_1: 'First reminder', reminder_letter_2: 'Second reminder',
  reminder_letter_3: 'Third reminder', box_office_form: 'Box-office form', box_office_statement: 'Box-office statement',
};
export function documentWords(type: string): string {
  return SPECIAL[type] ?? plainWords(type);
}
export const DOCUMENT_OPTIONS = DOCUMENT_TYPES.map((value) => ({ value, label: documentWords(value) }));

const TONES: Readonly<Record<LicenseDocumentRow['status'], Tone>> = {
  draft: 'neutral', issued: 'info', sent: 'info', viewed: 'brass', signed: 'ok', superseded: 'outline', void: 'error',
};
export function documentTone(status: LicenseDocumentRow['status']): Tone {
  return TONES[status];
}

/** 1,234,567 bytes as '1.2 MB'. */
export function sizeWords(bytes: number | null): string {
  if (bytes === null) return '';
  if (bytes < 1024) return `${bytes} bytes`;
  const kilo = bytes / 1024;
  return kilo < 1024 ? `${Math.round(kilo)} KB` : `${(kilo / 1024).toFixed(1)} MB`;
}

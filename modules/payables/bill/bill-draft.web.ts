/** A bill as its form holds it, and as it travels. */
import { applyPpm } from '#kernel/money/money.ts';
import { isCharged, type TaxTreatment } from '#kernel/ledger/payable-events.ts';
import type { BillChoices, BillDetail, BILL_KINDS } from './bill.contract.ts';

export interface LineDraft {
  ledger_account_id: number | null;
  description: string;
  net_minor: number | null;
  tax_code_id: number | null;
  jurisdiction: string;
  rate_ppm: number | null;
  tax_minor: number | null;
  show_id: number | null;
  license_id: number | null;
  /** Labels of what a stored line names. */
  show_title: string | null;
  license_number: string | null;
  material_id: number | null;
  material_name: string | null;
  quantity: number | null;
  goods_receipt_line_id: number | null;
  /** Label of the goods received. */
  receipt: string | null;
}

export type BillDraft = {
  kind: (typeof BILL_KINDS)[number] | null;
  vendor_id: number | null;
  vendor_number: string;
  division: BillDetail['division'] | null;
  currency: BillDetail['currency'] | null;
  billed_on: string | null;
  received_on: string | null;
  due_on: string | null;
  discount_ppm: number | null;
  discount_days: number | null;
  memo: string;
  lines: LineDraft[];
  duplicate_confirmed: boolean;
  over_received_confirmed: boolean;
};

export const emptyLine = (): LineDraft => ({ ledger_account_id: null, description: '', net_minor: null,
  tax_code_id: null, jurisdiction: '', rate_ppm: null, tax_minor: null, show_id: null, license_id: null,
  show_title: null, license_number: null, material_id: null, material_name: null, quantity: null,
  goods_receipt_line_id: null, receipt: null });

export function draftOf(bill: BillDetail): BillDraft {
  const { kind, vendor_id, vendor_number, division, currency, billed_on, received_on, due_on, discount_ppm,
    discount_days, memo } = bill;
  return { kind, vendor_id, vendor_number, division, currency, billed_on, received_on, due_on,
    discount_ppm: discount_ppm || null, discount_days: discount_days || null, memo, duplicate_confirmed: false,
    over_received_confirmed: false,
    lines: bill.lines.map((line) => ({ ...emptyLine(), ledger_account_id: line.ledger_account_id,
      description: line.description, net_minor: line.net_minor, tax_code_id: line.tax_code_id,
      jurisdiction: ['use_tax', 'none'].includes(line.treatment) ? line.jurisdiction ?? '' : '',
      rate_ppm: line.treatment === 'use_tax' ? line.rate_ppm : null,
      tax_minor: line.treatment === 'none' ? null : line.tax_minor, show_id: line.show_id,
      license_id: line.license_id, show_title: line.show_title, license_number: line.license_number,
      material_id: line.material_id, material_name: line.material_name, quantity: line.quantity,
      goods_receipt_line_id: line.goods_receipt_line_id,
      receipt: line.receipt_number && `${line.receipt_number}, ${line.item_name ?? ''}` })) };
}

export const lineBody = (line: LineDraft) => ({
  ledger_account_id: line.ledger_account_id ?? 0, description: line.description, net_minor: line.net_minor ?? 0,
  tax_code_id: line.tax_code_id, jurisdiction: line.jurisdiction.trim().toUpperCase() || null,
  rate_ppm: line.rate_ppm, tax_minor: line.tax_code_id === null ? null : line.tax_minor, show_id: line.show_id,
  license_id: line.license_id, material_id: line.material_id, quantity: line.quantity,
});
const billLineBody = (line: LineDraft) => ({ ...lineBody(line), goods_receipt_line_id: line.goods_receipt_line_id });

/** Fields that a new bill and a change share. */
export function bodyOf(draft: BillDraft) {
  return {
    vendor_id: draft.vendor_id ?? 0, vendor_number: draft.vendor_number, currency: draft.currency ?? 'USD',
    billed_on: draft.billed_on ?? '', due_on: draft.due_on ?? '', discount_ppm: draft.discount_ppm ?? 0,
    discount_days: draft.discount_days ?? 0, memo: draft.memo, lines: draft.lines.map(billLineBody),
    duplicate_confirmed: draft.duplicate_confirmed, over_received_confirmed: draft.over_received_confirmed,
    ...(draft.received_on ? { received_on: draft.received_on } : {}),
  };
}

/** The same beside a file: text, with the lines as JSON. */
export function formOf(body: Readonly<Record<string, unknown>>, file: File): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(body)) {
    form.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  form.append('file', file);
  return form;
}

export interface LineTax { treatment: TaxTreatment; tax_minor: number }

/** The tax of a line as the server will find it; typed tax wins, a rate that is not known counts as none. */
export function taxOf(line: LineDraft, codes: BillChoices['tax_codes']): LineTax {
  const code = codes.find(({ id }) => id === line.tax_code_id);
  if (!code || code.treatment === 'none') return { treatment: 'none', tax_minor: 0 };
  const rate = line.rate_ppm ?? code.rate_ppm ?? 0;
  return { treatment: code.treatment,
    tax_minor: line.tax_minor ?? Number(applyPpm(BigInt(line.net_minor ?? 0), BigInt(rate))) };
}

/** Totals owed to the vendor, and the tax owed to the authority besides. */
export function totalsOf(draft: BillDraft, codes: BillChoices['tax_codes']) {
  const taxes = draft.lines.map((line) => taxOf(line, codes));
  const net = draft.lines.reduce((all, line) => all + (line.net_minor ?? 0), 0);
  const sum = (rows: readonly LineTax[]) => rows.reduce((all, row) => all + row.tax_minor, 0);
  const charged = sum(taxes.filter(({ treatment }) => isCharged(treatment)));
  return { net, tax: charged, total: net + charged, own: sum(taxes) - charged };
}

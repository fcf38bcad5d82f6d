/** Content of a PDF: blocks one below the other, with sender, recipient and footer. */

export interface PdfColumn {
  label: string;
  /** Part of the width. */
  width: number;
  align?: 'left' | 'right';
}

export type PdfBlock =
  | { kind: 'title'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string; muted?: boolean }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'table'; columns: readonly PdfColumn[]; rows: readonly (readonly string[])[];
      /** Numbers of rows that are bold: headings and sums between the others. */ strong?: readonly number[];
      /** Last rows, set off and bold: totals. */ totals?: readonly (readonly string[])[] }
  | { kind: 'signature'; lines: readonly string[] }
  /** Codes for a hand scanner, two beside each other, each with its text below. */
  | { kind: 'barcodes'; codes: readonly { code: string; label: string }[] }
  | { kind: 'page' };

/**
 * Every kind of paper that the house draws, checks apart (check-pdf.ts). tests/derived/papers.test.ts holds each in
 * every division against its records: a kind without a case there does not compile.
 */
export type Paper = 'quote_letter' | 'production_contract' | 'amendment' | 'signature_certificate'
  | 'execution_certificate' | 'invoice' | 'proforma' | 'credit_note' | 'receipt' | 'vat_receipt' | 'account_statement'
  | 'vendor_statement' | 'remittance_advice' | 'royalty_statement' | 'pick_list' | 'packing_list' | 'label'
  | 'deposit_slip' | 'bank_reconciliation' | 'financial_statement' | 'audit_table' | 'year_end_form';

export interface PdfInput {
  title: string;
  paper: Paper;
  /** Of the reader: 'en-US' in the US and PROD divisions, 'en-GB' in UK and EU. */
  language: 'en-US' | 'en-GB';
  /** Name and address of the house, top right. */
  sender: readonly string[];
  /** Name and address of the reader, left. */
  recipient: readonly string[];
  /** Bottom of every page, beside the page number. */
  footer: string;
  made_at: Date;
  /** The long side lies below: for tables with many columns. */
  landscape?: boolean;
  blocks: readonly PdfBlock[];
}

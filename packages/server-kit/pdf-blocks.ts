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

export interface PdfInput {
  title: string;
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

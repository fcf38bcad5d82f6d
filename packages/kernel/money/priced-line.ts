/**
 * Words that pricing and tax share: kinds of priced line, item classes of the taxability tables, and the tax of a line
 * (domain.md 2.12).
 */
export type LineKind = 'royalty' | 'rental' | 'extra_week' | 'sale' | 'digital' | 'add_on' | 'shipping' | 'fee';

export const ITEM_CLASSES = [
  'performing_licence', 'rental', 'printed_script', 'printed_music', 'e_publication', 'digital_music', 'tracks', 'logo',
  'merchandise', 'shipping', 'fee',
] as const;
export type ItemClass = (typeof ITEM_CLASSES)[number];

/** One jurisdiction's part of the tax of a line; stored with the line and never re-rated once issued. */
export interface TaxPart {
  readonly code: string;
  readonly jurisdiction: string;
  readonly rate_ppm: bigint;
  readonly base_minor: bigint;
  readonly tax_minor: bigint;
  readonly rate_id: number | null;
  /** Of a local rate, which is a row of another table. */
  readonly local_rate_id?: number | null | undefined;
}

/** Answer of the tax resolver for one line: `tax_minor` is rounded once and is the sum of the parts. */
export interface LineTax {
  readonly code: string;
  readonly jurisdiction: string;
  readonly rate_ppm: bigint;
  readonly base_minor: bigint;
  readonly tax_minor: bigint;
  readonly reason: string;
  readonly parts: readonly TaxPart[];
  /** Why the tax profile is not complete, in plain words; null when it is. */
  readonly problem: string | null;
}

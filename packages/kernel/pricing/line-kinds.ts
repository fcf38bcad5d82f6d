/** Kinds of priced line, and the item classes that the taxability tables know (domain.md 2.12). */
export type LineKind = 'royalty' | 'rental' | 'extra_week' | 'sale' | 'digital' | 'add_on' | 'shipping' | 'fee';

export const ITEM_CLASSES = [
  'performing_licence', 'rental', 'printed_script', 'printed_music', 'e_publication', 'digital_music', 'tracks', 'logo',
  'merchandise', 'shipping', 'fee',
] as const;
export type ItemClass = (typeof ITEM_CLASSES)[number];

/** Price columns of a list, one per currency: minor units, edited in the cell. */
import type { Column } from '#web/data/column.ts';

const FIELDS = { usd: 'price_usd_minor', eur: 'price_eur_minor', gbp: 'price_gbp_minor' } as const;

/** Columns USD, EUR and GBP, `width` pixels each. Without a price the cell is empty. */
export function priceColumns<Row extends Record<(typeof FIELDS)[keyof typeof FIELDS], number | null>>(
  width: number): Column<Row>[] {
  return (['usd', 'eur', 'gbp'] as const).map((id) => {
    const value = (row: Row) => row[FIELDS[id]];
    const cell = (row: Row) => {
      const minor = value(row);
      return minor === null ? null : BigInt(minor);
    };
    return { id, header: id.toUpperCase(), kind: 'money', cell, width,
      edit: { field: FIELDS[id], as: 'money', value, optional: true } };
  });
}

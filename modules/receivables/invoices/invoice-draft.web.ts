/** A draft as its form holds it, and as it travels. */
import type { BodyIn } from '#kit/endpoint.ts';
import type { ItemClass } from '#kernel/money/priced-line.ts';
import type { ITEM_KINDS, invoiceEndpoints, InvoiceDetail, InvoiceItemRow } from './invoice.contract.ts';

export interface LineDraft {
  kind: (typeof ITEM_KINDS)[number] | null;
  description: string;
  item_class: ItemClass | null;
  quantity: number | null;
  unit_minor: number | null;
  royalty_bearing: boolean;
  /** null: as its kind becomes income. */
  release_rule: InvoiceItemRow['release_rule'] | null;
  /** Values a line of the draft came with that the form does not show. */
  kept: { license_venue_id: number | null; release_from: string | null; release_to: string | null };
}

/** A local rate that was asked about; null: not answered yet. */
export interface RateAnswer { state: string; zip: string; rate_ppm: number | null }

export type InvoiceDraft = {
  customer_id: number | null;
  license_id: number | null;
  division: InvoiceDetail['division'];
  currency: InvoiceDetail['currency'] | null;
  issued_on: string | null;
  due_on: string | null;
  purchase_order_no: string;
  notes: string;
  items: LineDraft[];
  local_rates: RateAnswer[];
};

/** The tax class that a kind of line has where nobody says otherwise. */
export const CLASS_OF_KIND: Record<(typeof ITEM_KINDS)[number], ItemClass> = {
  royalty: 'performing_licence', minimum: 'performing_licence', advance: 'performing_licence',
  overage: 'performing_licence', rental: 'rental', extra_week: 'rental', sale: 'printed_script',
  digital: 'digital_music', add_on: 'logo', shipping: 'shipping', fee: 'fee',
};

const NOTHING_KEPT = { license_venue_id: null, release_from: null, release_to: null };

export function emptyLine(): LineDraft {
  return { kind: 'fee', description: '', item_class: 'fee', quantity: 1, unit_minor: null, royalty_bearing: false,
    release_rule: null, kept: NOTHING_KEPT };
}

export function draftOf(invoice: InvoiceDetail): InvoiceDraft {
  const { customer_id, license_id, division, currency, issued_on, due_on, notes } = invoice;
  return { customer_id, license_id, division, currency, issued_on, due_on, notes, local_rates: [],
    purchase_order_no: invoice.purchase_order_no ?? '', items: invoice.items.map(lineOf) };
}

function lineOf(item: InvoiceItemRow): LineDraft {
  const { kind, description, item_class, quantity, unit_minor, royalty_bearing, release_rule } = item;
  const { license_venue_id, release_from, release_to } = item;
  // A bank's charge and interest are billed by actions of their own, never as a draft.
  return { kind: kind === 'bank_charge' || kind === 'late_interest' ? 'fee' : kind, description, item_class,
    quantity, unit_minor, royalty_bearing, release_rule, kept: { license_venue_id, release_from, release_to } };
}

export function netOf(line: LineDraft): number {
  return (line.quantity ?? 0) * (line.unit_minor ?? 0);
}

/** Body of the call. Empty fields are sent as they are, so that the server reports missing ones at their place. */
export function bodyOf(draft: InvoiceDraft): BodyIn<typeof invoiceEndpoints.create> {
  return {
    customer_id: draft.customer_id ?? 0, license_id: draft.license_id, division: draft.division,
    currency: draft.currency ?? 'USD', purchase_order_no: draft.purchase_order_no.trim() || null, notes: draft.notes,
    issued_on: draft.issued_on, due_on: draft.due_on,
    local_rates: draft.local_rates.flatMap(({ rate_ppm, ...place }) => (rate_ppm === null ? []
      : [{ ...place, rate_ppm }])),
    items: draft.items.map((line) => ({
      kind: line.kind ?? 'fee', description: line.description, item_class: line.item_class ?? 'fee',
      quantity: line.quantity ?? 0, unit_minor: line.unit_minor ?? 0, net_minor: netOf(line),
      royalty_bearing: line.royalty_bearing, ...line.kept,
      ...(line.release_rule === null ? {} : { release_rule: line.release_rule }),
    })),
  };
}

/** Whether there is enough to ask for tax: a customer, and a line with words and a quantity. */
export function canPreview(draft: InvoiceDraft): boolean {
  return draft.customer_id !== null && draft.currency !== null && draft.items.length > 0
    && draft.items.every((line) => line.kind !== null && line.item_class !== null && (line.quantity ?? 0) > 0
      && line.description.trim() !== '');
}

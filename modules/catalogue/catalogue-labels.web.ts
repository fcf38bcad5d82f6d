/** Labels of the catalog's choices. */
import { spell } from '#kernel/text/english.ts';
import type { Tone } from '#web/data/badge.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { royaltorEndpoints } from './royaltor/royaltor.contract.ts';
import { showEndpoints } from './show/show.contract.ts';

/** The list of advances, narrowed by `show_royaltor_id` or `royaltor_id`. */
export const ADVANCES = '/admin/sales-and-royalties/advances';
export const ORCHESTRATION_LABELS = { full: 'Full orchestra', reduced: 'Reduced', piano: 'Piano', tracks: 'Tracks' };
export const PRESENTATION_LABELS = { gross: 'Gross: the whole fee is income', net: 'Net: our commission is income' };
export const CATEGORY_LABELS = { Amateur: 'Amateur', Pro: 'Professional' };
export const MEDIA_LABELS = { stage: 'Stage', stream: 'Stream', record: 'Recording' };
export const FEE_METHOD_LABELS = {
  percent_potential: 'Percentage of the potential', percent_actual: 'Percentage of the actual box office',
  flat: 'Flat, per performance', seat_band: 'By seats of the venue', greater_of: 'The greater of two',
  flat_run: 'Flat, for the whole run', negotiated: 'Negotiated',
};
export const GROSS_BASIS_LABELS = {
  weighted: 'Weighted gross', capacity: 'Sold-out house', expected: 'Expected attendance',
  top_price: 'All seats at the top price',
};
export const POLICY_LABELS = {
  paid_in_full: 'Paid in full', deposit_paid: 'Deposit paid', advance_paid: 'Advance paid',
  purchase_order: 'Purchase order', signature_only: 'Signature only',
};
export const CARD_STATUS: Record<string, { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'neutral' }, approved: { label: 'Approved', tone: 'ok' },
  superseded: { label: 'Superseded', tone: 'outline' },
};
export const AGREEMENT_STATUS: Record<string, { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'neutral' }, active: { label: 'In force', tone: 'ok' },
  ended: { label: 'Ended', tone: 'outline' },
};
export const ROYALTOR_KIND_LABELS = {
  person: 'Person', company: 'Company', estate: 'Estate', agent: 'Agent', society: 'Society', house: 'House',
};
export const BASIS_LABELS = {
  receipts: 'Receipts', after_house_commission: 'After our commission', net_after_costs: 'Net after costs',
  per_performance_amount: 'Amount per performance', per_unit: 'Amount per unit', at_source: 'At source',
  pool_points: 'Royalty pool, by points',
};
export const POOL_LABELS = { operating_profit: 'Operating profit of the week', gross: 'Gross of the week' };
export const ITEM_CLASS_LABELS = {
  performing_licence: spell`Performing license`, rental: 'Rental', printed_script: 'Printed script',
  printed_music: 'Printed music', e_publication: 'E-publication', digital_music: 'Digital music', tracks: 'Tracks',
  logo: 'Logo', merchandise: 'Merchandise', fee: 'Fee',
};

/** The filter of lists whose rows are active or not. */
export const ACTIVE_FILTER = { name: 'active', label: 'Status', options: [
  { value: 'true', label: 'Active' }, { value: 'false', label: 'Inactive' }] };

/** Royaltors as the options of a select. */
export const royaltorSource = optionsFrom(royaltorEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.number }));

/** Shows as the options of a select. */
export const showSource = optionsFrom(showEndpoints.list, (row) => ({ value: row.id, label: row.title,
  children: row.show_code }));

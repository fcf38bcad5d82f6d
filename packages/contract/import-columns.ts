/**
 * Lists whose rows can be taken out as a file and brought in again: the headings that the import of that kind knows,
 * and where each stands in a row of the list, `address.locality` being a part of a field. What a list does not hold
 * (the writers of a show are its agreements) is not here and left as it is by an import.
 */
import type { ImportList } from './import-file.ts';

const ADDRESS = { Street: 'address.thoroughfare', 'Address 2': 'address.premise', City: 'address.locality',
  State: 'address.administrative_area', 'Postal code': 'address.postal_code' } as const;

const inEach = (words: string, field: string): Record<string, string> => Object.fromEntries(
  (['usd', 'eur', 'gbp'] as const).map((currency) => [`${words} ${currency.toUpperCase()}`, `${field}.${currency}`]));

const SHOWS = { Title: 'title', Type: 'type', 'Show code': 'show_code', Year: 'year', 'Smallest cast': 'cast_min',
  'Largest cast': 'cast_max', 'Running time': 'running_time_minutes', 'Age rating': 'age_rating',
  Orchestrations: 'orchestrations', Synopsis: 'synopsis', Women: 'cast_women', Men: 'cast_men',
  'Any gender': 'cast_any', 'Content notes': 'content_notes', Songs: 'songs', Versions: 'versions',
  Excerpt: 'excerpt', 'Licensing territory': 'territory', 'Other titles': 'aliases' };

export const IMPORT_COLUMNS: Readonly<Record<ImportList, Readonly<Record<string, string>>>> = {
  'staff/shows': SHOWS, 'staff/plays': SHOWS, 'staff/musicals': SHOWS,
  'staff/venues': { Name: 'name', ...ADDRESS, Country: 'address.country_code', Kind: 'kind', Capacity: 'capacity',
    Phone: 'phone', Website: 'website', 'Other names': 'aliases' },
  'staff/materials': { 'Item number': 'item_number', Name: 'name', Show: 'show_code', Category: 'category',
    'Sub-category': 'sub_category', Type: 'type', Delivered: 'fulfilment', Format: 'format',
    Description: 'description', Instrument: 'instrument', Edition: 'edition', ISBN: 'isbn', ISMN: 'ismn',
    ...inEach('Price', 'prices'), ...inEach('Replacement', 'replacement_prices'),
    ...inEach('Shipping', 'shipping_cost'), 'Sales tax': 'tax', VAT: 'vat', 'Kind of goods': 'item_class',
    Income: 'income_type', 'Royalty-bearing': 'royalty_bearing', 'Barcoded copies': 'serial_tracked',
    'Weight (g)': 'weight_g', 'Reorder at': 'reorder_point' },
  'staff/show_royaltor_shares': { Show: 'show_code', Royaltor: 'royaltor_name', Role: 'role',
    'Share, as printed': 'share_name', 'Contract number': 'contract_code', 'Signed on': 'signed_on',
    'In force from': 'term_from', 'In force until': 'term_to', Territory: 'territory_name',
    'Paying division': 'payer_division', Currency: 'currency', Owed: 'accrual_basis', 'Terms dated by': 'date_basis',
    Presented: 'royalty_presentation', Agent: 'agent_name', 'Agent %': 'agent_ppm', 'Agent is paid': 'agent_pays',
    'Opening balance': 'opening_balance_minor', 'Opening unrecouped': 'opening_unrecouped_minor',
    'As of': 'opening_on', 'Reserve released': 'reserve_schedule', 'Minimum payment': 'min_payout_minor',
    'Annual minimum': 'annual_minimum_minor', 'Recouped with': 'group_name', 'In force': 'in_force',
    Income: 'match_income_types', Category: 'match_categories', Divisions: 'match_divisions',
    Countries: 'match_countries', 'Territory group': 'territory_group_name',
    'Material category': 'material_category_key', 'Sub-category': 'material_sub_category_key', Item: 'item_code',
    'Add-on': 'add_on_key', Classification: 'classification_name', From: 'match_date_from', To: 'match_date_to',
    'Rate %': 'rate_ppm', 'Share points': 'share_points', 'Rate is of': 'basis',
    'Amount per unit': 'unit_amount_minor', 'Sub-agent keeps %': 'source_commission_ppm',
    'Pool of': 'pool_of', 'Pool points': 'pool_points', 'Points of the whole pool': 'pool_total_points',
    'Guaranteed per point': 'pool_min_per_point_minor',
    'Per performance at least': 'min_per_performance_minor', 'Per year at least': 'annual_min_minor',
    'Reserve %': 'reserve_ppm', Recoupable: 'recoupable', Tiers: 'tiers' },
  'staff/warehouses/{id}/shelf': { Warehouse: 'warehouse_code', Item: 'code', 'Copy of': 'copy_of_code',
    Counted: 'counted' },
  'staff/royaltors': { Name: 'name', Kind: 'kind', 'Legal name': 'legal_name', 'Pen name': 'pen_name',
    'Email': 'email', Phone: 'phone', ...ADDRESS, Country: 'residence_country', Divisions: 'divisions',
    Currency: 'currency', 'Paid by': 'payment_method', Statements: 'statement_frequency' },
  'staff/vendors': { Name: 'name', 'Legal name': 'legal_name', Contact: 'contact_name', 'Email': 'email',
    Phone: 'phone', Website: 'website', ...ADDRESS, Country: 'address.country_code',
    'Remit-to street': 'remit_to_address.thoroughfare', 'Remit-to address 2': 'remit_to_address.premise',
    'Remit-to city': 'remit_to_address.locality', 'Remit-to state': 'remit_to_address.administrative_area',
    'Remit-to postal code': 'remit_to_address.postal_code', 'Remit-to country': 'remit_to_address.country_code',
    Divisions: 'divisions', Currency: 'default_currency', 'Days to pay': 'payment_terms_days',
    'Paid by': 'payment_method', 'VAT number': 'vat_number', 'Tax form': 'tax_form_type',
    'Form received': 'tax_form_received_on', 'Year-end report': 'tax_1099_category' },
};

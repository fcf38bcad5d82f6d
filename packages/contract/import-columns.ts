/**
 * Lists whose rows can be taken out as a file and brought in again: the headings that the import of that kind knows,
 * and where each stands in a row of the list, `address.locality` being a part of a field. What a list does not hold
 * (the writers of a show are its agreements) is not here and left as it is by an import.
 */
const ADDRESS = { Street: 'address.thoroughfare', 'Address 2': 'address.premise', City: 'address.locality',
  State: 'address.administrative_area', 'Postal code': 'address.postal_code' } as const;

const inEach = (words: string, field: string): Record<string, string> => Object.fromEntries(
  (['usd', 'eur', 'gbp'] as const).map((currency) => [`${words} ${currency.toUpperCase()}`, `${field}.${currency}`]));

const SHOWS = { Title: 'title', Type: 'type', 'Show code': 'show_code', Year: 'year', 'Smallest cast': 'cast_min',
  'Largest cast': 'cast_max', 'Running time': 'running_time_minutes', Synopsis: 'synopsis', 'Other titles': 'aliases' };

export const IMPORT_COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'staff/shows': SHOWS, 'staff/plays': SHOWS, 'staff/musicals': SHOWS,
  'staff/venues': { Name: 'name', ...ADDRESS, Country: 'address.country_code', Kind: 'kind', Capacity: 'capacity',
    Phone: 'phone', Website: 'website', 'Other names': 'aliases' },
  'staff/materials': { 'Item number': 'item_number', Name: 'name', Show: 'show_code', Category: 'category',
    'Sub-category': 'sub_category', Type: 'type', Delivered: 'fulfilment', Format: 'format',
    Description: 'description', Instrument: 'instrument', Edition: 'edition', ISBN: 'isbn', ISMN: 'ismn',
    ...inEach('Price', 'prices'), ...inEach('Replacement', 'replacement_prices'),
    ...inEach('Shipping', 'shipping_cost'), 'Sales tax': 'tax', VAT: 'vat', 'Kind of goods': 'item_class',
    Income: 'income_type', 'Bears royalties': 'royalty_bearing', 'Barcoded copies': 'serial_tracked',
    'Weight (g)': 'weight_g', 'Reorder at': 'reorder_point' },
  'staff/royaltors': { Name: 'name', Kind: 'kind', 'Legal name': 'legal_name', 'Pen name': 'pen_name',
    'E-mail': 'email', Phone: 'phone', ...ADDRESS, Country: 'residence_country', Divisions: 'divisions',
    Currency: 'currency', 'Paid by': 'payment_method', Statements: 'statement_frequency' },
};

/** Fields of files with venues. */
import { spell } from '#kernel/text/english.ts';
import { VENUE_KINDS } from '#modules/operations/venue/venue.contract.ts';
import type { FieldSet } from '../import-field.contract.ts';

export const VENUE_FIELDS = {
  name: { label: 'Name', hint: 'Of the venue or its resident company', required: true, constant: false,
    heads: ['name', 'venue', 'venue name', 'theatre name', 'theater name', 'theatre', 'theater', 'house'],
    example: 'Savoy Hall' },
  address_line: { label: 'Address in one line', hint: 'Street, city and postal code together; taken apart',
    required: false, constant: false, heads: ['address', 'full address', 'location'] },
  thoroughfare: { label: 'Street', hint: 'Street and number', required: false, constant: false,
    heads: ['street', 'streetaddress', 'street address', 'address 1', 'address line 1', 'thoroughfare'],
    example: '12 Harbour Street' },
  premise: { label: 'Address 2', hint: 'Building, floor or suite', required: false, constant: false,
    heads: ['premise', 'address 2', 'address line 2'] },
  locality: { label: 'City', hint: '“Boston, MA” is read as Boston in Massachusetts', required: false, constant: true,
    heads: ['city', 'town', 'locality', 'addresslocality', 'address locality'], example: 'Boston' },
  administrative_area: { label: 'State', hint: 'Of the United States: its two letters', required: false,
    constant: true, heads: ['state', 'region', 'addressregion', 'address region', 'county', 'province'],
    example: 'MA' },
  postal_code: { label: 'Postal code', hint: spell`A ZIP code that lost its zero gets it back where the state has one`,
    required: false, constant: false,
    heads: ['postal code', 'postalcode', 'zip', 'zip code', 'zip as stored', 'postcode', 'zip5'], example: '02110' },
  country_code: { label: 'Country', hint: 'Name or two letters, such as US or GB', required: true, constant: true,
    heads: ['country', 'country code'], example: 'US' },
  kind: { label: 'Kind', hint: `One of ${VENUE_KINDS.join(', ').replaceAll('_', ' ')}`, required: false,
    constant: true, options: VENUE_KINDS, heads: ['kind', 'venue kind', 'venue type'], example: 'theatre' },
  capacity: { label: 'Capacity', type: 'count', hint: 'Seats', required: false, constant: false, heads: ['capacity',
    'seats'],
    example: '880' },
  phone: { label: 'Phone', hint: 'As it is dialled', required: false, constant: false, heads: ['phone', 'telephone'] },
  website: { label: 'Website', hint: 'With or without https://', required: false, constant: false,
    heads: ['website', 'web', 'url', 'homepage'] },
  aliases: { label: 'Other names', hint: 'Names under which returns know it, with semicolons between them',
    required: false, constant: false, heads: ['aliases', 'other names', 'also known as', 'former names'] },
} as const satisfies FieldSet;

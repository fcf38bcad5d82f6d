/** Types of materials in words. */
export const TYPE_WORDS = { rental: 'Rental', sale: 'Sale', digital: 'Digital', service: 'Service',
  perusal: 'Perusal' };

/** An address in one line of a list or a fact. */
export interface AddressParts {
  thoroughfare?: string | undefined; premise?: string | undefined; locality?: string | undefined;
  administrative_area?: string | undefined; postal_code?: string | undefined; country_code?: string | undefined;
}

/** '31-05 Vernon Blvd, Long Island City, NY 11106'; the country where it is not the United States. */
export function addressLine(address: AddressParts | null | undefined): string {
  if (!address) return '';
  const region = [address.administrative_area, address.postal_code].filter(Boolean).join(' ');
  const country = address.country_code && address.country_code !== 'US' ? address.country_code : '';
  return [address.thoroughfare, address.premise, address.locality, region, country].filter(Boolean).join(', ');
}

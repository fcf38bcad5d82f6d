/** Words and tabs that the pages of taxation share. */
import type { ItemClass } from '#kernel/money/priced-line.ts';
import { spell } from '#kernel/text/english.ts';
import type { RegistrationRow } from './tax-registrations/tax-registration.contract.ts';

export const CLASS_LABELS: Record<ItemClass, string> = {
  performing_licence: spell`License to perform`, rental: 'Rental materials', printed_script: 'Printed scripts',
  printed_music: 'Printed music', e_publication: 'E-publications', digital_music: 'Digital music', tracks: 'Tracks',
  logo: 'Logos', merchandise: 'Merchandise', shipping: 'Delivery', fee: 'Fees',
};
export const SCHEME_LABELS: Record<RegistrationRow['scheme'], string> = {
  vat: 'VAT', oss: 'One-stop shop', sales_tax: 'Sales tax', ein: 'Employer identification number',
};

export function choicesOf<K extends string>(labels: Record<K, string>): { value: K; label: string }[] {
  return (Object.keys(labels) as K[]).map((value) => ({ value, label: labels[value] }));
}

/** Tabs that lead only where the person may go. */
export function taxTabs(may: (permission: 'transaction.list' | 'customer.list') => boolean) {
  const base = '/admin/accounting';
  return [
    ...(may('transaction.list') ? [
      { id: 'rates', text: 'Rates', href: `${base}/tax-codes` },
      { id: 'local', text: 'Local rates', href: `${base}/local-tax-rates` },
      { id: 'rules', text: 'Taxability', href: `${base}/tax-rules` },
      { id: 'registrations', text: 'Registrations', href: `${base}/tax-registrations` },
    ] : []),
    ...(may('customer.list')
      ? [{ id: 'certificates', text: 'Certificates', href: `${base}/exemption-certificates` }] : []),
    ...(may('transaction.list') ? [{ id: 'holidays', text: 'Holidays', href: `${base}/holidays` },
      { id: 'service', text: 'Tax service', href: `${base}/tax-service` }] : []),
  ];
}

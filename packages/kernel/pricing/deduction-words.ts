/** Names of the deductions from a gross: singular as forms label them, plural as papers promise them. */
import type { Language } from '../money/division.ts';
import { spell } from '../text/english.ts';
import type { DeductionType } from './rate-card.ts';

interface DeductionName { readonly label: string; readonly american: string; readonly british: string }

const NAMES: Readonly<Record<DeductionType, DeductionName>> = {
  admission_tax: { label: 'Admission tax', american: 'admission taxes', british: 'admission taxes and VAT' },
  theatre_party_commission: { label: 'Theater party commission', american: 'theater party commissions',
    british: 'theatre party commissions' },
  union_pension_welfare: { label: 'Union pension and welfare', american: 'union pension and welfare payments',
    british: 'union pension and welfare payments' },
  group_sales_commission: { label: 'Group sales commission', american: 'group sales commissions',
    british: 'group sales commissions' },
  card_commission: { label: 'Card commission', american: 'card commissions', british: 'card commissions' },
  remote_ticketing_commission: { label: 'Remote ticketing commission', american: 'remote ticketing commissions',
    british: 'remote ticketing commissions' },
  restoration_charge: { label: 'Restoration charge', american: 'theater restoration charges',
    british: 'theatre restoration charges' },
  subscription_discount: { label: 'Subscription discount', american: 'subscription discounts',
    british: 'subscription discounts' },
};

/** 'Card commission', for a form or a list; 'Other' for what a report names so. In the spelling of its reader. */
export const deductionLabel = (type: DeductionType | 'other'): string => (type === 'other' ? 'Other'
  : spell(NAMES[type].label));

/** 'card commissions', as papers name what is taken off the gross. */
export function deductionWords(type: string, language: Language): string {
  const name = Object.hasOwn(NAMES, type) ? NAMES[type as DeductionType] : null;
  if (name === null) return type.replaceAll('_', ' ');
  return language === 'en-GB' ? name.british : name.american;
}

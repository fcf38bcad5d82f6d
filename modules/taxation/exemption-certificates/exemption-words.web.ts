/** Exemption certificates of a customer in words. */
import { formatDay } from '#web/data/date-text.tsx';
import type { Exemption } from './exemption-certificate.contract.ts';

/** 'Exempt in Ohio by certificate OH-4471'; no exemption holds before staff have verified its certificate. */
export function exemptionWords({ state, place, number, valid_from, expires_on }: Exemption): string {
  switch (state) {
    case 'pending': return `Certificate ${number} for ${place} waits to be verified`;
    case 'expired': return `Certificate ${number} for ${place} ended on ${formatDay(expires_on!)}`;
    case 'planned': return `Exempt in ${place} from ${formatDay(valid_from)} by certificate ${number}`;
    case 'valid': case 'expiring': return `Exempt in ${place} by certificate ${number}${
      expires_on === null ? '' : ` until ${formatDay(expires_on)}`}`;
  }
}

/** One record, one address, one number. */
import { expect, test } from 'vitest';
import { licenseAddress, licenseNumbers, QUOTE_PHASES } from './license-address.ts';
import { LICENSE_PHASES, phaseGroup } from './license-machine.ts';

test('a licence stands among the quotes until it is licensed, then under its customer', () => {
  for (const phase of LICENSE_PHASES) {
    const address = licenseAddress({ id: 5, phase, customer_id: 7 });
    expect(address, phase).toBe(QUOTE_PHASES.includes(phase) ? '/admin/quotes/5' : '/admin/customers/7/productions/5');
    // Phases the machine reserves for productions never get a quote address.
    if (phaseGroup(phase) === 'PRODUCTION') expect(address, phase).toContain('/productions/');
    if (phaseGroup(phase) === 'QUOTE') expect(address, phase).toContain('/quotes/');
  }
});

test('the number of the licence is the one that is valid; the quote it came from stands beside it', () => {
  expect(licenseNumbers({ number: 'Q-US-1', license_number: null })).toEqual({ now: 'Q-US-1', former: null });
  expect(licenseNumbers({ number: 'Q-US-1', license_number: 'L-US-1' })).toEqual({ now: 'L-US-1', former: 'Q-US-1' });
});

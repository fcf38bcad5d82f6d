import { describe, expect, it } from 'vitest';
import { zoneOfPlace } from './place-zone.ts';

describe('the time zone of a written address', () => {
  it.each([['US', 'OH', 'America/New_York'], ['US', 'il', 'America/Chicago'], ['US', 'CO', 'America/Denver'],
    ['US', 'AZ', 'America/Phoenix'], ['US', 'HI', 'Pacific/Honolulu'], ['CA', 'BC', 'America/Vancouver'],
    ['AU', 'WA', 'Australia/Perth'], ['GB', '', 'Europe/London'], ['DE', 'BY', 'Europe/Berlin'],
    ['XX', '', null]])('of %s %s is %s', (country_code, administrative_area, zone) => {
    expect(zoneOfPlace({ country_code, administrative_area })).toBe(zone);
    if (zone) expect(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone).toBe(zone);
  });

  it('is not known without an address', () => { expect(zoneOfPlace(null)).toBeNull(); });
});

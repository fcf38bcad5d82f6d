import { describe, expect, it } from 'vitest';
import { fraudHeaders, isPublicAddress, timezoneOf } from './fraud-headers.ts';
import {
  authorizationEnd, declinedInWords, differingBoxes, obligationOf, refusalInWords, submissionBody, vrnOf,
} from './hmrc.ts';
import { vatReturn } from './vat-return.ts';

describe('a return for HMRC', () => {
  const { boxes } = vatReturn('UK', [
    { side: 'output', tax_minor: 22_010n, net_minor: 110_050n, intra_eu: false, is_goods: false },
    { side: 'input', tax_minor: 8000n, net_minor: 40_000n, intra_eu: false, is_goods: false }]);
  const body = submissionBody('#001', boxes);

  it('has the nine boxes in pounds, whole pounds from box 6, and is final', () => {
    expect(body).toEqual({ periodKey: '#001', vatDueSales: 220.1, vatDueAcquisitions: 0, totalVatDue: 220.1,
      vatReclaimedCurrPeriod: 80, netVatDue: 140.1, totalValueSalesExVAT: 1100, totalValuePurchasesExVAT: 400,
      totalValueGoodsSuppliedExVAT: 0, totalAcquisitionsExVAT: 0, finalised: true });
  });

  it('is the same as one that HMRC has when all nine boxes are, to the penny', () => {
    const { finalised: _, ...stored } = body;
    expect(differingBoxes(body, stored)).toEqual([]);
    expect(differingBoxes(body, { ...stored, vatDueSales: 220.11, totalAcquisitionsExVAT: 1 })).toEqual([1, 9]);
    expect(differingBoxes(body, {})).toHaveLength(9);
  });

  it('belongs to the obligation of exactly its days', () => {
    const open = { start: '2026-04-01', end: '2026-06-30', due: '2026-08-07', status: 'O', periodKey: '26A2' } as const;
    expect(obligationOf([open], '2026-04-01', '2026-06-30')).toBe(open);
    expect(obligationOf([open], '2026-04-01', '2026-06-29')).toBeNull();
  });

  it('is sent under the nine digits of the VAT number', () => {
    expect(['GB 123 4567 82', 'XI123456782', '123456782', 'GB123', null].map(vrnOf))
      .toEqual(['123456782', '123456782', '123456782', null, null]);
  });

  it('is refused in words; an unknown code keeps HMRC’s own', () => {
    expect(refusalInWords('TAX_PERIOD_NOT_ENDED', 'x'))
      .toBe('For HMRC the period has not ended yet. File it after its last day.');
    // A person who declines at HMRC comes back with a code of OAuth 2 (RFC 6749, 4.1.2.1).
    expect(declinedInWords('access_denied', 'user denied the authorization')).toMatch(/Connect again/);
    expect(declinedInWords('server_error', 'Try later')).toBe('HMRC did not connect the division: Try later');
    expect(refusalInWords('SOMETHING_NEW', 'Something is new')).toBe('HMRC refused it: Something is new');
    expect(authorizationEnd('2026-08-31')).toBe('2028-02-29');
  });
});

describe('fraud-prevention headers', () => {
  const browser = { user_agent: 'Mozilla/5.0 (X11)', device_id: 'beec798b-b366-47fa-b1f8-92cede14a1ce',
    screens: [{ width: 1920, height: 1080, scaling: 1.25, depth: 24 }], window: { width: 1256, height: 803 },
    utc_offset_minutes: 60 };
  const request = { user: 'ann@house.example', client_ip: '198.51.100.7', client_port: 41_234,
    at: '2026-11-26T10:00:00.000Z', second_factor: null, vendor_ip: '203.0.113.6', version: '0.1.0' };

  it('are the list of a web application behind a server, keys and values percent-encoded', () => {
    const second_factor = { kind: 'TOTP', at: '2026-11-26T09:58:41.000Z', reference: 'c672' } as const;
    expect(fraudHeaders(browser, { ...request, second_factor })).toEqual({
      'Gov-Client-Connection-Method': 'WEB_APP_VIA_SERVER',
      'Gov-Client-Browser-JS-User-Agent': 'Mozilla/5.0 (X11)',
      'Gov-Client-Device-ID': 'beec798b-b366-47fa-b1f8-92cede14a1ce',
      'Gov-Client-Multi-Factor': 'type=TOTP&timestamp=2026-11-26T09%3A58Z&unique-reference=c672',
      'Gov-Client-Public-IP': '198.51.100.7', 'Gov-Client-Public-IP-Timestamp': '2026-11-26T10:00:00.000Z',
      'Gov-Client-Public-Port': '41234',
      'Gov-Client-Screens': 'width=1920&height=1080&scaling-factor=1.25&colour-depth=24',
      'Gov-Client-Timezone': 'UTC+01:00', 'Gov-Client-User-IDs': 'grand-rights=ann%40house.example',
      'Gov-Client-Window-Size': 'width=1256&height=803',
      'Gov-Vendor-Forwarded': 'by=203.0.113.6&for=198.51.100.7', 'Gov-Vendor-Product-Name': 'Grand%20Rights',
      'Gov-Vendor-Public-IP': '203.0.113.6', 'Gov-Vendor-Version': 'grand-rights=0.1.0' });
  });

  it('leave out what is not known, and addresses that are not of the internet', () => {
    const headers = fraudHeaders(browser, { ...request, client_ip: '::ffff:10.0.0.4', vendor_ip: null });
    expect(Object.keys(headers).filter((name) => /Public|Forwarded|Factor/.test(name))).toEqual([]);
    expect(['::1', 'fe80::1', 'fd00::4', '172.20.1.1', '127.0.0.1', '2001:db8::1', '81.2.69.142']
      .map(isPublicAddress)).toEqual([false, false, false, false, false, true, true]);
    expect([-210, 0, 345].map(timezoneOf)).toEqual(['UTC-03:30', 'UTC+00:00', 'UTC+05:45']);
  });
});

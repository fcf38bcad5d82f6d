/**
 * Fraud-prevention headers of HMRC for a web application behind a server (connection method WEB_APP_VIA_SERVER):
 * https://developer.service.hmrc.gov.uk/guides/fraud-prevention/connection-method/web-app-via-server/
 * A value that cannot be gathered is left out, as HMRC asks; nothing is made up. There are no license keys, so
 * Gov-Vendor-License-IDs is never sent.
 */

/** Facts only the browser knows. */
export interface BrowserFacts {
  readonly user_agent: string;
  /** UUID kept on the device. */
  readonly device_id: string;
  readonly screens: readonly {
    readonly width: number; readonly height: number; readonly scaling: number; readonly depth: number;
  }[];
  readonly window: { readonly width: number; readonly height: number };
  /** Minutes ahead of UTC, below zero west of Greenwich. */
  readonly utc_offset_minutes: number;
}

/** Facts the server knows about the person, the connection and itself. */
export interface RequestFacts {
  readonly user: string;
  readonly client_ip: string;
  /** null behind a proxy, which does not say it. */
  readonly client_port: number | null;
  readonly at: string;
  readonly second_factor: { readonly kind: 'TOTP' | 'OTHER'; readonly at: string; readonly reference: string } | null;
  /** Address of this installation on the internet, where the operator entered one. */
  readonly vendor_ip: string | null;
  readonly version: string;
}

/** Name of the product in key-value headers. */
const PRODUCT = 'Grand Rights';
const KEY = 'grand-rights';

const encoded = (value: string | number): string => encodeURIComponent(String(value));

/** Keys and values are percent-encoded, the signs between them are not. */
function pairs(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values).map(([key, value]) => `${encoded(key)}=${encoded(value)}`).join('&');
}

/** 'UTC+01:00'. */
export function timezoneOf(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

const PRIVATE_V4 = /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const PRIVATE_V6 = /^(::1?$|f[cd]|fe[89ab])/i;

/** Whether an address is one of the internet; HMRC refuses others. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(plain)) return !PRIVATE_V4.test(plain);
  return plain.includes(':') && !PRIVATE_V6.test(plain);
}

export function fraudHeaders(browser: BrowserFacts, request: RequestFacts): Record<string, string> {
  const ip = request.client_ip.replace(/^::ffff:(?=\d+\.)/i, '');
  const isPublic = isPublicAddress(ip);
  const factor = request.second_factor;
  const headers: Record<string, string | null> = {
    'Gov-Client-Connection-Method': 'WEB_APP_VIA_SERVER',
    'Gov-Client-Browser-JS-User-Agent': browser.user_agent,
    'Gov-Client-Device-ID': browser.device_id,
    'Gov-Client-Multi-Factor': factor && pairs({ type: factor.kind, timestamp: `${factor.at.slice(0, 16)}Z`,
      'unique-reference': factor.reference }),
    'Gov-Client-Public-IP': isPublic ? ip : null,
    'Gov-Client-Public-IP-Timestamp': isPublic ? request.at : null,
    'Gov-Client-Public-Port': isPublic && request.client_port !== null ? String(request.client_port) : null,
    'Gov-Client-Screens': browser.screens.map((screen) => pairs({ width: screen.width, height: screen.height,
      'scaling-factor': screen.scaling, 'colour-depth': screen.depth })).join(','),
    'Gov-Client-Timezone': timezoneOf(browser.utc_offset_minutes),
    'Gov-Client-User-IDs': pairs({ [KEY]: request.user }),
    'Gov-Client-Window-Size': pairs(browser.window),
    'Gov-Vendor-Forwarded': isPublic && request.vendor_ip !== null ? pairs({ by: request.vendor_ip, for: ip }) : null,
    'Gov-Vendor-Product-Name': encoded(PRODUCT),
    'Gov-Vendor-Public-IP': request.vendor_ip,
    'Gov-Vendor-Version': pairs({ [KEY]: request.version }),
  };
  return Object.fromEntries(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null));
}

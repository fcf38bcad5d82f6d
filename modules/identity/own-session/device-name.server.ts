/** Device name from the browser's own description, in familiar words. A guess: for display, never for decisions. */
import type { OwnSession } from './own-session.contract.ts';

/** The first that fits: Edge and Opera also say Chrome, Chrome also says Safari. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'], [/\bOPR\//, 'Opera'], [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'], [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string, OwnSession['kind']][] = [
  [/\biPhone\b/, 'iPhone', 'phone'], [/\biPad\b/, 'iPad', 'tablet'],
  [/\bAndroid\b(?=.*\bMobile\b)/, 'Android', 'phone'],
  [/\bAndroid\b/, 'Android', 'tablet'], [/\bWindows\b/, 'Windows', 'computer'], [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac', 'computer'], [/\bLinux\b/, 'Linux', 'computer'],
];

/** `Firefox on Windows` and the picture that goes with it; a program or nothing known: says so. */
export function deviceOf(userAgent: string | null): Pick<OwnSession, 'device' | 'kind'> {
  const text = userAgent ?? '';
  const browser = BROWSERS.find(([pattern]) => pattern.test(text))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(text));
  if (browser && system) return { device: `${browser} on ${system[1]}`, kind: system[2] };
  const program = /^[\w.-]{1,40}/.exec(text)?.[0];
  return { device: browser ?? program ?? 'Unknown device', kind: 'program' };
}

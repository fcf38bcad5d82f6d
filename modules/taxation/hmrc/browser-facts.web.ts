/** Facts HMRC requires about the browser that sends a request (kernel/tax/fraud-headers.ts). */
import type { BrowserFacts } from '#kernel/tax/fraud-headers.ts';

const DEVICE_KEY = 'hmrc-device';

/** Made once and kept on the device; where nothing can be kept, one for this page. */
function deviceId(): string {
  try {
    const known = window.localStorage.getItem(DEVICE_KEY);
    if (known) return known;
    const made = crypto.randomUUID();
    window.localStorage.setItem(DEVICE_KEY, made);
    return made;
  } catch {
    return crypto.randomUUID();
  }
}

export function browserFacts(): BrowserFacts & { screens: { width: number; height: number; scaling: number;
  depth: number }[] } {
  const { width, height, colorDepth } = window.screen;
  return {
    user_agent: navigator.userAgent.slice(0, 400), device_id: deviceId(),
    screens: [{ width, height, scaling: window.devicePixelRatio || 1, depth: colorDepth || 24 }],
    window: { width: Math.round(window.innerWidth), height: Math.round(window.innerHeight) },
    utc_offset_minutes: -new Date().getTimezoneOffset() || 0,
  };
}

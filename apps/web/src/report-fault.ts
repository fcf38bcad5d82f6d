/**
 * Faults of our own screens are told to the server, without anything about the person (X215): the same one once, and
 * few for each time the application is loaded. A refused or lost call is no fault of a screen.
 */
import { ApiError, call, prepareCsrf, remote } from '#kit/client.ts';
import type { clientErrorEndpoints } from '#modules/system/system.contract.ts';

const report = remote<typeof clientErrorEndpoints.report>('POST', '/api/client-errors');

const MOST = 5;
const LONGEST = 2000, LONGEST_STACK = 4000, LONGEST_PAGE = 500;
const told = new Set<string>();

export function reportFault(fault: unknown): void {
  if (!(fault instanceof Error) || fault instanceof ApiError || told.size >= MOST) return;
  const message = `${fault.name}: ${fault.message}`.slice(0, LONGEST);
  if (told.has(message)) return;
  told.add(message);
  const body = { message, page: window.location.pathname.slice(0, LONGEST_PAGE),
    ...(fault.stack ? { stack: fault.stack.slice(0, LONGEST_STACK) } : {}) };
  const signed = document.cookie.includes('XSRF-TOKEN=') ? Promise.resolve() : prepareCsrf();
  // Nobody is helped by a fault about the report of a fault.
  signed.then(() => call(report, { body }, { background: true })).catch(() => {});
}

/** Reports errors that nothing else catches. Errors caught by an error page are reported by the root (main.tsx). */
export function listenForFaults(): void {
  window.addEventListener('error', (event) => reportFault(event.error));
  window.addEventListener('unhandledrejection', (event) => reportFault(event.reason));
}

/**
 * What other contexts may ask of licensing. Every call belongs into the caller's transaction (`ctx.db`).
 * - createLicense(ctx, input): a draft with venues, price, rights check; input as POST /licenses.
 * - priceLicense(ctx, license_id): prices a draft and stores all of it.
 * - executeIfMet(ctx, license_id): after money reached a licence; executes it when its policy is met, else nothing.
 * - licenseFacts(ctx, license_id): what is true of it, by the names of the phase machine's guards.
 * - termsOfLicense(row): the fee terms a licence carries, as the kernel computes with them (box office, true-up).
 * - transition(ctx, {...}): one event of the machine, by the system.
 */
import './licenses/money-listener.server.ts';

export { createLicense, type CreateLicense } from './licenses/create-license.server.ts';
export { runLicenseClocks, type ClockRun } from './licenses/license-clocks.server.ts';
export { priceLicense } from './pricing/price-license.server.ts';
export { executeIfMet } from './licenses/execute-license.server.ts';
export { licenseFacts } from './licenses/license-facts.server.ts';
export { termsOfLicense } from './pricing/rate-terms.server.ts';
export { findLicense, lockLicense, type License, type FeeTerms } from './licenses/license-record.server.ts';
export { refreshChecklist } from './checklist/refresh-checklist.server.ts';

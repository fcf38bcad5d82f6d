/**
 * Licensing calls for other contexts, imports and the demo season. Every call belongs in the caller's transaction
 * (`ctx.db`); amounts are minor units, dates YYYY-MM-DD.
 * - createLicense(ctx, input): a draft with venues, price and rights check; input as POST /licenses.
 * - priceLicense(ctx, license_id): prices a draft and stores all of it; 422 if no price can be made.
 * - previewPrice(ctx, input): a price from typed figures; checkPublicDates(ctx, dates): the bare verdict on rights.
 * - transition(ctx, {license_id, event, reason?}): an event of the phase machine by the company itself.
 * - signOffer, declineOffer, amendLicense, cancelLicense, executeByStaff: the events that carry more than a reason.
 * - executeIfMet(ctx, license_id): after money reached a license; executes it when its policy is met, else nothing.
 * - runLicenseClocks(ctx, today): all time-driven steps, idempotent; on the pool a transaction per license.
 * - sendReminders(ports): mails that remind of offers, payments, box-office reports and addenda; each step once.
 * - receiveMail(ports, raw): a mail that came in, placed in a conversation; tellOfUndelivered(ports): mails that did
 *   not arrive, as tasks.
 * - createApplication, submitApplication, decideApplication, convertApplication: the way to a quote.
 * - licenseFacts(ctx, license_id): its current facts, by the names of the phase machine's guards.
 * - termsOfLicense(row): the fee terms a license carries, as the kernel computes with them (box office, true-up).
 * - scheduleReports(ctx, license_id): the expected box-office reports, after dates changed.
 */

export { waitingDiscounts, waitingReports } from './approvals.server.ts';
export { createLicense, type CreateLicense } from './licenses/quote/create-license.server.ts';
export { checkPublicDates } from './availability/public-dates.server.ts';
export { previewPrice } from './licenses/pricing/preview-price.server.ts';
export { priceLicense } from './licenses/pricing/price-license.server.ts';
export { transition, type Transition } from './licenses/phase/house-transition.server.ts';
export { declineOffer, signOffer } from './licenses/quote/sign-offer.server.ts';
export { amendLicense } from './amendments/amend-license.server.ts';
export { cancelLicense } from './licenses/phase/cancel-license.server.ts';
export { executeByStaff, executeIfMet } from './licenses/phase/execute-license.server.ts';
export { CUSTOMER, HOUSE, SYSTEM, staffMover, type Mover } from './licenses/phase/mover.server.ts';
export { moveApplications } from './applications/move-to-customer.server.ts';
export { licensingMoney } from './licenses/billing/license-money.server.ts';
export { runLicenseClocks, type ClockRun } from './licenses/phase/license-clocks.server.ts';
export { receiveMail, type MailOutcome } from './threads/receive-mail.server.ts';
export { tellOfUndelivered } from './threads/undelivered.server.ts';
export { sendReminders } from './reminders/send-reminders.server.ts';
export { createApplication, saveApplication } from './applications/save-application.server.ts';
export { decideApplication, submitApplication } from './applications/move-application.server.ts';
export { convertApplication } from './applications/convert-application.server.ts';
export { licenseFacts } from './licenses/phase/license-facts.server.ts';
export { termsOfLicense } from './licenses/pricing/rate-terms.server.ts';
export { scheduleReports } from './licenses/billing/sync-expected-reports.server.ts';
export { eventLabel } from './licenses/phase/event-rows.server.ts';
export { findLicense, lockLicense, type FeeTerms, type License } from './licenses/license-record.server.ts';
export { setMissing } from './materials/set-missing.server.ts';
export { refreshChecklist } from './checklist/refresh-checklist.server.ts';

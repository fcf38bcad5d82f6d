/** The waiting records of each kind, by the context they belong to. */
import {
  waitingCloses, waitingClosingEntries, waitingIntercompany, waitingLocks, waitingReopens, waitingRevaluations,
} from '#modules/accounting/accounting.public.server.ts';
import {
  waitingBomTemplates, waitingRateCards, waitingRoyaltorBank,
} from '#modules/catalogue/catalogue.public.server.ts';
import { waitingCustomerBank, waitingCustomerChanges } from '#modules/customers/customers.public.server.ts';
import { waitingDiscounts, waitingReports } from '#modules/licensing/licensing.public.server.ts';
import { waitingOpeningReversals } from '#modules/openings/openings.public.server.ts';
import { waitingVendorBank } from '#modules/operations/operations.public.server.ts';
import { waitingBills, waitingPaymentRuns, waitingPayments } from '#modules/payables/payables.public.server.ts';
import { waitingRefunds } from '#modules/receivables/receivables.public.server.ts';
import {
  waitingBatches, waitingCorrections, waitingRuns, waitingStatements,
} from '#modules/royalties/royalties.public.server.ts';
import {
  waitingCertificates, waitingTaxReturns, waitingYearEndFilings,
} from '#modules/taxation/taxation.public.server.ts';
import type { Sql } from '#server/sql.ts';
import type { ApprovalKind } from './approval.contract.ts';

export const APPROVAL_SOURCES: Readonly<Record<ApprovalKind, () => Sql>> = {
  discount: waitingDiscounts, rate_card: waitingRateCards, box_office_report: waitingReports,
  statement_run: waitingRuns, statement: waitingStatements, correction: waitingCorrections,
  payment_batch: waitingBatches, payment_run: waitingPaymentRuns, payment: waitingPayments, refund: waitingRefunds,
  bill: waitingBills, royaltor_bank: waitingRoyaltorBank, vendor_bank: waitingVendorBank,
  customer_bank: waitingCustomerBank, customer_details: waitingCustomerChanges,
  exemption_certificate: waitingCertificates, bom_template: waitingBomTemplates,
  period_close: waitingCloses, period_reopen: waitingReopens, lock_date: waitingLocks,
  tax_return: waitingTaxReturns, year_end_filing: waitingYearEndFilings, opening_reversal: waitingOpeningReversals,
  revaluation: waitingRevaluations, intercompany: waitingIntercompany,
  closing_entry: waitingClosingEntries,
};

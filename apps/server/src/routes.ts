/** Every route the server answers: an explicit list, one line per resource. */
import { addOnRoutes } from '#modules/catalogue/add-on/add-on.server.ts';
import { agreementShareRoutes } from '#modules/catalogue/agreement/agreement-shares.server.ts';
import { agreementRoutes } from '#modules/catalogue/agreement/agreement.server.ts';
import { bomTemplateRoutes } from '#modules/catalogue/bom-template/bom-template.server.ts';
import { materialRoutes } from '#modules/catalogue/material/material.server.ts';
import { portalMaterialRoutes } from '#modules/catalogue/material/portal-material.server.ts';
import { materialFileRoutes } from '#modules/catalogue/material/material-file.server.ts';
import { approvalRoutes } from '#modules/approvals/approval.server.ts';
import { materialCategoryRoutes } from '#modules/catalogue/material-category/material-category.server.ts';
import { packageRoutes } from '#modules/catalogue/package/package.server.ts';
import { rateCardRoutes } from '#modules/catalogue/rate-card/rate-card.server.ts';
import { restrictionRoutes } from '#modules/catalogue/restriction/restriction.server.ts';
import { royaltorRoutes } from '#modules/catalogue/royaltor/royaltor.server.ts';
import { salesItemRoutes } from '#modules/catalogue/sales-item/sales-item.server.ts';
import { showImageRoutes } from '#modules/catalogue/show-image/show-image.server.ts';
import { showSampleRoutes } from '#modules/catalogue/show-sample/show-sample.server.ts';
import { showRoutes } from '#modules/catalogue/show/show.server.ts';
import { chartRoutes } from '#modules/accounting/ledger-account/ledger-account.server.ts';
import { exchangeRateRoutes } from '#modules/accounting/period/exchange-rate.server.ts';
import { periodLockRoutes } from '#modules/accounting/period/period-lock.server.ts';
import { periodRoutes } from '#modules/accounting/period/period.server.ts';
import { reportRoutes } from '#modules/accounting/report/report-routes.server.ts';
import { yearEndRoutes } from '#modules/accounting/period/year-end.server.ts';
import { statementRoutes } from '#modules/accounting/report/statement-routes.server.ts';
import { intercompanyRoutes } from '#modules/accounting/intercompany/intercompany.server.ts';
import { revaluationRoutes } from '#modules/accounting/revaluation/revaluation.server.ts';
import { journalEntryRoutes } from '#modules/accounting/transaction/journal-entry.server.ts';
import { transactionRoutes } from '#modules/accounting/transaction/transaction.server.ts';
import { classificationRoutes } from '#modules/customers/classification/classification.server.ts';
import { customerBankRoutes } from '#modules/customers/customer/customer-bank.server.ts';
import { customerRoutes } from '#modules/customers/customer/customer.server.ts';
import { ownDetailsRoutes } from '#modules/customers/own-details/own-details.server.ts';
import { shippingAddressRoutes } from '#modules/customers/shipping-address/shipping-address.server.ts';
import { customerPeopleRoutes, invitationRoutes, peopleRoutes } from '#modules/customers/people/people.server.ts';
import { dashboardRoutes } from '#modules/dashboard/dashboard.server.ts';
import { bulkRoutes } from '#modules/data-exchange/bulk/bulk.server.ts';
import { exportJobRoutes } from '#modules/data-exchange/exports/export-job.server.ts';
import { exportRoutes } from '#modules/data-exchange/exports/export.server.ts';
import { importTemplateRoutes } from '#modules/data-exchange/import-templates/import-template.server.ts';
import { jobRoutes } from '#modules/data-exchange/jobs/job.server.ts';
import { importRoutes } from '#modules/data-exchange/imports/import.server.ts';
import { actingRoutes } from '#modules/identity/acting/acting.server.ts';
import { confirmationRoutes } from '#modules/identity/confirmation/confirmation.server.ts';
import { listColumnsRoutes } from '#modules/identity/list-columns/list-columns.server.ts';
import { savedViewRoutes } from '#modules/identity/saved-views/saved-view.server.ts';
import { inviteRoutes } from '#modules/identity/invite/invite.server.ts';
import { sessionRoutes } from '#modules/identity/session/session-routes.server.ts';
import { bankRoutes } from '#modules/banking/bank/bank.server.ts';
import { bankAccountRoutes } from '#modules/banking/bank-account/bank-account.server.ts';
import { cashRoutes } from '#modules/banking/cash/cash.server.ts';
import { bankRuleRoutes } from '#modules/banking/rule/bank-rule.server.ts';
import { bankStatementRoutes } from '#modules/banking/statement/bank-statement.server.ts';
import { bankTransactionRoutes } from '#modules/banking/transaction/bank-transaction.server.ts';
import { depositSlipRoutes } from '#modules/banking/deposit-slip/deposit-slip.server.ts';
import { matchingRoutes } from '#modules/banking/matching/matching.server.ts';
import { reconciliationRoutes } from '#modules/banking/reconciliation/reconciliation.server.ts';
import { transferRoutes } from '#modules/banking/transfer/transfer.server.ts';
import { payablesRoutes } from '#modules/payables/payables-routes.server.ts';
import { vendorRoutes } from '#modules/operations/vendor/vendor.server.ts';
import { staffRoutes } from '#modules/identity/staff/staff.server.ts';
import { groupRoutes } from '#modules/identity/staff-group/staff-group.server.ts';
import { emailGroupRoutes } from '#modules/identity/email-group/email-group.server.ts';
import { teamRoutes } from '#modules/identity/team/team.server.ts';
import { userRoutes } from '#modules/identity/user/user.server.ts';
import { notificationRoutes } from '#modules/notifications/notification.server.ts';
import { ownSessionRoutes } from '#modules/identity/own-session/own-session.server.ts';
import { passkeyRoutes } from '#modules/identity/passkey/passkey.server.ts';
import { personSecurityRoutes } from '#modules/identity/person-security/person-security.server.ts';
import { securityPolicyRoutes } from '#modules/identity/security-policy/security-policy.server.ts';
import { twoFactorRoutes } from '#modules/identity/two-factor/two-factor.server.ts';
import { venueRoutes } from '#modules/operations/venue/venue.server.ts';
import { openingSetRoutes } from '#modules/openings/opening-set.server.ts';
import { placeRoutes } from '#modules/reference/places/place.server.ts';
import { boxOfficeRoutes } from '#modules/licensing/box-office/box-office.server.ts';
import { licensingRoutes } from '#modules/licensing/licensing-routes.server.ts';
import { royaltyRoutes } from '#modules/royalties/royalty-routes.server.ts';
import { receivablesRoutes } from '#modules/receivables/receivables-routes.server.ts';
import { activityRoutes } from '#modules/system/activity.server.ts';
import { systemRoutes } from '#modules/system/system.server.ts';
import { auditorPackageRoutes } from '#modules/closing/auditor-package.server.ts';
import { closeChecklistRoutes, openChecks } from '#modules/closing/close-checklist.server.ts';
import { taxationRoutes } from '#modules/taxation/taxation-routes.server.ts';
import { goodsReceiptRoutes } from '#modules/stock/goods-receipt/goods-receipt.server.ts';
import { stockRoutes } from '#modules/stock/movement/movement.server.ts';
import { licenseParcelRoutes } from '#modules/stock/sales-order/license-parcels.server.ts';
import { salesOrderRoutes } from '#modules/stock/sales-order/sales-order.server.ts';
import { shopRoutes } from '#modules/stock/shop/shop.server.ts';
import { perusalRoutes } from '#modules/stock/perusal/perusal.server.ts';
import { portalPerusalRoutes } from '#modules/stock/perusal/portal-perusal.server.ts';
import { warehouseRoutes } from '#modules/stock/warehouse/warehouse.server.ts';
import { reportingRoutes } from '#modules/reporting/reporting.server.ts';
import { searchRoutes } from '#modules/search/search.server.ts';
import { bookingRoutes } from '#modules/licensing/bookings/booking.server.ts';
import { publicShowRoutes } from '#modules/public-site/public-show.server.ts';
import type { Route } from '#server/routes.ts';

export const routes: readonly Route[] = [
  ...sessionRoutes,
  ...confirmationRoutes,
  ...userRoutes,
  ...listColumnsRoutes,
  ...savedViewRoutes,
  ...notificationRoutes,
  ...staffRoutes,
  ...inviteRoutes,
  ...groupRoutes,
  ...teamRoutes, ...emailGroupRoutes,
  ...twoFactorRoutes,
  ...passkeyRoutes,
  ...ownSessionRoutes,
  ...personSecurityRoutes,
  ...securityPolicyRoutes,
  ...actingRoutes,
  ...systemRoutes,
  ...dashboardRoutes,
  ...approvalRoutes,
  ...chartRoutes,
  ...journalEntryRoutes,
  ...transactionRoutes,
  ...reportRoutes, ...statementRoutes, ...yearEndRoutes,
  ...revaluationRoutes, ...intercompanyRoutes,
  ...periodRoutes(openChecks),
  ...periodLockRoutes,
  ...exchangeRateRoutes,
  ...openingSetRoutes,
  ...customerRoutes,
  ...customerBankRoutes,
  ...ownDetailsRoutes,
  ...shippingAddressRoutes,
  ...peopleRoutes,
  ...customerPeopleRoutes,
  ...invitationRoutes,
  ...classificationRoutes,
  ...venueRoutes,
  ...bankRoutes, ...bankAccountRoutes, ...bankStatementRoutes, ...bankTransactionRoutes, ...bankRuleRoutes,
  ...cashRoutes, ...transferRoutes, ...matchingRoutes, ...depositSlipRoutes, ...reconciliationRoutes,
  ...vendorRoutes,
  ...payablesRoutes,
  ...warehouseRoutes,
  ...stockRoutes, ...goodsReceiptRoutes,
  ...salesOrderRoutes,
  ...licenseParcelRoutes,
  ...shopRoutes,
  ...perusalRoutes,
  ...portalPerusalRoutes,
  ...placeRoutes,
  ...showRoutes,
  ...showImageRoutes,
  ...showSampleRoutes,
  ...rateCardRoutes,
  ...packageRoutes,
  ...restrictionRoutes,
  ...addOnRoutes,
  ...salesItemRoutes,
  ...bomTemplateRoutes,
  ...royaltorRoutes,
  ...agreementRoutes, ...agreementShareRoutes,
  ...licensingRoutes,
  ...boxOfficeRoutes,
  ...royaltyRoutes,
  ...receivablesRoutes,
  ...taxationRoutes, ...closeChecklistRoutes, ...auditorPackageRoutes,
  ...bookingRoutes,
  ...searchRoutes,
  ...reportingRoutes,
  ...activityRoutes,
  ...exportRoutes,
  ...exportJobRoutes(() => routes),
  ...bulkRoutes(() => routes),
  ...jobRoutes,
  ...importRoutes,
  ...importTemplateRoutes,
  ...materialRoutes,
  ...portalMaterialRoutes,
  ...materialFileRoutes,
  ...materialCategoryRoutes,
  ...publicShowRoutes,
];

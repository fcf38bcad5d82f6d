/** Every route of receivables. */
import type { Route } from '#server/routes.ts';
import { agingRoutes } from './aging/aging.server.ts';
import { depositRoutes } from './deposits/deposit.server.ts';
import { invoiceRoutes } from './invoices/invoice.server.ts';
import { lateInterestRoutes } from './late-interest/late-interest.server.ts';
import { disputeRoutes } from './online/dispute.server.ts';
import { onlinePaymentRoutes, payoutRoutes } from './online/online-payment.server.ts';
import { processorKeyRoutes } from './online/processor-keys.server.ts';
import { portalDepositRoutes } from './portal/portal-deposit.server.ts';
import { portalInvoiceRoutes } from './portal/portal-invoice.server.ts';
import { portalReceiptRoutes } from './portal/portal-receipt.server.ts';

export const receivablesRoutes: Route[] = [
  ...invoiceRoutes, ...lateInterestRoutes, ...depositRoutes, ...agingRoutes, ...portalDepositRoutes,
  ...portalInvoiceRoutes, ...portalReceiptRoutes, ...onlinePaymentRoutes, ...payoutRoutes, ...disputeRoutes,
  ...processorKeyRoutes,
];

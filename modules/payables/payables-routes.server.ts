/** Every route of payables. */
import type { Route } from '#server/routes.ts';
import { payablesAgingRoutes } from './aging/payables-aging.server.ts';
import { billRoutes } from './bill/bill.server.ts';
import { billScheduleRoutes } from './bill-schedule/bill-schedule.server.ts';
import { checkRoutes } from './check/check.server.ts';
import { checkTemplateRoutes } from './check/check-template.server.ts';
import { checksWiresRoutes } from './check/checks-wires.server.ts';
import { goodsReceivedRoutes } from './goods-received/goods-received.server.ts';
import { payRoutes } from './payment/pay.server.ts';
import { paymentRoutes } from './payment/payment.server.ts';
import { prenoteRoutes } from './prenote/prenote.server.ts';
import { fileProfileRoutes } from './run/file-profile.server.ts';
import { royaltyRunRoutes } from './royalty-run/royalty-run-routes.server.ts';
import { paymentRunRoutes } from './run/payment-run.server.ts';
import { vendorAccountRoutes } from './vendor-account/vendor-account.server.ts';
import { vendorMergeRoutes } from './vendor-merge/merge-vendors.server.ts';

export const payablesRoutes: Route[] = [...billRoutes, ...goodsReceivedRoutes, ...billScheduleRoutes,
  ...payablesAgingRoutes, ...checkRoutes,
  ...checkTemplateRoutes, ...checksWiresRoutes, ...paymentRunRoutes, ...fileProfileRoutes, ...prenoteRoutes,
  ...paymentRoutes, ...payRoutes, ...royaltyRunRoutes, ...vendorAccountRoutes,
  ...vendorMergeRoutes];

/** Every route of taxation. */
import type { Route } from '#server/routes.ts';
import { certificateRoutes } from './exemption-certificates/exemption-certificate.server.ts';
import { ownCertificateRoutes } from './exemption-certificates/own-certificate.server.ts';
import { hmrcRoutes } from './hmrc/hmrc.server.ts';
import { holidayRoutes } from './holidays/holiday.server.ts';
import { localTaxRateRoutes } from './local-tax-rates/local-tax-rate.server.ts';
import { taxCodeRoutes } from './tax-codes/tax-code.server.ts';
import { registrationRoutes } from './tax-registrations/tax-registration.server.ts';
import { taxRuleRoutes } from './tax-rules/tax-rule.server.ts';
import { salesTaxReturnRoutes } from './sales-tax/sales-tax-return-routes.server.ts';
import { salesTaxRoutes } from './sales-tax/sales-tax.server.ts';
import { taxServiceRoutes } from './tax-service/tax-service.server.ts';
import { vatNumberRoutes } from './vat-registers/vat-number.server.ts';
import { vatReturnRoutes } from './returns/vat-return.server.ts';
import { yearEndRoutes } from './year-end/year-end.server.ts';

export const taxationRoutes: Route[] = [
  ...taxCodeRoutes, ...taxRuleRoutes, ...registrationRoutes, ...holidayRoutes, ...certificateRoutes,
  ...ownCertificateRoutes,
  ...localTaxRateRoutes, ...vatReturnRoutes, ...hmrcRoutes, ...salesTaxRoutes,
  ...salesTaxReturnRoutes, ...taxServiceRoutes, ...yearEndRoutes, ...vatNumberRoutes,
];

/** Every route of the licensing context but box office: one line per resource. */
import type { Route } from '#server/routes.ts';
import { licenseAddOnRoutes } from './add-ons/license-add-on.server.ts';
import { streamReportRoutes } from './add-ons/stream-report.server.ts';
import { amendmentRoutes } from './amendments/amendment.server.ts';
import { applicationRoutes } from './applications/application.server.ts';
import { availabilityRoutes } from './availability/availability.server.ts';
import { contractTemplateRoutes } from './contracts/contract-template.server.ts';
import { checklistRoutes } from './checklist/checklist.server.ts';
import { licenseDocumentRoutes } from './documents/license-document.server.ts';
import { licenseRoutes } from './licenses/license.server.ts';
import { licenseVenueRoutes } from './licenses/venues/license-venue.server.ts';
import { licenseFileRoutes } from './downloads/download.server.ts';
import { licenseMaterialRoutes } from './materials/license-material.server.ts';
import { memoRoutes } from './memos/memo.server.ts';
import { performanceRoutes } from './licenses/performances/performance.server.ts';
import { portalRoutes } from './portal/portal.server.ts';
import { pricingRoutes } from './licenses/pricing/pricing.server.ts';
import { taskRoutes } from './tasks/task.server.ts';
import { threadRoutes } from './threads/thread.server.ts';
import { unplacedMailRoutes } from './unplaced-mail/unplaced-mail.server.ts';
import { termsRoutes } from './licenses/terms/terms.server.ts';

export const licensingRoutes: readonly Route[] = [
  ...licenseRoutes,
  ...licenseVenueRoutes,
  ...performanceRoutes,
  ...pricingRoutes,
  ...availabilityRoutes,
  ...licenseDocumentRoutes,
  ...contractTemplateRoutes,
  ...checklistRoutes,
  ...termsRoutes,
  ...licenseMaterialRoutes,
  ...licenseFileRoutes,
  ...licenseAddOnRoutes, ...streamReportRoutes,
  ...memoRoutes, ...threadRoutes, ...unplacedMailRoutes,
  ...taskRoutes,
  ...amendmentRoutes,
  ...applicationRoutes,
  ...portalRoutes,
];

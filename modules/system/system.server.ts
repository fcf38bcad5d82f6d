/** Calls of the system area. */
import { serve, type Route } from '#server/routes.ts';
import { listAudit } from './audit.server.ts';
import { verifyAudit } from './audit-chain.server.ts';
import { clientErrorRoutes, listFaults } from './client-errors.server.ts';
import { changeDivision, changePaymentDetails, listDivisions } from './divisions.server.ts';
import { cancelErasure, erase, findPeople, listErasures } from './erasure.server.ts';
import { environmentOf } from './environment.server.ts';
import { healthOf } from './health.server.ts';
import { integrityOf } from './integrity.server.ts';
import { jobKinds, listJobs, retryJob } from './jobs.server.ts';
import { listMail } from './mail.server.ts';
import { changeSetting, readSettings } from './settings.server.ts';
import { systemEndpoints } from './system.contract.ts';

export const systemRoutes: Route[] = [...serve(systemEndpoints, {
  health: async (ctx) => ({ data: await healthOf(ctx) }),
  integrity: async (ctx) => ({ data: await integrityOf(ctx) }),
  divisions: async (ctx) => ({ data: await listDivisions(ctx) }),
  updateDivision: async (ctx, { params, body }) => ({ data: await changeDivision(ctx, params.code, body) }),
  paymentDetails: async (ctx, { params, body }) => ({ data: await changePaymentDetails(ctx, params.code, body) }),
  jobs: (ctx, { query }) => listJobs(ctx, query),
  jobKinds: async (ctx) => ({ data: await jobKinds(ctx) }),
  retryJob: async (ctx, { params }) => ({ data: await retryJob(ctx, params.id) }),
  audit: (ctx, { query }) => listAudit(ctx, query),
  verifyAudit: async (ctx) => ({ data: await verifyAudit(ctx.ports.db) }),
  mail: (ctx, { query }) => listMail(ctx, query),
  settings: async (ctx) => ({ data: await readSettings(ctx) }),
  environment: async (ctx) => ({ data: environmentOf(ctx.ports.settings) }),
  updateSetting: async (ctx, { body }) => ({ data: await changeSetting(ctx, body) }),
  people: (ctx, { query }) => findPeople(ctx, query),
  erasures: async (ctx) => ({ data: await listErasures(ctx) }),
  erase: async (ctx, { params, body }) => ({ data: await erase(ctx, params.userId, body.reason) }),
  cancelErasure: (ctx, { params }) => cancelErasure(ctx, params.id),
  clientFaults: (ctx, { query }) => listFaults(ctx, query),
}), ...clientErrorRoutes];

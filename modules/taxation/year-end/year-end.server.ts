/** Year-end forms over HTTP. */
import { invalidField } from '#kit/errors.ts';
import { FORM_TITLES, formsOf } from '#kernel/tax/year-end-forms.ts';
import { serve, type Route } from '#server/routes.ts';
import { fileForms, prepareForms, withdrawForms } from './prepare-forms.server.ts';
import { filingCsv, formsCsv, recipientCopy } from './year-end-files.server.ts';
import { formDetail, yearEndReport, yearOf } from './year-end-report.server.ts';
import { changeLayout, changeThreshold, confirmLayout, enterThreshold } from './year-end-rules.server.ts';
import { yearEndEndpoints } from './year-end.contract.ts';

export const yearEndRoutes: Route[] = serve(yearEndEndpoints, {
  report: async (ctx, { query }) => ({ data: await yearEndReport(ctx, await yearOf(ctx, query)) }),
  export: async (ctx, { query }) => formsCsv(ctx, await yearOf(ctx, query), query.form),
  form: async (ctx, { params }) => ({ data: await formDetail(ctx, params.id) }),
  copy: (ctx, { params }) => recipientCopy(ctx, params.id),
  async prepare(ctx, { body }) {
    if (!formsOf(body.division).includes(body.form)) {
      throw invalidField('form', `${body.division} has no form ${FORM_TITLES[body.form]}`);
    }
    return { data: await prepareForms(ctx, body) };
  },
  file: async (ctx, { params, body }) => ({ data: await fileForms(ctx, params.id, body) }),
  withdraw: (ctx, { params, body }) => withdrawForms(ctx, params.id, body),
  irsFile: (ctx, { params }) => filingCsv(ctx, params.id),
  enterThreshold: async (ctx, { body }) => ({ data: await enterThreshold(ctx, body) }),
  changeThreshold: async (ctx, { params, body }) => ({ data: await changeThreshold(ctx, params.id, body) }),
  changeLayout: async (ctx, { params, body }) => ({ data: await changeLayout(ctx, params.id, body) }),
  confirmLayout: async (ctx, { params, body }) => ({ data: await confirmLayout(ctx, params.id, body.version) }),
});

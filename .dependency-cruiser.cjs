/** Allowed imports between modules (architecture.md 3). `npm run check` also demands that enough modules were seen. */
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });
const KERNEL = '^packages/kernel/';
const KIT = '^packages/contract/';
const SERVER_KIT = '^packages/server-kit/';
const WEB_KIT = '^packages/web-kit/';
const SERVER_FILE = '\\.server\\.ts$';
const WEB_FILE = '\\.(web\\.tsx?|pages\\.ts)$';
const CONTRACT_FILE = '\\.contract\\.ts$';
const TEST_FILE = '(\\.test\\.tsx?|\\.bench\\.ts)$|^tests/';
const BROWSER_CODE = `${WEB_KIT}|${WEB_FILE}|^apps/web/`;
const NODE = { dependencyTypes: ['core'] };

module.exports = {
  forbidden: [
    rule('no-cycle', {}, { circular: true }, 'two modules that need each other are one module'),
    rule('unresolved', {}, { couldNotResolve: true, pathNot: '\\?' }, 'an import that leads nowhere'),
    rule('kernel-is-alone', { path: KERNEL, pathNot: TEST_FILE }, { pathNot: KERNEL }, 'the kernel imports nothing'),
    rule('kernel-folders', { path: '^packages/kernel/([^/]+)/', pathNot: TEST_FILE },
      { path: KERNEL, pathNot: ['^packages/kernel/$1/', '^packages/kernel/(money|calendar|text)/',
          // Numbers of accounts, and what reads any file of a bank.
          '^packages/kernel/receivables/bank-numbers\\.ts$',
          '^packages/kernel/bank-statements/(xml|bank-file|file-text|camt-entry)\\.ts$'],
        dependencyTypesNot: ['type-only'] },
      'a folder of the kernel runs itself, money, calendar and text; types are shared'),
    rule('kit-is-plain', { path: KIT, pathNot: TEST_FILE }, { path: `${SERVER_KIT}|${WEB_KIT}|^modules/|^apps/` },
      'the contract kit is shared by server and browser'),
    rule('kit-without-node', { path: KIT, pathNot: TEST_FILE }, NODE, 'the contract kit runs in the browser'),
    rule('contract-is-plain', { path: CONTRACT_FILE },
      { path: `${SERVER_KIT}|${WEB_KIT}|${SERVER_FILE}|${WEB_FILE}|^apps/` }, 'a contract is data about HTTP'),
    rule('server-kit-knows-no-product', { path: SERVER_KIT, pathNot: TEST_FILE }, { path: '^modules/|^apps/' },
      'kits come before the product'),
    rule('web-kit-knows-no-product', { path: WEB_KIT, pathNot: TEST_FILE }, { path: '^modules/|^apps/' },
      'kits come before the product'),
    rule('server-without-web', { path: `${SERVER_FILE}|${SERVER_KIT}|^apps/server/`, pathNot: TEST_FILE },
      { path: BROWSER_CODE }, 'the server renders nothing'),
    rule('web-without-server', { path: BROWSER_CODE, pathNot: `${TEST_FILE}|vite\\.config` },
      { path: `${SERVER_FILE}|${SERVER_KIT}|^apps/server/` }, 'server code never enters the browser'),
    rule('web-without-node', { path: BROWSER_CODE, pathNot: `${TEST_FILE}|vite\\.config` }, NODE,
      'the browser has no Node'),
    rule('web-without-server-packages', { path: BROWSER_CODE, pathNot: TEST_FILE },
      { path: 'node_modules/(@types/)?(pg|pg-boss|fastify|@fastify|nodemailer|pdfkit|flydrive|@aws-sdk|prom-client)/' },
      'packages of the server stay there'),
    rule('mantine-in-web-kit-only', { pathNot: `${WEB_KIT}|^tests/` }, { path: 'node_modules/@mantine/' },
      'one place knows the component library'),
    rule('other-context-through-its-door', { path: '^modules/([^/]+)/.*\\.server\\.ts$' },
      { path: '^modules/.*\\.server\\.ts$', pathNot: ['^modules/$1/', '\\.public\\.server\\.ts$'] },
      'another context is reached through its .public.server.ts'),
    rule('other-context-through-its-pages', { path: '^modules/([^/]+)/.*\\.web\\.tsx?$' },
      // One report, two places: Sales & royalties shows licensing's report with the drawer that productions use.
      // Notification settings are one form, shown in the profiles of staff and of customers.
      { path: '^modules/.*\\.web\\.tsx?$',
        pathNot: ['^modules/$1/', '^modules/licensing/box-office/report-(drawer|words)\\.web\\.tsx?$',
          // One's own security is the same for customers, in the frame of their account.
          '^modules/identity/security/(own-security|policy-section)\\.web\\.tsx$',
          '^modules/notifications/notification-settings\\.web\\.tsx$',
          // Recipients of offers, invoices and messages are chosen with one control.
          '^modules/identity/email-group/recipients\\.web\\.tsx$',
          // Notifications are a table for staff and rows for customers, with the same calls and labels.
          '^modules/notifications/(notification-words|use-notifications)\\.web\\.ts$',
          // Approvers of a batch of royalties see the changed bank details of its run, as on the page of the run.
          '^modules/payables/run/run-bank-changes\\.web\\.tsx$',
          // Materials for perusal are chosen by staff and by customers, with the same labels.
          '^modules/banking/bank-account/bank-account-field\\.web\\.tsx$',
          '^modules/stock/perusal/perusal-(choice|words)\\.web\\.tsx$',
          // Stock of a material is shown on its page, with the labels of stock.
          '^modules/stock/movement/material-stock\\.web\\.tsx$',
          // Why nothing is reserved is said with the same words at the order and at the materials of its licence.
          '^modules/stock/sales-order/waiting-words\\.web\\.ts$',
          // An exemption from tax is said with the same words to staff and to its customer.
          '^modules/taxation/exemption-certificates/exemption-words\\.web\\.ts$',
          // Labels and colors of the status of an order or an application are the same in every list.
          '^modules/stock/sales-order/order-words\\.web\\.tsx$', '^modules/licensing/words\\.web\\.ts$'] },
      'link to another context, do not import it'),
    rule('modules-know-no-app', { path: '^modules/', pathNot: TEST_FILE }, { path: '^apps/' },
      'composition roots come last'),
    rule('product-without-tests', { pathNot: `${TEST_FILE}|^tools/|^bench/|config\\.ts$` }, { path: '^tests/' },
      'tests know the product, never the other way'),
    rule('no-development-package', { path: `${SERVER_FILE}|${SERVER_KIT}|^apps/server/`, pathNot: TEST_FILE },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] }, 'the server runs without devDependencies'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};

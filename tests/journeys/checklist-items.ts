/** The design's checklist (U1 to U38) as data: what each item asks, and of which screens it must be true. */
export const ITEMS = [
  ['U1', 'command palette', 'must'], ['U2', 'global search', 'must'], ['U3', 'keyboard of lists', 'must'],
  ['U4', 'keys shown, and off where unwanted', 'must'], ['U5', 'row beside its list', 'should'],
  ['U6', 'dense and comfortable', 'should'], ['U7', 'the list in its address', 'must'],
  ['U8', 'saved views', 'must'], ['U9', 'columns', 'must'], ['U10', 'edit in place', 'should'],
  ['U11', 'many rows at once', 'must'], ['U12', 'undo, typed name', 'must'],
  ['U13', 'nothing moves while it comes', 'must'],
  ['U14', 'empty states', 'must'], ['U15', 'where one is', 'must'], ['U16', 'focus is seen', 'must'],
  ['U17', 'drafts and leaving', 'must'], ['U18', 'errors at the field', 'must'], ['U19', 'money', 'must'],
  ['U20', 'totals lead to their lines', 'must'], ['U21', 'export', 'must'], ['U22', 'paper', 'must'],
  ['U23', 'PDF beside', 'must'], ['U24', 'activity', 'must'], ['U25', 'memos', 'should'],
  ['U26', 'figures as chart and table', 'should'], ['U27', 'two people in one record', 'must'],
  ['U28', 'no connection', 'must'], ['U29', 'portal on a phone', 'must'], ['U30', 'what next', 'must'],
  ['U31', 'what it costs', 'must'], ['U32', 'application', 'should'], ['U33', 'axe', 'must'],
  ['U34', 'zoom and reflow', 'must'], ['U35', 'what WCAG 2.2 added', 'must'], ['U36', 'dark', 'must'],
  ['U37', 'days and hours', 'must'], ['U38', 'what one may not', 'must'],
] as const;

/** Asked of every screen. */
export const EVERYWHERE = ['U13', 'U15', 'U16', 'U33', 'U34', 'U35', 'U36'] as const;

export type Item = typeof ITEMS[number][0];
/** 0: not there. 1: works. 2: as the design asks. An item that is missing has no business on the screen. */
export type Score = 0 | 1 | 2;
export type Scores = Partial<Record<Item, Score>>;

/** The screens that are worked in all day: their lists are kept as views (U8 asks it of eight). */
export const MAIN_LISTS = ['/admin/quotes', '/admin/productions', '/admin/applications', '/admin/customers',
  '/admin/accounts-receivable/invoices', '/admin/materials', '/admin/plays', '/admin/sales-and-royalties/sales-orders'];

/** Jobs of one's own, running or finished, and the trash: no data to take along or to ask the history of. */
export const OWN_WORK = /\/(bulk|exports|jobs|trash|notifications)(\/:\w+)?$/;

/** Documents of the house: on paper and as PDF (U22, U23); a vendor's bill and a bank's statement are not ours. */
export const DOCUMENT = new RegExp(['documents/:documentId$', '(?<!payable/)invoices/:invoiceId$',
  'payments/:paymentId$', '(?<!banking/)statements/:statementId$', '/:customerId/statement$'].join('|'));
/** Screens that sum money for the books (U20). */
export const FINANCE = new RegExp(['^/admin/(finance/|accounting/trial-balance|accounts-receivable/aging)',
  '^/admin/accounts-receivable/invoices$', 'customers/:customerId/finance$',
  '^/admin/accounts-payable/royalty-tie-out'].join('|'));

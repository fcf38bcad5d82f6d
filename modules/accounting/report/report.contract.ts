/** Reports of the ledger: trial balance, general ledger, statements, journal export, integrity (accounting.md 3, 6)
  . */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { divisionCode, isoDate } from '#kit/field.ts';

export const reportCheck = z.object({ name: z.string(), expected: z.int(), actual: z.int(), ok: z.boolean() });
export type ReportCheck = z.infer<typeof reportCheck>;
const minor = z.int();
const base = '/api/admin/staff/accounting';
const division = divisionCode.default('US');

/** Id of a show or of a class of customer; 0 stands for lines that have none. */
export const ledgerPart = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const trialRow = z.object({ account_id: z.int(), code: z.string(), name: z.string(), class: z.string(),
  opening_minor: minor, debit_minor: minor, credit_minor: minor, closing_minor: minor });
const ledgerRow = z.object({
  id: z.int(), transaction_id: z.int(), transaction_at: z.string(), kind: z.string(), number: z.string().nullable(),
  description: z.string(), memo: z.string().nullable(), party_type: z.string().nullable(), party_id: z.int()
    .nullable(),
  currency: z.string(), amount_minor: minor, base_amount_minor: minor, debit_minor: minor, credit_minor: minor,
  balance_minor: minor, source_type: z.string().nullable(), source_id: z.int().nullable(),
  invoice_id: z.int().nullable(), license_id: z.int().nullable(), show_id: z.int().nullable(),
  payment_id: z.int().nullable(),
});
const statementSection = z.object({ key: z.string(), title: z.string(), total_minor: minor,
  rows: z.array(z.object({ account_id: z.int(), code: z.string(), name: z.string(), amount_minor: minor })) });

const flowSection = z.object({ total_minor: minor, rows: z.array(z.object({ key: z.string(), title: z.string(),
  account_id: z.int().nullable(), amount_minor: minor })) });
/** Lines of a show, of a class of customer (0: of none), or without closing entries, as a statement counts them. */
const ledgerParts = { show_id: ledgerPart.optional(), customer_class_id: ledgerPart.optional(),
  closing_entries: z.enum(['with', 'without']).default('with') };
const days = { from: isoDate.optional(), to: isoDate.optional() };

export const reportEndpoints = {
  trialBalance: endpoint({ method: 'GET', path: `${base}/trial_balance`, auth: staff('ledger_account.view'),
    summary: 'Trial balance: signed minor units, debit positive',
    query: z.strictObject({ division, from: isoDate.optional(), as_of: isoDate.optional() }),
    response: one(z.object({ division: divisionCode, currency: z.string(), from: z.string().nullable(),
      as_of: z.string(), rows: z.array(trialRow), checks: z.array(reportCheck),
      totals: trialRow.pick({ opening_minor: true, debit_minor: true, credit_minor: true, closing_minor: true }) }))
        }),
  generalLedger: endpoint({ method: 'GET', path: `${base}/general_ledger`, auth: staff('ledger_account.view'),
    summary: 'Lines of one account with a running balance',
    query: z.strictObject({ division, account: z.string().min(1).max(20), from: isoDate.optional(),
      as_of: isoDate.optional(), to: isoDate.optional(), page: z.coerce.number().int().min(1).max(1_000_000).default(1),
      per_page: z.coerce.number().int().min(1).max(100).default(50), ...ledgerParts }),
    response: one(z.object({ division: divisionCode, currency: z.string(), part: z.string().nullable(),
      account: z.object({ id: z.int(), code: z.string(), name: z.string(), class: z.string() }),
      opening_minor: minor, debit_minor: minor, credit_minor: minor, closing_minor: minor, rows: z.array(ledgerRow),
      total: z.int(), page: z.int(), last_page: z.int(), checks: z.array(reportCheck) })) }),
  profitLoss: endpoint({ method: 'GET', path: `${base}/reports/profit_loss`, auth: staff('ledger_account.list'),
    summary: 'Profit and loss', query: z.strictObject({ division, from: isoDate.optional(), to: isoDate.optional() }),
    response: one(z.object({ division: divisionCode, currency: z.string(), from: z.string(), to: z.string(),
      sections: z.array(statementSection), gross_profit_minor: minor, operating_profit_minor: minor,
      net_profit_minor: minor, checks: z.array(reportCheck) })) }),
  cashBasisLines: endpoint({ method: 'GET', path: `${base}/reports/profit_loss/payments`,
    auth: staff('ledger_account.list'), summary: 'The payments behind one figure of the profit and loss on cash basis',
    query: z.strictObject({ division, ...days, account: z.string().min(1).max(20), show_id: ledgerPart.optional(),
      customer_class_id: ledgerPart.optional(), page: z.coerce.number().int().min(1).max(1_000_000).default(1),
      per_page: z.coerce.number().int().min(1).max(100).default(50) }),
    response: one(z.object({ division: divisionCode, currency: z.string(), from: z.string(), to: z.string(),
      part: z.string().nullable(), account: z.object({ id: z.int(), code: z.string(), name: z.string() }),
      amount_minor: minor,
      rows: z.array(z.object({ transaction_id: z.int(), on: z.string(), kind: z.string(), description: z.string(),
        number: z.string().nullable(), document_id: z.int(), document: z.string(), amount_minor: minor })),
      total: z.int(), page: z.int(), last_page: z.int() })) }),
  balanceSheet: endpoint({ method: 'GET', path: `${base}/reports/balance_sheet`, auth: staff('ledger_account.list'),
    summary: 'Balance sheet', query: z.strictObject({ division, from: isoDate.optional(), to: isoDate.optional(),
      as_of: isoDate.optional() }),
    response: one(z.object({ division: divisionCode, currency: z.string(), as_of: z.string(),
      fiscal_year_from: z.string(), assets: z.array(statementSection), liabilities: z.array(statementSection),
      equity: z.array(statementSection), brought_forward_minor: minor, current_result_minor: minor,
      has_closing_entry: z.boolean(),
      total_assets_minor: minor, total_liabilities_minor: minor, total_equity_minor: minor,
      checks: z.array(reportCheck) })) }),
  cashFlows: endpoint({ method: 'GET', path: `${base}/reports/cash_flows`, auth: staff('ledger_account.list'),
    summary: 'Cash flows, indirect and direct', query: z.strictObject({ division, ...days }),
    response: one(z.object({ division: divisionCode, currency: z.string(), from: z.string(), to: z.string(),
      indirect: flowSection, direct: flowSection, investing: flowSection, financing: flowSection,
      exchange_minor: minor, opening_minor: minor, closing_minor: minor,
      unclassified: z.array(z.object({ id: z.int(), code: z.string(), name: z.string() })),
      checks: z.array(reportCheck) })) }),
  cashFlowLines: endpoint({ method: 'GET', path: `${base}/reports/cash_flows/transactions`,
    auth: staff('ledger_account.list'), summary: 'The transactions behind one figure of the cash flows',
    query: z.strictObject({ division, ...days, row: z.string().min(1).max(40),
      page: z.coerce.number().int().min(1).max(1_000_000).default(1),
      per_page: z.coerce.number().int().min(1).max(100).default(50) }),
    response: one(z.object({ division: divisionCode, currency: z.string(), from: z.string(), to: z.string(),
      title: z.string(), amount_minor: minor, rows: z.array(z.object({ transaction_id: z.int(),
        transaction_at: z.string(), kind: z.string(), number: z.string().nullable(), description: z.string(),
        amount_minor: minor })), total: z.int(), page: z.int(), last_page: z.int() })) }),
  exchangeGainsLosses: endpoint({ method: 'GET', path: `${base}/reports/exchange_gains_losses`,
    auth: staff('ledger_account.list'), summary: 'Exchange gains and losses, realized and unrealized',
    query: z.strictObject({ division, ...days, page: z.coerce.number().int().min(1).max(1_000_000).default(1),
      per_page: z.coerce.number().int().min(1).max(100).default(50) }),
    response: one(z.object({ division: divisionCode, currency: z.string(), from: z.string(), to: z.string(),
      realized: z.array(z.object({ id: z.int(), transaction_id: z.int(), transaction_at: z.string(),
        description: z.string(), account: z.string().nullable(), party_name: z.string().nullable(),
        document: z.string().nullable(), currency: z.string().nullable(), settled_minor: minor.nullable(),
        document_rate: z.string().nullable(), settlement_rate: z.string().nullable(), gain_minor: minor })),
      realized_minor: minor, total: z.int(), page: z.int(), last_page: z.int(),
      unrealized: z.array(z.object({ ledger_account_id: z.int(), account: z.string(), account_name: z.string(),
        party_type: z.string().nullable(), party_id: z.int().nullable(), party_name: z.string().nullable(),
        currency: z.string(), gain_minor: minor })),
      unrealized_minor: minor, checks: z.array(reportCheck) })) }),
  integrity: endpoint({ method: 'GET', path: `${base}/integrity`, auth: staff('ledger_account.view'),
    summary: 'Every invariant of the ledger with what breaks it',
    query: z.strictObject({ division: divisionCode.optional() }),
    response: one(z.object({ violations: z.int(), invariants: z.array(z.object({ key: z.string(), title: z.string(),
      ok: z.boolean(), violations: z.int(), rows: z.array(z.record(z.string(), z.unknown())) })) })) }),
  journalExport: endpoint({ method: 'GET', path: `${base}/journal_export`, auth: staff('ledger_account.view'),
    summary: 'The posted journal as hledger reads it', response: 'file',
    query: z.strictObject({ division, format: z.enum(['hledger']).default('hledger'), from: isoDate.optional(),
      to: isoDate.optional() }) }),
};

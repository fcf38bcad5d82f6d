/**
 * Bank rules: how lines of a bank are recognized, and what is entered for them. The first rule in the order fills in
 * the form of a match; a rule alone posts nothing. A dry run says what rules would do to the last lines.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, oneLine, positiveMinor, version } from '#kit/field.ts';
import { RULE_FIELDS, RULE_OPERATORS } from '#kernel/bank-matching/bank-rules.ts';

/** Posted to a ledger account; on account of a customer; to or from another bank account. */
export const RULE_KINDS = ['entry', 'receipt', 'transfer'] as const;
export const RULE_DIRECTIONS = ['in', 'out'] as const;
/** Lines that a dry run looks at. */
export const DRY_RUN_LINES = 500;

const condition = z.strictObject({ field: z.enum(RULE_FIELDS, 'Choose where to look'),
  operator: z.enum(RULE_OPERATORS, 'Choose how to compare'), value: z.string('Enter a text.').max(200) });
export type RuleConditionInput = z.output<typeof condition>;

const ruleFields = {
  name: oneLine('Name', z.string().trim().min(1, 'Name is required').max(120)), division: divisionCode,
  bank_account_id: id.nullable().default(null), direction: z.enum(RULE_DIRECTIONS).nullable().default(null),
  from_minor: positiveMinor.nullable().default(null), to_minor: positiveMinor.nullable().default(null),
  conditions: z.array(condition).max(10, 'A rule has at most 10 conditions').default([]),
  kind: z.enum(RULE_KINDS, 'Choose what is entered'), ledger_account_id: id.nullable().default(null),
  party_id: id.nullable().default(null), to_bank_account_id: id.nullable().default(null),
  memo: z.string().trim().max(500).default(''),
};
const ruleBody = z.strictObject(ruleFields);
export type RuleInput = z.output<typeof ruleBody>;

const bankRuleRow = z.object({
  id: z.int(), name: z.string(), division: divisionCode, priority: z.int(), bank_account_id: z.int().nullable(),
  bank_account_name: z.string().nullable(), direction: z.enum(RULE_DIRECTIONS).nullable(),
  from_minor: z.int().nullable(), to_minor: z.int().nullable(), conditions: z.array(condition),
  kind: z.enum(RULE_KINDS), ledger_account_id: z.int().nullable(), ledger_account: z.string().nullable(),
  party_type: z.string().nullable(), party_id: z.int().nullable(), party_name: z.string().nullable(),
  to_bank_account_id: z.int().nullable(), to_bank_account_name: z.string().nullable(), memo: z.string(),
  is_archived: z.boolean(), version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type BankRuleRow = z.infer<typeof bankRuleRow>;

const dryLine = z.object({ id: z.int(), booked_on: z.string(), amount_minor: z.int(), currency: currencyCode,
  name: z.string(), memo: z.string(), reference: z.string(), bank_account_name: z.string(), is_matched: z.boolean(),
  /** The rule before it that takes the line; null where this one would. */
  taken_by: z.string().nullable() });
export type DryLine = z.infer<typeof dryLine>;
const dryRun = z.object({
  looked_at: z.int(), from_on: z.string().nullable(),
  rules: z.array(z.object({ rule_id: z.int(), name: z.string(), line_count: z.int(), shadowed_count: z.int() })),
  /** Of the rule that was asked about: the first of them. */
  lines: z.array(dryLine), line_count: z.int(), shadowed_count: z.int(),
});
export type DryRun = z.infer<typeof dryRun>;

const path = '/api/admin/staff/accounting/bank_rules';
const item = `${path}/{id}` as const;
const state = z.strictObject({ version });
export const bankRuleEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('bank_transaction.list'), summary: 'Bank rules in their order',
    query: listQuery({ filters: { division: divisionCode.optional(), kind: z.enum(RULE_KINDS).optional(),
      bank_account_id: z.coerce.number().int().optional(), archived: z.stringbool().optional() },
    sort: ['priority', 'name', 'updated_at'], perPage: 25 }), response: many(bankRuleRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('bank_transaction.list'), summary: 'A bank rule',
    response: one(bankRuleRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('bank_transaction.update'), status: 201,
    summary: 'Add a bank rule, the last of its division', body: ruleBody, response: one(bankRuleRow) }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('bank_transaction.update'), summary: 'Change a bank rule',
    body: z.strictObject({ ...ruleFields, version }), response: one(bankRuleRow) }),
  order: endpoint({ method: 'PUT', path: `${path}/order`, auth: staff('bank_transaction.update'),
    summary: 'Put the rules of a division in another order',
    body: z.strictObject({ division: divisionCode,
      /** Every rule of the division that is not archived. */
      ids: z.array(id).min(1).max(1_000) }), response: all(bankRuleRow) }),
  archive: endpoint({ method: 'PUT', path: `${item}/archive`, auth: staff('bank_transaction.update'),
    summary: 'Archive a bank rule; it is tried no more', body: state, response: one(bankRuleRow) }),
  restore: endpoint({ method: 'PUT', path: `${item}/restore`, auth: staff('bank_transaction.update'),
    summary: 'Use an archived bank rule again', body: state, response: one(bankRuleRow) }),
  dryRun: endpoint({ method: 'POST', path: `${path}/dry_run`, auth: staff('bank_transaction.list'), readOnly: true,
    summary: `Effect of rules on the last ${DRY_RUN_LINES} lines; nothing is stored`, response: one(dryRun),
    body: z.strictObject({ division: divisionCode,
      /** A rule as it is typed; under its id in place of the stored one, else after all others. */
      rule: ruleBody.nullable().default(null), rule_id: id.nullable().default(null) }) }),
};

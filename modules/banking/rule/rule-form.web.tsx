/** The fields of a bank rule, with a dry run of what is typed. */
import { Plus, Trash2 } from 'lucide-react';
import { call } from '#kit/client.ts';
import { ledgerAccountEndpoints } from '#modules/accounting/ledger-account/ledger-account.contract.ts';
import { journalEntryEndpoints } from '#modules/accounting/transaction/journal-entry.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Section } from '#web/layout/page-content.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { bankAccountLabel } from '../bank-account/bank-account-field.web.tsx';
import { bankAccountEndpoints } from '../bank-account/bank-account.contract.ts';
import { bankRuleEndpoints, type BankRuleRow, type RuleConditionInput } from './bank-rule.contract.ts';
import { DryRunSection } from './dry-run.web.tsx';
import { initialOf, NEW_CONDITION, ruleBodyOf, type RuleValues } from './rule-values.web.ts';
import { DIRECTION_WORDS, FIELD_WORDS, KIND_WORDS, OPERATOR_WORDS } from './rule-words.web.tsx';

type Form = ResourceForm<RuleValues>;

const partiesOf = (type: string) => optionsFrom(journalEntryEndpoints.parties,
  (one) => ({ value: one.id, label: one.name, children: one.note }), { params: { type } });

interface Props {
  row: BankRuleRow | null;
  division: BankRuleRow['division'];
  mayWrite: boolean;
  onSaved: (row: BankRuleRow) => void;
}

export function RuleForm({ row, division, mayWrite, onSaved }: Props) {
  const refresh = useRefresh([bankRuleEndpoints.list]);
  const form = useResourceForm<RuleValues, { data: BankRuleRow }>({
    initial: initialOf(row),
    record: row && { entity: 'bank_rule', id: row.id, version: row.version, read: bankRuleEndpoints.show },
    submit: (values, sending) => {
      const body = ruleBodyOf(values, division);
      return row ? call(bankRuleEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } })
        : call(bankRuleEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => { void refresh(); onSaved(data); },
  });
  const held = { disabled: !mayWrite };
  return (
    <FormFrame form={form}>
      <Section title="The rule">
        <TextField label="Name" required {...held} maxLength={120} {...form.field('name')} />
      </Section>
      <Section title="Applies to" description="A line must meet all conditions. Case and accents do not matter.">
        <Conditions form={form} mayWrite={mayWrite} />
        <Limits form={form} division={division} mayWrite={mayWrite} />
      </Section>
      <Section title="Entry" description="Fills in the form when such a line is matched.">
        <Target form={form} division={division} mayWrite={mayWrite} />
        <TextField label="Description" caption="Of the entry; without one, the text of the line" {...held}
          maxLength={500} {...form.field('memo')} />
      </Section>
      <DryRunSection form={form} division={division} rowId={row?.id ?? null} />
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>{row ? 'Save rule' : 'Add rule'}</Button>
        </FormActions>
      )}
    </FormFrame>
  );
}

function Conditions({ form, mayWrite }: { form: Form; mayWrite: boolean }) {
  const { conditions } = form.values;
  const set = (at: number, part: Partial<RuleConditionInput>) =>
    form.set('conditions', conditions.map((one, k) => (k === at ? { ...one, ...part } : one)));
  return (
    <>
      {conditions.map((condition, k) => (
        // oxlint-disable-next-line no-array-index-key -- a condition that is typed has no identity but its place
        <div key={k} role="group" aria-label={`Condition ${k + 1}`}>
          <FormGrid>
            <AsyncSelect label="Where" disabled={!mayWrite} options={optionsOf(FIELD_WORDS)} value={condition.field}
              name={`conditions.${k}.field`} error={form.errors[`conditions.${k}.field`]}
              onChange={(field) => set(k, { field: field ?? 'text' })} />
            <AsyncSelect label="Comparison" disabled={!mayWrite} options={optionsOf(OPERATOR_WORDS)}
              value={condition.operator} name={`conditions.${k}.operator`}
              error={form.errors[`conditions.${k}.operator`]}
              onChange={(operator) => set(k, { operator: operator ?? 'contains' })} />
            <TextField label={condition.operator === 'regex' ? 'Pattern' : 'Text'} disabled={!mayWrite} maxLength={200}
              value={condition.value} name={`conditions.${k}.value`} error={form.errors[`conditions.${k}.value`]}
              caption={condition.operator === 'regex' ? 'A regular expression, such as ^sweep \\d+$' : undefined}
              onChange={(value) => set(k, { value })} />
          </FormGrid>
          {mayWrite && (
            <IconButton label={`Remove condition ${k + 1}`} icon={<Trash2 size={16} />}
              onClick={() => form.set('conditions', conditions.filter((_, at) => at !== k))} />
          )}
        </div>
      ))}
      {form.errors.conditions && <p role="alert">{form.errors.conditions}</p>}
      {mayWrite && conditions.length < 10 && (
        <Button icon={<Plus size={15} aria-hidden="true" />}
          onClick={() => form.set('conditions', [...conditions, NEW_CONDITION])}>Add condition</Button>
      )}
    </>
  );
}

function useAccounts(division: BankRuleRow['division']) {
  const read = useEndpoint(bankAccountEndpoints.options, { query: { division } });
  return (read.data?.data ?? []).map((one) => (
    { value: one.id, label: bankAccountLabel(one), children: one.currency }));
}

function Limits({ form, division, mayWrite }: { form: Form; division: BankRuleRow['division']; mayWrite: boolean }) {
  const accounts = useAccounts(division);
  const held = { disabled: !mayWrite };
  return (
    <FormGrid>
      <AsyncSelect label="Direction" clearable placeholder="Both" options={optionsOf(DIRECTION_WORDS)} {...held}
        {...form.field('direction')} />
      <AsyncSelect<number> label="Bank account" clearable placeholder="All of the division" options={accounts} {...held}
        {...form.field('bank_account_id')} />
      <MoneyField label="Amount from" currency="" {...held} {...form.field('from_minor')} />
      <MoneyField label="Amount to" currency="" {...held} {...form.field('to_minor')} />
    </FormGrid>
  );
}

function Target({ form, division, mayWrite }: { form: Form; division: BankRuleRow['division']; mayWrite: boolean }) {
  const accounts = useAccounts(division);
  const { kind, party_type: partyType } = form.values;
  const held = { disabled: !mayWrite };
  const party = kind === 'receipt' ? 'customer' : kind === 'entry' ? partyType : null;
  const clearParty = () => { form.set('party_id', null); form.set('party_label', ''); };
  return (
    <FormGrid>
      <AsyncSelect label="Entered as" required options={optionsOf(KIND_WORDS)} {...held} {...form.field('kind')}
        onChange={(next) => {
          form.set('kind', next);
          clearParty();
          if (next === 'receipt') form.set('direction', 'in');
        }} />
      {kind === 'entry' && (
        <AsyncSelect<number> label="Account" required {...held} {...form.field('ledger_account_id')}
          selectedLabel={form.values.ledger_label}
          onChange={(id, option) => {
            form.set('ledger_account_id', id);
            form.set('ledger_label', option?.label ?? '');
            form.set('party_type', String(option?.children ?? '').split(': ')[1] ?? null);
            clearParty();
          }}
          source={async (search, page, signal) => {
            const { data, meta } = await call(ledgerAccountEndpoints.list, { query: { division, page, per_page: 25,
              active: 'true', ...(search ? { search } : {}) } }, { signal });
            return { meta, data: data.map((one) => ({ value: one.id, label: `${one.code} ${one.name}`,
              children: one.is_bank ? 'use a transfer' : !one.allow_manual ? 'documents keep it'
                : one.party_types ? `asks for: ${one.party_types[0]}` : '',
              disabled: one.is_bank || !one.allow_manual })) };
          }} />
      )}
      {party !== null && (
        <AsyncSelect<number> label={party === 'customer' ? 'Customer' : 'Party'} required {...held}
          {...form.field('party_id')} selectedLabel={form.values.party_label} source={partiesOf(party)}
          onChange={(id, option) => { form.set('party_id', id); form.set('party_label', option?.label ?? ''); }} />
      )}
      {kind === 'transfer' && (
        <AsyncSelect<number> label="Other bank account" required options={accounts} {...held}
          {...form.field('to_bank_account_id')} />
      )}
    </FormGrid>
  );
}

/** The fields of a bank transaction entered by hand, and the note beside any other. */
import { call } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { ApiError } from '#kit/transport.ts';
import { useState } from 'react';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { today } from '#web/data/local-day.ts';
import { toast } from '#web/data/toast.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { bankAccountLabel } from '../bank-account/bank-account-field.web.tsx';
import { bankAccountEndpoints } from '../bank-account/bank-account.contract.ts';
import { bankTransactionEndpoints, type BankTransactionDetail } from './bank-transaction.contract.ts';

const DIRECTIONS = { out: 'Money out', in: 'Money in' } as const;
type Direction = keyof typeof DIRECTIONS;

interface FormProps {
  row: BankTransactionDetail | null;
  /** Chosen for a new one. */
  account: number | null;
  mayWrite: boolean;
  onSaved: (row: BankTransactionDetail) => void;
}

function initialOf(row: BankTransactionDetail | null, account: number | null) {
  return { bank_account_id: row?.bank_account_id ?? account,
    direction: (row && row.amount_minor > 0 ? 'in' : 'out') as Direction | null,
    amount_minor: row ? Math.abs(row.amount_minor) : null as number | null,
    booked_on: row?.booked_on ?? today() as string | null, name: row?.name ?? '', memo: row?.memo ?? '',
    reference: row?.reference ?? '', check_number: row?.check_number ?? '', note: row?.note ?? '',
    duplicate_confirmed: false };
}
type Values = ReturnType<typeof initialOf>;

const factsOf = (values: Values) => ({ booked_on: values.booked_on ?? '', name: values.name, memo: values.memo,
  amount_minor: (values.direction === 'in' ? 1 : -1) * (values.amount_minor ?? 0), reference: values.reference,
  check_number: values.check_number || null, note: values.note });

export function ManualForm({ row, account, mayWrite, onSaved }: FormProps) {
  const [key] = useState(() => crypto.randomUUID());
  const [question, setQuestion] = useState<string | null>(null);
  const accounts = useEndpoint(bankAccountEndpoints.options, { query: {} }, { enabled: row === null }).data?.data ?? [];
  const refresh = useRefresh([bankTransactionEndpoints.list]);
  const form = useResourceForm<Values, { data: BankTransactionDetail }>({
    initial: initialOf(row, account),
    record: row && { entity: 'bank_transaction', id: row.id, version: row.version,
      read: bankTransactionEndpoints.show },
    async submit(values) {
      const facts = factsOf(values);
      try {
        return row ? await call(bankTransactionEndpoints.update, { params: { id: row.id },
          body: { ...facts, version: row.version } })
          : await call(bankTransactionEndpoints.create, { body: { ...facts,
            bank_account_id: values.bank_account_id ?? 0, duplicate_confirmed: values.duplicate_confirmed } },
          { idempotencyKey: key });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'bank_transaction.probably_here') setQuestion(error.message);
        throw error;
      }
    },
    onSaved: ({ data }) => { void refresh(); onSaved(data); },
  });
  const currency = row?.currency ?? accounts.find(({ id }) => id === form.values.bank_account_id)?.currency ?? 'USD';
  const isHeld = !mayWrite || row?.is_matched === true;
  return (
    <FormFrame form={form}>
      <Section title="On the account" description={row?.is_matched ? 'Matched: the date and the amount stay until the '
        + 'match is undone.' : undefined}>
        <FormGrid>
          {row === null && (
            <AsyncSelect<number> label="Bank account" required {...form.field('bank_account_id')}
              options={accounts.map((one) => ({ value: one.id, label: bankAccountLabel(one),
                children: `${one.division}, ${one.currency}` }))} />
          )}
          <DateField label="Booked on" required {...form.field('booked_on')} disabled={isHeld} />
          <AsyncSelect<Direction> label="Direction" required options={optionsOf(DIRECTIONS)} disabled={isHeld}
            {...form.field('direction')} />
          <MoneyField label="Amount" required currency={currency} {...form.field('amount_minor')} disabled={isHeld} />
        </FormGrid>
        <Texts form={form} mayWrite={mayWrite} />
      </Section>
      {question !== null && (
        <Callout tone="warn" title="Already here?" live>
          <p>{question}</p>
          <Checkbox label="This is another transaction" {...form.field('duplicate_confirmed')} />
        </Callout>
      )}
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            {row ? 'Save bank transaction' : 'Enter bank transaction'}
          </Button>
        </FormActions>
      )}
    </FormFrame>
  );
}

function Texts({ form, mayWrite }: { form: ReturnType<typeof useResourceForm<Values, { data: BankTransactionDetail }>>;
  mayWrite: boolean }) {
  return (
    <>
      <FormGrid>
        <TextField label="Name" required caption="The payer or payee" disabled={!mayWrite} maxLength={140}
          {...form.field('name')} />
        <TextField label="Text" caption="As the bank shows it" disabled={!mayWrite} maxLength={500}
          {...form.field('memo')} />
        <TextField label="Reference" disabled={!mayWrite} maxLength={100} {...form.field('reference')} />
        <TextField label={spell`Check number`} disabled={!mayWrite} maxLength={20} {...form.field('check_number')} />
      </FormGrid>
      <TextField label="Note" rows={3} caption="For the office. The bank does not see it" disabled={!mayWrite}
        maxLength={2_000} {...form.field('note')} />
    </>
  );
}

/** Staff note on a line of a statement. */
export function NoteForm({ row, mayWrite }: { row: BankTransactionDetail; mayWrite: boolean }) {
  const refresh = useRefresh([bankTransactionEndpoints.list]);
  const form = useResourceForm({
    initial: { note: row.note },
    record: { entity: 'bank_transaction', id: row.id, version: row.version, read: bankTransactionEndpoints.show },
    submit: ({ note }) => call(bankTransactionEndpoints.update, { params: { id: row.id },
      body: { note, version: row.version } }),
    onSaved: () => { toast('Note saved'); void refresh(); },
  });
  return (
    <FormFrame form={form}>
      <Section title="Note">
        <TextField label="Note" rows={3} caption="For the office, beside what the bank wrote" disabled={!mayWrite}
          maxLength={2_000} {...form.field('note')} />
      </Section>
      {mayWrite && (
        <FormActions><Button type="submit" pending={form.pending}>Save note</Button></FormActions>
      )}
    </FormFrame>
  );
}

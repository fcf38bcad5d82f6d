/** A new batch: what the division pays in one currency, chosen line by line. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/async-select.tsx';
import { Button } from '#web/controls/button.tsx';
import { Checkbox } from '#web/controls/checkbox.tsx';
import { DateField } from '#web/controls/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form-frame.tsx';
import { optionsOf } from '#web/controls/resource-fields.tsx';
import { useResourceForm } from '#web/controls/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount, Money } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { DIVISION_CURRENCY, type Division } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { advanceEndpoints } from '../advances/advance.contract.ts';
import { BATCHES, METHOD_WORDS } from '../royalty-words.web.ts';
import styles from '../royalty.module.css';
import { statementEndpoints } from '../statements/statement.contract.ts';
import { batchEndpoints, type BatchRow } from './payment-batch.contract.ts';
import { chosenTotal, payables, type Payable } from './payables.web.ts';

const METHODS: Record<Division, BatchRow['method']> = { US: 'ach', PROD: 'ach', EU: 'sepa', UK: 'bacs' };
/** Most that one answer of a list holds; the oldest stand first, so the rest follows in the next batch. */
const MOST = 100;

/** Issued statements with a payment, and scheduled advances that are in no batch. */
function usePayables(division: Division, currency: BatchRow['currency']) {
  const statements = useEndpoint(statementEndpoints.list, { query: { division, pay_currency: currency, status: 'issued',
    per_page: MOST, sort_by: 'period_to', sort_direction: 'asc' } });
  const advances = useEndpoint(advanceEndpoints.list, { query: { status: 'scheduled', per_page: MOST,
    sort_by: 'due_on', sort_direction: 'asc' } });
  const failed = statements.error ?? advances.error;
  const rows = statements.data && advances.data
    ? payables(statements.data.data, advances.data.data, division, currency) : undefined;
  return { rows, failed, retry: () => { void statements.refetch(); void advances.refetch(); } };
}

export function BatchForm({ division, statement, onClose }: {
  division: Division; statement: number | null; onClose: () => void;
}) {
  const { go } = useNavigation();
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([batchEndpoints.list, statementEndpoints.list, advanceEndpoints.list]);
  const [currency, setCurrency] = useState(DIVISION_CURRENCY[division] as BatchRow['currency']);
  const [chosen, setChosen] = useState<readonly string[]>(statement === null ? [] : [`s${statement}`]);
  const { rows, failed, retry } = usePayables(division, currency);
  const taken = (rows ?? []).filter((row) => chosen.includes(row.key));
  const total = chosenTotal(taken, currency);
  const form = useResourceForm({
    initial: { method: METHODS[division] as BatchRow['method'] | null,
      pay_on: today() as string | null },
    submit: (values) => call(batchEndpoints.create, { body: { division, currency, method: values.method ?? 'wire',
      pay_on: values.pay_on ?? '', statement_ids: taken.flatMap((row) => row.statement_id ?? []),
      advance_ids: taken.flatMap((row) => row.advance_id ?? []) } }, { idempotencyKey: key }),
    onSaved: ({ data }) => {
      toast(`Batch ${data.number} made; another person approves it`);
      void refresh();
      go(`${BATCHES}/${data.id}`);
    },
  });
  return (
    <Modal open onClose={onClose} title="New payment batch" width={720}>
      <FormFrame form={form} aria-label="Payment batch" guard={false}>
        <FormGrid>
          <AsyncSelect label="Paid in" required options={optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' })}
            value={currency} onChange={(value) => { if (value) { setCurrency(value); setChosen([]); } }} />
          <AsyncSelect label="Paid by" required options={optionsOf(METHOD_WORDS)} {...form.field('method')} />
          <DateField label="Pay on" required {...form.field('pay_on')} />
        </FormGrid>
        {failed && <Callout tone="error" title="What is payable did not load"
          action={<Button size="small" onClick={retry}>Try again</Button>}>{failed.message}</Callout>}
        {!rows && !failed && <Skeleton height={120} />}
        {rows && <Choices rows={rows} chosen={chosen} currency={currency} onChoose={setChosen} />}
        {total === null && <Callout tone="info" title={`Some of this is owed in another currency than ${currency}`}>
          The batch shows it at the last known rate; the rate of the day of payment counts.
        </Callout>}
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}
            reason={taken.length === 0 ? 'Choose at least one statement or advance' : undefined}>
            {total === null ? `Make batch of ${taken.length === 1 ? 'one line' : `${taken.length} lines`}`
              : `Make batch of ${formatAmount(total, currency)}`}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

function Choices({ rows, chosen, currency, onChoose }: {
  rows: readonly Payable[]; chosen: readonly string[]; currency: string; onChoose: (keys: readonly string[]) => void;
}) {
  if (rows.length === 0) {
    return <EmptyState title="Nothing is payable" text="Statements are payable once they are issued." />;
  }
  const all = rows.every((row) => chosen.includes(row.key));
  const toggle = (key: string, on: boolean) => onChoose(on ? [...chosen, key]
    : chosen.filter((other) => other !== key));
  return (
    <fieldset className={styles.choices}>
      <legend className="gr-hidden">What is paid</legend>
      <div className={styles.choiceHead}>
        <Checkbox label={`All ${rows.length}`} value={all} indeterminate={!all && chosen.length > 0}
          onChange={(on) => onChoose(on ? rows.map((row) => row.key) : [])} />
      </div>
      {rows.map((row) => (
        <div key={row.key} className={styles.choice}>
          <Checkbox label={row.name} value={chosen.includes(row.key)} onChange={(on) => toggle(row.key, on)} />
          <span className={styles.faint}>{row.words}</span>
          {row.currency === currency ? <Money minor={row.amount_minor} />
            : <Money minor={row.amount_minor} currency={row.currency} />}
        </div>
      ))}
    </fieldset>
  );
}

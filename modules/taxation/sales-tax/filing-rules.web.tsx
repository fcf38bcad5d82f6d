/** Filing calendars of the states: entered from a day on, corrected, and confirmed. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { choicesOf } from '../tax-words.web.ts';
import { salesTaxReturnEndpoints, type FilingRuleRow } from './sales-tax-return.contract.ts';
import { dueWords, FREQUENCIES, MONTH_NAMES, STALE } from './sales-tax-words.web.ts';
import type { UsDivision } from './sales-tax.contract.ts';
import { stateName } from './state-name.ts';
import styles from './sales-tax.module.css';

const STALE_RULES = [...STALE, salesTaxReturnEndpoints.rules];

const periodWords = (rule: FilingRuleRow): string => (rule.frequency === 'monthly' || rule.first_month === 1
  ? FREQUENCIES[rule.frequency] : `${FREQUENCIES[rule.frequency]}, from ${MONTH_NAMES[rule.first_month - 1]}`);
const discountWords = (rule: FilingRuleRow): string => (rule.discount_ppm === 0 ? ''
  : `${rule.discount_ppm / 10_000}%${rule.discount_cap_minor === null ? ''
    : `, at most ${formatAmount(rule.discount_cap_minor, 'USD')}`}`);

const columns: readonly Column<FilingRuleRow>[] = [
  { id: 'state', header: 'State', kind: 'title', cell: (row) => stateName(row.state), fixed: true, width: 150 },
  { id: 'period', header: 'Returns', kind: 'muted', cell: periodWords, width: 190 },
  { id: 'due', header: 'Due', kind: 'muted', cell: (row) => dueWords(row.due_day), width: 210 },
  { id: 'discount', header: 'Vendor discount', kind: 'muted', cell: discountWords, width: 190 },
  { id: 'from', header: 'From', kind: 'date', cell: (row) => row.valid_from, width: 120 },
  { id: 'state_of', header: 'Status', kind: 'badge', width: 130, cell: (row) => (row.confirmed_at === null
    ? <Badge tone="warn" small>To be verified</Badge> : <Badge tone="ok" small>Confirmed</Badge>) },
  { id: 'source', header: 'Source', kind: 'muted', cell: (row) => row.source, width: 300 },
];

export function FilingRules({ division }: { division: UsDivision }) {
  const edit = useMay()('transaction.update');
  const [open, setOpen] = useState<FilingRuleRow | 'new' | null>(null);
  const read = useEndpoint(salesTaxReturnEndpoints.rules, { query: { division } });
  const rows = read.data?.data;
  const readRows = useLoadedRows(rows ?? []);
  return (
    <Section title="Filing calendars" count={rows?.length}
      description="Due dates move to the next business day of the division"
      right={edit && <Button onClick={() => setOpen('new')}>Enter calendar</Button>}>
      <DataTable label="Filing calendars by state" columns={columns} rows={rows} readPage={readRows} variant="record"
        rowKey={(row) => row.id} onOpen={edit ? setOpen : undefined} error={read.isError ? read.error : null}
        onRetry={() => void read.refetch()}
        empty={{ title: 'No filing calendar', text: 'Enter how often each state where the division is registered wants '
          + 'a return, and when.' }} />
      {open !== null && <FilingRuleForm key={open === 'new' ? 'new' : open.id} rule={open === 'new' ? null : open}
        division={division} onClose={() => setOpen(null)} />}
    </Section>
  );
}

const months = MONTH_NAMES.map((label, at) => ({ value: at + 1, label }));

function FilingRuleForm({ rule, division, onClose }: { rule: FilingRuleRow | null; division: UsDivision;
  onClose: () => void }) {
  const refresh = useRefresh(STALE_RULES);
  const confirm = useAction(salesTaxReturnEndpoints.confirmRule, { refresh: STALE_RULES, done: 'Calendar confirmed',
    onDone: onClose });
  const form = useResourceForm({
    initial: { state: rule?.state ?? 'US-', frequency: (rule?.frequency ?? 'quarterly') as
      FilingRuleRow['frequency'] | null, first_month: (rule?.first_month ?? 1) as number | null,
    due_day: (rule?.due_day ?? 20) as number | null, discount_ppm: (rule?.discount_ppm ?? 0) as number | null,
    discount_cap_minor: rule?.discount_cap_minor ?? null, source: rule?.source ?? '',
    valid_from: (rule?.valid_from ?? null) as string | null },
    ...(rule === null ? {} : { record: { entity: 'filing_rule', id: rule.id, version: rule.version,
      read: salesTaxReturnEndpoints.rules } }),
    submit: ({ state, valid_from, frequency, first_month, due_day, discount_ppm, ...rest }) => {
      const values = { ...rest, frequency: frequency ?? 'quarterly', first_month: first_month ?? 1,
        due_day: due_day ?? 0, discount_ppm: discount_ppm ?? 0 };
      return rule === null
        ? call(salesTaxReturnEndpoints.enterRule, { body: { ...values, division, state,
          valid_from: valid_from ?? '' } })
        : call(salesTaxReturnEndpoints.changeRule, { params: { id: rule.id },
          body: { ...values, version: rule.version } });
    },
    onSaved: () => { toast('Calendar saved'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose}
      title={rule === null ? 'Filing calendar' : `Filing calendar of ${stateName(rule.state)}`}>
      <FormFrame form={form} aria-label="Filing calendar">
        {rule === null && <TextField label="State" required caption="US-PA" {...form.field('state')} />}
        <AsyncSelect label="Returns" required options={choicesOf(FREQUENCIES)} {...form.field('frequency')} />
        <AsyncSelect<number> label="Quarters and years begin in" required options={months}
          {...form.field('first_month')} />
        <NumberField label="Due day of the next month" required caption="31 is the last day."
          {...form.field('due_day')} />
        <PercentField label="Vendor discount" caption="Of the sales tax due, for filing in time."
          {...form.field('discount_ppm')} />
        <MoneyField label="At most" currency="USD" caption="For one return. Leave blank if there is no limit."
          {...form.field('discount_cap_minor')} />
        {rule === null && <DateField label="From" required {...form.field('valid_from')} />}
        <TextField label="Source" caption="Where the state publishes it." {...form.field('source')} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          {rule?.confirmed_at === null && (
            <Button pending={confirm.pending} onClick={() => void confirm.run({ params: { id: rule.id },
              body: { version: rule.version } })}>Confirm calendar</Button>)}
          <Button type="submit" variant="primary" pending={form.pending}>Save calendar</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}

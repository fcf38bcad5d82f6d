/** Column mapping of a sheet: proposed from the headers, confirmed by a person, kept with the account. */
import { useState } from 'react';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormGrid } from '#web/controls/form/form-frame.tsx';
import type { StatementPreview } from './bank-statement.contract.ts';

export type Mapping = NonNullable<StatementPreview['sheet']>['mapping'];
type ColumnRef = Mapping['columns']['booked'];

interface Props {
  rows: readonly (readonly string[])[];
  mapping: Mapping;
  pending: boolean;
  onChoose: (mapping: Mapping) => void;
}

const KINDS = [{ value: 'signed', label: 'One column with a sign' },
  { value: 'inverted', label: 'One column, money out without a sign' },
  { value: 'in_and_out', label: 'Money in and money out in two columns' },
    { value: 'marked', label: 'One column, the sign in another' }];

/** Columns by their heads, or by their position where the file has none, each with a value as an example. */
function optionsOf(rows: Props['rows'], mapping: Mapping) {
  const head = mapping.header_row === null ? undefined : rows[headIndex(rows, mapping)];
  const example = rows[mapping.header_row === null ? 0 : headIndex(rows, mapping) + 1] ?? [];
  const width = Math.max(head?.length ?? 0, example.length);
  return Array.from({ length: width }, (_, at) => {
    const name = head?.[at]?.trim() ?? '';
    const isOnce = name !== '' && head?.filter((cell) => cell.trim().toLowerCase() === name.toLowerCase()).length === 1;
    return { key: String(at), ref: (isOnce ? name : at) as ColumnRef,
      label: name === '' ? `Column ${at + 1}` : name, example: (example[at] ?? '').slice(0, 40) };
  });
}

/** The row of the heads among those shown: blank rows are left out there. */
function headIndex(rows: Props['rows'], { header_row, columns }: Mapping): number {
  const wanted = typeof columns.booked === 'string' ? columns.booked.toLowerCase() : null;
  const found = wanted === null ? -1
    : rows.findIndex((row) => row.some((cell) => cell.trim().toLowerCase() === wanted));
  return found >= 0 ? found : Math.max(0, (header_row ?? 1) - 1);
}

export function MappingForm({ rows, mapping: proposed, pending, onChoose }: Props) {
  const [mapping, setMapping] = useState(proposed);
  const columns = optionsOf(rows, proposed);
  const options = columns.map(({ key, label, example }) => ({ value: key, label, children: example }));
  const keyOf = (ref: ColumnRef | undefined): string | null => columns.find((one) => one.ref === ref)?.key ?? null;
  const refOf = (key: string | null): ColumnRef | undefined => columns.find((one) => one.key === key)?.ref;
  const choose = (name: 'booked' | 'name' | 'reference' | 'balance') => ({ options, value: keyOf(mapping.columns[name]),
    onChange: (key: string | null) => setMapping({ ...mapping, columns: { ...mapping.columns,
      [name]: refOf(key) ?? (name === 'booked' ? mapping.columns.booked : undefined) } }) });
  return (
    <>
      <FormGrid>
        <AsyncSelect label="Date" required {...choose('booked')} />
        <AsyncSelect label="Order of dates" value={mapping.date_order}
          onChange={(date_order) => setMapping({ ...mapping, date_order: date_order as Mapping['date_order'] })}
          options={[{ value: 'dmy', label: 'Day first' }, { value: 'mdy', label: 'Month first' },
            { value: 'ymd', label: 'Year first' }]} />
        <Amounts mapping={mapping} onChange={setMapping} options={options} keyOf={keyOf} refOf={refOf} />
        <AsyncSelect label="Decimals" value={mapping.decimal_mark}
          onChange={(mark) => setMapping({ ...mapping, decimal_mark: mark as Mapping['decimal_mark'] })}
          options={[{ value: '.', label: 'Point: 1,234.56' }, { value: ',', label: 'Comma: 1.234,56' }]} />
        <AsyncSelect label="Payee or payer" {...choose('name')} />
        <AsyncSelect label="Text" options={options} value={keyOf(mapping.columns.memo?.[0])}
          onChange={(key) => setMapping({ ...mapping, columns: { ...mapping.columns,
            memo: [refOf(key)].filter((ref) => ref !== undefined) } })} />
        <AsyncSelect label="Reference" {...choose('reference')} />
        <AsyncSelect label="Balance" {...choose('balance')} />
      </FormGrid>
      <Button variant="primary" pending={pending} onClick={() => onChoose(mapping)}>Read with these columns</Button>
    </>
  );
}

interface AmountProps {
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
  options: { value: string; label: string; children: string }[];
  keyOf: (ref: ColumnRef | undefined) => string | null;
  refOf: (key: string | null) => ColumnRef | undefined;
}

function Amounts({ mapping, onChange, options, keyOf, refOf }: AmountProps) {
  const { amount } = mapping;
  const first = amount.kind === 'in_and_out' ? amount.money_in : amount.amount;
  const set = (next: Mapping['amount']) => onChange({ ...mapping, amount: next });
  const kind = amount.kind === 'signed' && amount.inverted ? 'inverted' : amount.kind;
  return (
    <>
      <AsyncSelect label="Amounts" required options={KINDS} value={kind} onChange={(chosen) => {
        if (chosen === 'in_and_out') set({ kind: 'in_and_out', money_in: first, money_out: first,
          out_is_negative: false });
        else if (chosen === 'marked') {
          set({ kind: 'marked', amount: first, mark: first, out_marks: ['D', 'DR', 'Debit', 'S', 'Af', 'Soll'],
            in_marks: ['C', 'CR', 'Credit', 'K', 'H', 'Bij', 'Haben'] });
        } else set({ kind: 'signed', amount: first, inverted: chosen === 'inverted' });
      }} />
      <AsyncSelect label={amount.kind === 'in_and_out' ? 'Money in'
        : 'Amount'} required options={options} value={keyOf(first)}
        onChange={(key) => {
          const ref = refOf(key) ?? first;
          set(amount.kind === 'in_and_out' ? { ...amount, money_in: ref } : { ...amount, amount: ref });
        }} />
      {amount.kind === 'in_and_out' && (
        <AsyncSelect label="Money out" required options={options} value={keyOf(amount.money_out)}
          onChange={(key) => set({ ...amount, money_out: refOf(key) ?? amount.money_out })} />
      )}
      {amount.kind === 'marked' && (
        <AsyncSelect label="Sign" required options={options} value={keyOf(amount.mark)}
          onChange={(key) => set({ ...amount, mark: refOf(key) ?? amount.mark })} />
      )}
    </>
  );
}

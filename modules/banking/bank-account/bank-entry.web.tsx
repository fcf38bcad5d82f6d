/** Money in or out that no document stands behind: a fee, interest, capital, a tax. */
import { useState } from 'react';
import { Plus, Trash2 } from 'lucide-react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ledgerAccountEndpoints } from '#modules/accounting/ledger-account/ledger-account.contract.ts';
import { journalEntryEndpoints } from '#modules/accounting/transaction/journal-entry.contract.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { bankAccountEndpoints, type BankAccountRow } from './bank-account.contract.ts';

export interface LineDraft {
  ledger_account_id: number | null;
  label: string;
  /** Kind of party that the account asks for. */
  party_type: string | null;
  party_id: number | null;
  party_label: string;
  amount_minor: number | null;
}
export const EMPTY: LineDraft = { ledger_account_id: null, label: '', party_type: null, party_id: null, party_label: '',
  amount_minor: null };
const DIRECTIONS = { out: 'Money out', in: 'Money in' };

export function EntryForm({ row, onClose }: { row: BankAccountRow; onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([bankAccountEndpoints.list]);
  const form = useResourceForm({
    initial: { direction: 'out' as 'in' | 'out' | null, on: today() as string | null, description: '',
      lines: [EMPTY] },
    submit: (values) => call(bankAccountEndpoints.entry, { params: { id: row.id }, body: {
      direction: values.direction ?? 'out', on: values.on ?? '', description: values.description,
      lines: values.lines.map((line) => ({ ledger_account_id: line.ledger_account_id ?? 0,
        amount_minor: line.amount_minor ?? 0, party_id: line.party_id })) } }, { idempotencyKey: key }),
    onSaved: () => { toast('Posted'); void refresh(); onClose(); },
  });
  const { lines } = form.values;
  const total = lines.reduce((all, line) => all + (line.amount_minor ?? 0), 0);
  const set = (k: number, part: Partial<LineDraft>) =>
    form.set('lines', lines.map((line, n) => (n === k ? { ...line, ...part } : line)));
  return (
    <Modal open onClose={onClose} title={`Money in or out of ${row.name}`} width={640}>
      <FormFrame form={form} aria-label="Bank entry">
        <FormGrid>
          <AsyncSelect label="Direction" required options={optionsOf(DIRECTIONS)} {...form.field('direction')} />
          <DateField label="Date" required {...form.field('on')} />
        </FormGrid>
        <TextField label="Description" required {...form.field('description')} maxLength={500}
          caption="As it appears on the bank statement" />
        {lines.map((line, k) => (
          // oxlint-disable-next-line no-array-index-key -- a line that is typed has no identity but its place
          <EntryLine key={k} k={k} line={line} row={row} errors={form.errors} onChange={(part) => set(k, part)}
            onRemove={lines.length > 1 ? () => form.set('lines', lines.filter((_, n) => n !== k)) : null} />
        ))}
        <Button icon={<Plus size={15} aria-hidden="true" />} onClick={() => form.set('lines', [...lines, EMPTY])}>
          Add line
        </Button>
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            Post {formatAmount(total, row.currency)} {form.values.direction === 'in' ? 'in' : 'out'}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

/** Account, amount and party of one line; `path` is where the server's errors about it stand. */
export function EntryLine({ k, line, row, errors, path = 'lines', onChange, onRemove }: {
  k: number; line: LineDraft; row: Pick<BankAccountRow, 'division' | 'currency'>; path?: string;
  errors: Readonly<Record<string, string>>;
  onChange: (part: Partial<LineDraft>) => void; onRemove: (() => void) | null;
}) {
  const at = (field: string) => ({ name: `${path}.${k}.${field}`, error: errors[`${path}.${k}.${field}`] });
  return (
    <div role="group" aria-label={`Line ${k + 1}`}>
      <FormGrid>
        <AsyncSelect<number> label="Account" required value={line.ledger_account_id} selectedLabel={line.label}
          {...at('ledger_account_id')}
          onChange={(id, option) => onChange({ ledger_account_id: id, label: option?.label ?? '',
            party_type: String(option?.children ?? '').split(': ')[1] ?? null, party_id: null, party_label: '' })}
          source={async (search, page, signal) => {
            const { data, meta } = await call(ledgerAccountEndpoints.list, { query: { division: row.division, page,
              per_page: 25, active: 'true', ...(search ? { search } : {}) } }, { signal });
            return { meta, data: data.map((one) => ({ value: one.id, label: `${one.code} ${one.name}`,
              children: one.is_bank ? 'use a transfer' : !one.allow_manual ? 'documents keep it'
                : one.party_types ? `asks for: ${one.party_types[0]}` : '',
              disabled: one.is_bank || !one.allow_manual })) };
          }} />
        <MoneyField label="Amount" required currency={row.currency} value={line.amount_minor}
          {...at('amount_minor')} onChange={(amount_minor) => onChange({ amount_minor })} />
        {line.party_type !== null && (
          <AsyncSelect<number> label="Party" required value={line.party_id} selectedLabel={line.party_label}
            {...at('party_id')}
            onChange={(id, option) => onChange({ party_id: id, party_label: option?.label ?? '' })}
            source={optionsFrom(journalEntryEndpoints.parties, (one) => ({ value: one.id, label: one.name,
              children: one.note }), { params: { type: line.party_type } })} />
        )}
      </FormGrid>
      {onRemove && (
        <IconButton label={`Remove line ${k + 1}`} icon={<Trash2 size={16} />} onClick={onRemove} />
      )}
    </div>
  );
}

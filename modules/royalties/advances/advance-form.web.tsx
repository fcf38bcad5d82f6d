/** Schedules an advance, or changes one that is neither paid nor in a batch. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/async-select.tsx';
import { Button } from '#web/controls/button.tsx';
import { DateField } from '#web/controls/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form-frame.tsx';
import { MoneyField } from '#web/controls/money-field.tsx';
import { optionsOf } from '#web/controls/resource-fields.tsx';
import { useResourceForm } from '#web/controls/use-resource-form.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { AgreementSelect } from '../agreement-select.web.tsx';
import { ADVANCE_EVENT_WORDS } from '../royalty-words.web.ts';
import { advanceEndpoints, type AdvanceRow } from './advance.contract.ts';

type Currency = AdvanceRow['currency'];
const LABELS = { show_royaltor_id: 'Agreement', amount_minor: 'Amount', currency: 'Currency', due_event: 'Due',
  due_on: 'Due on' };

export function AdvanceForm({ advance, onClose }: { advance?: AdvanceRow; onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([advanceEndpoints.list]);
  const form = useResourceForm({
    initial: {
      show_royaltor_id: (advance?.show_royaltor_id ?? null) as number | null,
      amount_minor: (advance?.amount_minor ?? null) as number | null,
      currency: (advance?.currency ?? 'USD') as Currency | null,
      due_event: (advance?.due_event ?? 'date') as AdvanceRow['due_event'] | null,
      due_on: advance?.due_on ?? null,
    },
    record: advance && { entity: 'royalty_advance', id: advance.id, version: advance.version,
      read: advanceEndpoints.list },
    submit: ({ show_royaltor_id, amount_minor, currency, due_event, due_on }) => {
      const body = { amount_minor: amount_minor!, due_event: due_event!, due_on };
      return advance
        ? call(advanceEndpoints.update, { params: { id: advance.id }, body: { ...body, version: advance.version } })
        : call(advanceEndpoints.create, { body: { ...body, show_royaltor_id: show_royaltor_id!,
          currency: currency! } }, { idempotencyKey: key });
    },
    onSaved: ({ data }) => {
      toast(`Advance of ${formatAmount(data.amount_minor, data.currency)} to ${data.royaltor_name} saved`);
      onClose();
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} width={600}
      title={advance ? `Advance to ${advance.royaltor_name}` : 'New advance'}>
      <FormFrame form={form} labels={LABELS} aria-label="Advance">
        {!advance && <AgreementSelect field={form.field('show_royaltor_id')}
          onCurrency={(currency) => form.set('currency', currency)} />}
        <FormGrid>
          <MoneyField label="Amount" required currency={form.values.currency ?? 'USD'}
            {...form.field('amount_minor')} />
          {!advance && <AsyncSelect label="Currency" required {...form.field('currency')}
            options={optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' })} />}
          <AsyncSelect label="Due" required {...form.field('due_event')} options={optionsOf(ADVANCE_EVENT_WORDS)} />
          <DateField label="Due on" required={form.values.due_event === 'date'} {...form.field('due_on')} />
        </FormGrid>
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            {advance ? 'Save advance' : 'Schedule advance'}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

/** Schedules an advance, or changes one that is neither paid nor in a batch. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { spell } from '#kernel/text/english.ts';
import { agreementEndpoints, currencyOfDivision } from '#modules/catalogue/agreement/agreement.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { accrualEndpoints } from '../accruals/accrual.contract.ts';
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
          {!advance && form.values.show_royaltor_id !== null && form.values.currency !== null && (
            <Unearned agreementId={form.values.show_royaltor_id} currency={form.values.currency} />
          )}
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

/**
 * An advance comes out of earnings in its own currency alone, in the books of the division that pays the agreement: one
 * in a currency that was never earned there may stay open for good.
 */
function Unearned({ agreementId, currency }: { agreementId: number; currency: Currency }) {
  const shown = useEndpoint(agreementEndpoints.show, { params: { id: agreementId } });
  const agreement = shown.data?.data.id === agreementId ? shown.data.data : undefined;
  const division = agreement?.payer_division ?? 'US';
  const usual = currencyOfDivision[division];
  const group = agreement?.cross_collateral_group_id ?? null;
  const earned = useEndpoint(accrualEndpoints.list, { query: { division, currency, per_page: 1,
    // Of a group all earn for all: its agreements are those of one royaltor.
    ...(group === null ? { show_royaltor_id: agreementId } : { royaltor_id: agreement!.royaltor_id }) } },
  { enabled: agreement !== undefined && currency !== usual });
  if (!agreement || earned.isPlaceholderData || earned.data?.meta.total !== 0) return null;
  return (
    <div data-wide>
      <Callout tone="warn" live title={`Nothing was earned in ${currency} here yet`}>
        An advance in {currency} is recouped from royalties in {currency} alone. What
        the {DIVISION_LABELS[division]}{spell` division licenses is in `}{usual},
          unless its customer trades in another currency.
      </Callout>
    </div>
  );
}

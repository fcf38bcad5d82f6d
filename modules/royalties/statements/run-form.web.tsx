/** A new run: division, currency and period; again for the same period it replaces what is not approved. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { royaltorEndpoints } from '#modules/catalogue/royaltor/royaltor.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MultiSelect } from '#web/controls/select/multi-select.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { today } from '#web/data/local-day.ts';
import { toast } from '#web/data/toast.tsx';
import { DIVISION_CURRENCY, useDivision, type Division } from '#web/layout/division.ts';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { accrualEndpoints } from '../accruals/accrual.contract.ts';
import { lastQuarter, SALES } from '../royalty-words.web.ts';
import { runEndpoints, statementEndpoints } from './statement.contract.ts';

type Currency = 'USD' | 'EUR' | 'GBP';
const royaltors = optionsFrom(royaltorEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.number }));

const LABELS = { division: 'Division', currency: 'Currency', period_from: 'From', period_to: 'Until',
  royaltor_ids: 'Royaltors' };

export default function RunCreate() {
  const [division] = useDivision();
  return (
    <>
      <PageHeader title="Calculate statements" back={`${SALES}/statement-runs`} />
      <PageContent record><RunForm division={division} /></PageContent>
    </>
  );
}

function RunForm({ division }: { division: Division }) {
  const { go } = useNavigation();
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([runEndpoints.list, statementEndpoints.list, accrualEndpoints.list]);
  const quarter = lastQuarter(today());
  const form = useResourceForm({
    initial: { division: division as Division | null, currency: DIVISION_CURRENCY[division] as Currency | null,
      period_from: quarter.from as string | null, period_to: quarter.to as string | null,
      royaltor_ids: [] as number[] },
    draftKey: 'royalty_statement_run/new',
    submit: (values) => call(runEndpoints.create, { body: { division: values.division!,
      currency: values.currency!, period_from: values.period_from ?? '', period_to: values.period_to ?? '',
      ...(values.royaltor_ids.length > 0 ? { royaltor_ids: values.royaltor_ids } : {}) } }, { idempotencyKey: key }),
    onSaved: ({ data }) => {
      toast(data.work !== null ? `Calculating ${data.work_total} agreements`
        : data.statement_count === 1 ? 'One statement calculated' : `${data.statement_count} statements calculated`);
      void refresh();
      go(`${SALES}/statement-runs/${data.id}`);
    },
  });
  return (
    <FormFrame form={form} labels={LABELS} aria-label="Statement run">
      <FormGrid>
        <AsyncSelect label="Division" required options={optionsOf(DIVISION_LABELS)} {...form.field('division')}
          onChange={(value) => {
            form.set('division', value);
            if (value) form.set('currency', DIVISION_CURRENCY[value] as Currency);
          }} />
        <AsyncSelect label="Currency" required options={optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' })}
          {...form.field('currency')} />
        <DateField label="From" required {...form.field('period_from')} />
        <DateField label="To" required {...form.field('period_to')} />
      </FormGrid>
      <MultiSelect label="Royaltors" caption="Leave empty for everyone who earned something."
        {...form.field('royaltor_ids')}
        source={royaltors} />
      <Callout tone="info" title="Nothing is posted yet">
        Draft statements of the same period are recalculated. Approved and issued statements will not change.
      </Callout>
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Calculate statements</Button>
      </FormActions>
    </FormFrame>
  );
}

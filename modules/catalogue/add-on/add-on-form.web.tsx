/** The form of an add-on: in a dialog of its show, on its page, and on the page that adds one to any show. */
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { useMay } from '#web/query/current-user.ts';
import { INCOME_LABELS } from '../agreement/agreement.contract.ts';
import { CATEGORY_LABELS, ITEM_CLASS_LABELS, showSource } from '../catalogue-labels.web.ts';
import { ADD_ON_KINDS, addOn, addOnEndpoints, type AddOnRow } from './add-on.contract.ts';

const { show_id: _show, ...fields } = addOn.fields;
export const ADD_ON_KIND_LABELS = Object.fromEntries(ADD_ON_KINDS.map((kind) =>
  [kind, kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')]));
export const MODEL_LABELS = { flat: 'Once', per_performance: 'Per performance', per_week: 'Per week',
  percent_stream_gross: 'Share of the stream gross', per_user: 'Per user' };
const WORDS = { choices: { kind: ADD_ON_KIND_LABELS, pricing_model: MODEL_LABELS, item_class: ITEM_CLASS_LABELS,
  income_type: INCOME_LABELS, categories: CATEGORY_LABELS } };

interface AddOnFormProps {
  /** null: the form asks for the show. */
  showId: number | null;
  row: AddOnRow | null;
  onSaved: (row: AddOnRow) => void;
}

export function AddOnForm({ showId, row, onSaved }: AddOnFormProps) {
  const may = useMay();
  const mayWrite = may(row ? 'material.update' : 'material.create');
  const form = useResourceForm<Record<string, unknown>, { data: AddOnRow }>({
    draftKey: row ? undefined : 'add_on/new',
    initial: { ...formValues(fields, row), show_id: showId },
    record: row && { entity: 'add_on', id: row.id, version: row.version, read: addOnEndpoints.show },
    submit: (values, sending) => {
      const body = bodyValues(fields, values);
      return row
        ? call(addOnEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } })
        : call(addOnEndpoints.create, { body: { ...body, show_id: Number(values.show_id) } }, sending);
    },
    onSaved: ({ data }) => onSaved(data),
  });
  const disabled = mayWrite ? [] : Object.keys(fields);
  const show = fieldsOf(form, addOn.fields, { ...WORDS, disabled, sources: { show_id: showSource } });
  const priced = (currency: string) => fieldsOf(form, fields, { ...WORDS, disabled, currency });
  return (
    <FormFrame form={form} labels={labelsOf(addOn.fields)} guard={row !== null || showId === null}>
      <FormGrid>
        {showId === null && show('show_id')}{show('name')}{show('key')}{show('kind')}{show('pricing_model')}
        {form.values.pricing_model === 'percent_stream_gross' ? show('rate_ppm') : (
          <>
            {priced('USD')('price_usd_minor')}{priced('EUR')('price_eur_minor')}{priced('GBP')('price_gbp_minor')}
          </>
        )}
        {show('item_class')}{show('income_type')}{show('divisions')}{show('categories')}
        {show('available_from')}{show('available_to')}{show('grace_days')}
      </FormGrid>
      {show('description')}{show('terms_text')}{show('mandatory_program_text')}
      {show('royalty_bearing')}{show('requires_clearance')}{show('active')}
      {show.others('rate_ppm', 'price_usd_minor', 'price_eur_minor', 'price_gbp_minor')}
      {mayWrite && (
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Save add-on</Button></FormActions>
      )}
    </FormFrame>
  );
}

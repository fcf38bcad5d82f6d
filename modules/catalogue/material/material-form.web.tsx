/** The form of a material: what it is, what it costs in three currencies, how it is taxed and kept. */
import { call } from '#kit/client.ts';
import { decimalPrice, minorOf } from '#kernel/money/money.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Section } from '#web/layout/page-content.tsx';
import { INCOME_LABELS } from '../agreement/agreement.contract.ts';
import { ITEM_CLASS_LABELS } from '../catalogue-labels.web.ts';
import styles from '../catalogue.module.css';
import { material, materialEndpoints, PRICE_KEYS, type MaterialRow } from './material.contract.ts';
import { categorySource, FORMAT_LABELS, FULFILMENT_LABELS, showCodeSource, subCategorySource, TYPE_LABELS }
  from './material-words.web.ts';

const { fields } = material;
type Values = Record<string, unknown>;
const WORDS = { choices: { type: TYPE_LABELS, fulfilment: FULFILMENT_LABELS, format: FORMAT_LABELS,
  item_class: ITEM_CLASS_LABELS, income_type: INCOME_LABELS } };
const PRICED = ['prices', 'replacement_prices', 'extra_week_prices', 'shipping_cost'] as const;
const LABELS = { ...labelsOf(fields), ...Object.fromEntries(PRICED.flatMap((name) =>
  PRICE_KEYS.map((key) => [`${name}.${key}`, `${fields[name].label} in ${key.toUpperCase()}`]))) };

export interface MaterialFormProps {
  row: MaterialRow | null;
  mayWrite: boolean;
  onSaved: (row: MaterialRow) => void;
  /** Show that a new material starts from. */
  start?: { show_code: string; show_title: string } | undefined;
}

export function MaterialForm({ row, mayWrite, onSaved, start }: MaterialFormProps) {
  const form = useResourceForm<Values, { data: MaterialRow }>({
    initial: { ...formValues(fields, row), ...(row ? {} : { show_code: start?.show_code ?? null }) },
    record: row && { entity: 'material', id: row.id, version: row.version, read: materialEndpoints.show },
    submit: (values, sending) => {
      const body = bodyValues(fields, values);
      return row
        ? call(materialEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } })
        : call(materialEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => onSaved(data),
    draftKey: row ? `material/${row.id}` : 'material/new',
  });
  const disabled = mayWrite ? (row?.used ? ['item_number'] : []) : Object.keys(fields);
  const show = fieldsOf(form, fields, { ...WORDS, disabled });
  return (
    <FormFrame form={form} labels={LABELS}>
      <Section title="What it is">
        <FormGrid>
          {show('item_number')}{show('name')}
          <Filing form={form} disabled={!mayWrite} row={row} showTitle={row?.show_title ?? start?.show_title} />
          {show('type')}{show('fulfilment')}{show('format')}{show('instrument')}{show('edition')}{show('isbn')}
          {show('ismn')}
        </FormGrid>
        <div className={styles.after}>{show('description')}{show('active')}{show('sellable_in_portal')}</div>
      </Section>
      <Section title="Price" description="Left empty, it is not offered in that currency.">
        <div className={styles.stack}>
          {PRICED.map((name) => <Amounts key={name} form={form} name={name} disabled={!mayWrite} />)}
        </div>
      </Section>
      <Section title="Tax and income">
        <FormGrid>{show('item_class')}{show('income_type')}</FormGrid>
        <div className={styles.after}>{show('tax')}{show('vat')}{show('royalty_bearing')}</div>
      </Section>
      <Section title="Keeping and sending">
        <FormGrid>
          {show('weight_g')}{show('hs_code')}{show('reorder_point')}{show('substitution_group')}
          {show('substitution_rank')}{form.values.fulfilment === 'download' && show('download_limit')}
        </FormGrid>
        <div className={styles.after}>
          {show('serial_tracked')}{show('restockable')}
          {show.others('show_code', 'category', 'sub_category', 'download_limit')}
        </div>
      </Section>
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            {row ? 'Save material' : 'Add material'}
          </Button>
        </FormActions>
      )}
    </FormFrame>
  );
}

interface FilingProps {
  form: ResourceForm<Values>;
  disabled: boolean;
  row: MaterialRow | null;
  showTitle: string | null | undefined;
}

/** Show, category and sub-category: a sub-category belongs to the category chosen before it. */
function Filing({ form, disabled, row, showTitle }: FilingProps) {
  const text = (name: string) => {
    const binding = form.field(name);
    return { name, value: (binding.value as string | null) || null, error: binding.error,
      onChange: (value: string | null) => form.set(name, value) };
  };
  const category = text('category');
  return (
    <>
      <AsyncSelect label="Show" clearable disabled={disabled} source={showCodeSource} {...text('show_code')}
        selectedLabel={showTitle ?? undefined} caption="Leave empty if it belongs to no single show." />
      <AsyncSelect label="Category" required disabled={disabled} source={categorySource} {...category}
        selectedLabel={row?.category === category.value ? row?.category_name : undefined}
        onChange={(value) => { form.set('category', value ?? ''); form.set('sub_category', null); }} />
      <AsyncSelect key={category.value} label="Sub-category" clearable disabled={disabled || category.value === null}
        source={subCategorySource(category.value)} {...text('sub_category')}
        selectedLabel={row?.sub_category_name ?? undefined} />
    </>
  );
}

/** One amount in each currency; the wire has amounts with two decimals, the field counts minor units. */
function Amounts({ form, name, disabled }: {
  form: ResourceForm<Values>; name: (typeof PRICED)[number]; disabled: boolean;
}) {
  return (
    <fieldset className={styles.rows}>
      <legend>{fields[name].label}</legend>
      <div className={styles.rowFields}>
        {PRICE_KEYS.map((key) => {
          const path = `${name}.${key}`;
          const amount = form.field(path).value as number | null;
          return (
            <MoneyField key={key} name={path} label={`${fields[name].label} in ${key.toUpperCase()}`} hideLabel
              currency={key.toUpperCase()} disabled={disabled} error={form.errors[path]}
              value={amount === null ? null : minorOf(amount)}
              onChange={(minor) => form.set(path, (minor === null ? null : decimalPrice(minor)))} />
          );
        })}
      </div>
    </fieldset>
  );
}

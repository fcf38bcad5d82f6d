/** The terms of an agreement: what matches first, what it gives; order among equals; ended, never edited, once used. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { DIVISION_LABELS } from '#kit/field.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { MultiSelect } from '#web/controls/select/multi-select.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm, type FieldBinding } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { classificationEndpoints } from '#modules/customers/classification/classification.contract.ts';
import { COUNTRIES } from '#modules/reference/places/place.contract.ts';
import { addOnEndpoints } from '../add-on/add-on.contract.ts';
import { BASIS_LABELS, CATEGORY_LABELS, POOL_LABELS } from '../catalogue-labels.web.ts';
import { INCOME_LABELS } from './agreement.contract.ts';
import styles from '../catalogue.module.css';
import { EntriesWaiting } from '../entries-waiting.web.tsx';
import { RowsEditor } from '../rows-editor.web.tsx';
import {
  agreementEndpoints, termInput, type AgreementRow, type TermInput, type TermRow,
} from './agreement.contract.ts';
import { termInWords } from './term-words.ts';

type Editing = { kind: 'new' } | { kind: 'change' | 'follow'; term: TermRow };
const COUNTRY_OPTIONS = COUNTRIES.map((country) => ({ value: country.code, label: country.name }));

export function Terms({ row }: { row: AgreementRow }) {
  const may = useMay()('show_royaltor.update');
  const refresh = useRefresh([agreementEndpoints.list, agreementEndpoints.matrix]);
  const [editing, setEditing] = useState<Editing | null>(null);
  const read = useEndpoint(agreementEndpoints.terms, { params: { id: row.id }, query: { per_page: 100 } });
  const terms = read.data?.data;
  const titles = { new: 'New term', change: 'Change the term', follow: 'End the term and add its replacement' };
  return (
    <Section title="Terms" count={terms?.length || undefined}
      description="Tried from the top: the term that asks for more comes first; the order decides among equals."
      right={may && <Button size="small" onClick={() => setEditing({ kind: 'new' })}>New term</Button>}>
      {read.isError && !terms && <NotLoaded title="The terms could not be loaded" read={read} />}
      {!terms && !read.isError && <EntriesWaiting entries={row.term_count} />}
      {terms?.length === 0 && (
        <EmptyState title="No terms yet" text="A term says which part of which income belongs to this royaltor." />
      )}
      <ol className={styles.entries}>
        {terms?.map((term, index) => (
          <TermEntry key={term.id} term={term} terms={terms} index={index} mayWrite={may} onEdit={setEditing} />
        ))}
      </ol>
      <Modal open={editing !== null} onClose={() => setEditing(null)} width={720}
        title={titles[editing?.kind ?? 'new']}>
        {editing && (
          <TermForm key={editing.kind} agreement={row} editing={editing}
            onSaved={() => { setEditing(null); void refresh(); toast('Term saved'); }} />
        )}
      </Modal>
    </Section>
  );
}

interface TermEntryProps {
  term: TermRow;
  terms: readonly TermRow[];
  index: number;
  mayWrite: boolean;
  onEdit: (editing: Editing) => void;
}

function TermEntry({ term, terms, index, mayWrite, onEdit }: TermEntryProps) {
  const [asking, setAsking] = useState(false);
  const order = useAction(agreementEndpoints.orderTerms, { refresh: [agreementEndpoints.matrix] });
  const remove = useAction(agreementEndpoints.removeTerm,
    { done: 'Term deleted', refresh: [agreementEndpoints.matrix] });
  const equals = (other: TermRow | undefined) => other?.match_count === term.match_count;
  const swap = (step: -1 | 1) => {
    const ids = terms.map((one) => one.id);
    [ids[index], ids[index + step]] = [ids[index + step]!, ids[index]!];
    void order.run({ params: { id: term.show_royaltor_id }, body: { term_ids: ids } });
  };
  const asks = term.match_count === 0 ? 'Matches everything'
    : `${term.match_count} ${term.match_count === 1 ? 'condition' : 'conditions'}`;
  return (
    <li className={styles.entry}>
      <div className={styles.entryMain}>
        <div className={styles.entryHead}>
          <span>{`${index + 1}.`}</span><span>{asks}</span>{term.used && <Badge small tone="info">Used</Badge>}
        </div>
        <p className={styles.entryTitle}>{term.in_words}</p>
      </div>
      {mayWrite && (
        <div className={styles.entryActions}>
          {equals(terms[index - 1]) && (
            <IconButton label="Try earlier" variant="quiet" size="small" icon={<Glyph icon={ArrowUp} />}
              onClick={() => swap(-1)} />
          )}
          {equals(terms[index + 1]) && (
            <IconButton label="Try later" variant="quiet" size="small" icon={<Glyph icon={ArrowDown} />}
              onClick={() => swap(1)} />
          )}
          {!term.used && <Button size="small" variant="quiet" onClick={() => setAsking(true)}>Delete</Button>}
          {term.used
            ? <Button size="small" onClick={() => onEdit({ kind: 'follow', term })}>End and replace</Button>
            : <Button size="small" onClick={() => onEdit({ kind: 'change', term })}>Change</Button>}
        </div>
      )}
      <ConfirmDialog open={asking} danger title="Delete this term?" confirm="Delete term" text={`${term.in_words}.`}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void remove.run({ params: { id: term.show_royaltor_id, termId: term.id } });
        }} />
    </li>
  );
}

type Values = Omit<TermInput, 'rate_ppm' | 'reserve_ppm' | 'share_points'>
  & { rate_ppm: number | null; reserve_ppm: number | null; share_points: number | null } & Record<string, unknown>;
const NAMES = Object.keys(termInput.shape) as (keyof TermInput)[];

function startOf(editing: Editing): Values {
  if (editing.kind === 'new') return { ...termInput.parse({ rate_ppm: 0 }), rate_ppm: null };
  const values = Object.fromEntries(NAMES.map((name) => [name, editing.term[name]])) as Values;
  return editing.kind === 'change' ? values
    : { ...values, match_date_from: today(), match_date_to: null };
}

function bodyOf(values: Values): TermInput {
  const perUnit = values.basis === 'per_performance_amount' || values.basis === 'per_unit';
  const text = (value: string | null): string | null => value?.trim() || null;
  return { ...values, rate_ppm: values.rate_ppm ?? 0, reserve_ppm: values.reserve_ppm ?? 0,
    share_points: values.share_points ?? 1, unit_amount_minor: perUnit ? values.unit_amount_minor : null,
    source_commission_ppm: values.basis === 'at_source' ? values.source_commission_ppm : null,
    ...(values.basis === 'pool_points' ? { share_points: 1, min_per_performance_minor: null }
      : { pool_of: null, pool_min_per_point_minor: null, pool_points_x100: null, pool_total_points_x100: null }),
    match_territory_group: text(values.match_territory_group), match_item_number: text(values.match_item_number),
    match_material_category: text(values.match_material_category),
    match_material_sub_category: text(values.match_material_sub_category) } as TermInput;
}

function save(agreementId: number, editing: Editing, values: Values): Promise<unknown> {
  const body = bodyOf(values);
  const params = { id: agreementId };
  if (editing.kind === 'new') return call(agreementEndpoints.createTerm, { params, body });
  const { term } = editing;
  const at = { id: agreementId, termId: term.id };
  if (editing.kind === 'change') {
    return call(agreementEndpoints.updateTerm, { params: at, body: { ...body, version: term.version } });
  }
  return call(agreementEndpoints.followTerm, { params: at,
    body: { ...body, match_date_from: body.match_date_from ?? '', version: term.version } });
}

interface TermFormProps { agreement: AgreementRow; editing: Editing; onSaved: () => void }

function TermForm({ agreement, editing, onSaved }: TermFormProps) {
  const form = useResourceForm<Values, unknown>({
    initial: startOf(editing), submit: (values) => save(agreement.id, editing, values), onSaved,
  });
  const { values } = form;
  const perUnit = values.basis === 'per_performance_amount' || values.basis === 'per_unit';
  const pool = values.basis === 'pool_points';
  return (
    <FormFrame form={form} guard={false} aria-label="Term">
      <p className={styles.sentence} aria-live="polite">{`${termInWords(bodyOf(values))}.`}</p>
      <FormGrid>
        <AsyncSelect label="Of" required options={optionsOf(BASIS_LABELS)} {...form.field('basis')}
          onChange={(value) => value && setBasis(form, value as Values['basis'])} />
        {perUnit
          ? <MoneyField label="Amount" required currency={agreement.currency} {...form.field('unit_amount_minor')} />
          : <PercentField label={pool ? 'To the pool' : 'Rate'} required {...form.field('rate_ppm')} />}
        {values.basis === 'at_source' && (
          <PercentField label="The sub-agent keeps" required {...form.field('source_commission_ppm')} />
        )}
        {pool ? <Pool form={form} agreement={agreement} />
          : <NumberField label="Points" caption="Among those who have the same rate: equal points, equal parts."
            {...form.field('share_points')} />}
      </FormGrid>
      <Match form={form} agreement={agreement} />
      <FormGrid>
        {!pool && <MoneyField label="At least, per performance" currency={agreement.currency}
          {...form.field('min_per_performance_minor')} />}
        <MoneyField label="At least, per year" currency={agreement.currency} {...form.field('annual_min_minor')} />
        <PercentField label="Held in reserve" {...form.field('reserve_ppm')} />
      </FormGrid>
      <RowsEditor label={pool ? 'Rate once recouped' : 'Higher rates'} add="Add rate" rows={values.tiers}
        error={form.errors.tiers} onChange={(rows) => form.set('tiers', rows)}
        blank={() => ({ from_minor: 0, rate_ppm: 0, after_recoupment: pool })}>
        {(i) => (
          <>
            {!pool && <MoneyField label="From" currency={agreement.currency}
              {...numeric(form.field(`tiers.${i}.from_minor`))} />}
            <PercentField label="Rate" {...numeric(form.field(`tiers.${i}.rate_ppm`))} />
            {!pool && <Checkbox label="Once recouped" value={values.tiers[i]?.after_recoupment ?? false}
              onChange={(checked) => form.set('tiers', values.tiers.map((row, at) =>
                at === i ? { ...row, after_recoupment: checked } : row))} />}
          </>
        )}
      </RowsEditor>
      <Checkbox label="Set against the advance" {...form.field('recoupable')} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save term</Button>
      </FormActions>
    </FormFrame>
  );
}

type Form = ReturnType<typeof useResourceForm<Values>>;

/** A pool starts as most contracts have it: of the operating profit, for royalties. */
function setBasis(form: Form, basis: Values['basis']): void {
  form.set('basis', basis);
  if (basis !== 'pool_points') return;
  form.set('match_income_types', ['royalty']);
  if (form.values.pool_of === null) form.set('pool_of', 'operating_profit');
  form.set('tiers', form.values.tiers.filter((tier) => tier.after_recoupment && tier.from_minor === 0));
}

/** A royalty pool: what it is a part of, this royaltor's points among all, and what each point is guaranteed. */
function Pool({ form, agreement }: { form: Form; agreement: AgreementRow }) {
  const points = (name: 'pool_points_x100' | 'pool_total_points_x100') => {
    const { value, onChange, ...field } = form.field(name);
    return { ...field, decimals: 2, value: value === null ? null : value / 100,
      onChange: (entered: number | null) => onChange(entered === null ? null : Math.round(entered * 100)) };
  };
  return (
    <>
      <AsyncSelect label="Pool of" required options={optionsOf(POOL_LABELS)} {...form.field('pool_of')}
        onChange={(value) => value && form.set('pool_of', value as Values['pool_of'])} />
      <NumberField label="Points" required {...points('pool_points_x100')} />
      <NumberField label="Points of the whole pool" required caption="With those whom the producer pays directly."
        {...points('pool_total_points_x100')} />
      <MoneyField label="Guaranteed per point and week" required currency={agreement.currency}
        {...form.field('pool_min_per_point_minor')} />
    </>
  );
}

type Numeric = FieldBinding<number | null>;

/** A number below a list: its type is known to the caller only. */
function numeric(binding: unknown): Numeric {
  return binding as Numeric;
}

/** Match fields of a line of income that the term applies to; empty is anything. */
function Match({ form, agreement }: { form: Form; agreement: AgreementRow }) {
  const classes = useEndpoint(classificationEndpoints.list, { query: { per_page: 100 } });
  const may = useMay();
  const addOns = useEndpoint(addOnEndpoints.list, { query: { show_id: agreement.show_id, per_page: 100 } },
    { enabled: may('material.list') });
  return (
    <FormGrid>
      <MultiSelect label="Income" placeholder="Any" options={optionsOf(INCOME_LABELS)}
        {...form.field('match_income_types')}
        onChange={(list) => form.set('match_income_types', list as Values['match_income_types'])} />
      <MultiSelect label="Categories" placeholder="Any" options={optionsOf(CATEGORY_LABELS)}
        {...form.field('match_categories')}
        onChange={(list) => form.set('match_categories', list as Values['match_categories'])} />
      <MultiSelect label="Divisions" placeholder="Any" options={optionsOf(DIVISION_LABELS)}
        {...form.field('match_divisions')}
        onChange={(list) => form.set('match_divisions', list as Values['match_divisions'])} />
      <MultiSelect label="Countries" placeholder="Any" options={COUNTRY_OPTIONS} {...form.field('match_countries')} />
      <DateField label="From" {...form.field('match_date_from')} />
      <DateField label="Until" {...form.field('match_date_to')} />
      <AsyncSelect<number> label="Add-on" clearable placeholder="Any" {...form.field('match_add_on_id')}
        options={(addOns.data?.data ?? []).map((one) => ({ value: one.id, label: one.name }))} />
      <AsyncSelect<number> label="Customers classified as" clearable placeholder="Any"
        {...form.field('match_customer_classification_id')}
        options={(classes.data?.data ?? []).map((one) => ({ value: one.id, label: one.name }))} />
      <Text form={form} name="match_item_number" label="Item number" />
      <Text form={form} name="match_material_category" label="Material category" />
      <Text form={form} name="match_territory_group" label="Territory group" />
    </FormGrid>
  );
}

function Text({ form, name, label }: {
  form: Form; label: string;
  name: 'match_item_number' | 'match_material_category' | 'match_territory_group';
}) {
  return (
    <TextField label={label} {...form.field(name)} value={form.values[name] ?? ''}
      onChange={(text) => form.set(name, text)} />
  );
}

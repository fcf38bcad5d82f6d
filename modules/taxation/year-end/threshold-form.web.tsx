/** From which amount a box is reported, from a tax year on: entered, or corrected. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { FORM_BOXES, FORM_TITLES, withheldBox, type YearEndForm } from '#kernel/tax/year-end-forms.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { yearEndEndpoints, type ThresholdRow, type YearEndReport } from './year-end.contract.ts';
import styles from './year-end.module.css';

const columns: readonly Column<ThresholdRow>[] = [
  { id: 'form', header: 'Form', kind: 'title', cell: (row) => `${FORM_TITLES[row.form]} box ${row.box}`, fixed: true,
    width: 180 },
  { id: 'from_year', header: 'From year', kind: 'number', cell: (row) => row.from_year, width: 100 },
  { id: 'threshold', header: 'Threshold', kind: 'money', cell: (row) => BigInt(row.threshold_minor), width: 130 },
  { id: 'source', header: 'Source', kind: 'muted', cell: (row) => row.source, width: 420 },
];

export function Thresholds({ report }: { report: YearEndReport }) {
  const edit = useMay()('transaction.update');
  const [open, setOpen] = useState<ThresholdRow | 'new' | null>(null);
  const readRows = useLoadedRows(report.thresholds);
  return (
    <Section title="Thresholds" description="A box is reported from exactly this amount on. Tax withheld is always
      reported" right={edit && <Button size="small" onClick={() => setOpen('new')}>Enter threshold</Button>}>
      <DataTable label="Thresholds" columns={columns} rows={report.thresholds} readPage={readRows} variant="record"
        rowKey={(row) => row.id} onOpen={edit ? setOpen : undefined}
        empty={{ title: 'No threshold', text: 'Every amount is reported. Enter the amounts of the tax authority.' }} />
      {open !== null && <ThresholdForm row={open === 'new' ? null : open} year={report.year + 1}
        onClose={() => setOpen(null)} />}
    </Section>
  );
}

const FORMS = (['1099_nec', '1099_misc', '1042_s'] as const).map((value) => ({ value, label: FORM_TITLES[value] }));

function ThresholdForm({ row, year, onClose }: { row: ThresholdRow | null; year: number; onClose: () => void }) {
  const refresh = useRefresh([yearEndEndpoints.report]);
  const form = useResourceForm({
    initial: { form: (row?.form ?? '1099_nec') as YearEndForm | null, box: (row?.box ?? '1') as string | null,
      from_year: (row?.from_year ?? year) as number | null,
      threshold_minor: row?.threshold_minor ?? null, source: row?.source ?? '' },
    ...(row === null ? {} : { record: { entity: 'year_end_threshold', id: row.id, version: row.version,
      read: yearEndEndpoints.report } }),
    submit: ({ form: of, box, from_year, threshold_minor, source }) => (row === null
      ? call(yearEndEndpoints.enterThreshold, { body: { form: of ?? '1099_nec', box: box ?? '',
        from_year: from_year ?? 0, threshold_minor: threshold_minor ?? 0, source } })
      : call(yearEndEndpoints.changeThreshold, { params: { id: row.id },
        body: { threshold_minor: threshold_minor ?? 0, source, version: row.version } })),
    onSaved: () => { toast('Threshold saved'); void refresh(); onClose(); },
  });
  const of = form.values.form ?? '1099_nec';
  const boxes = FORM_BOXES[of].filter((box) => box !== withheldBox(of));
  return (
    <Modal open onClose={onClose} title={row === null ? 'Threshold'
      : `Threshold of ${FORM_TITLES[row.form]} box ${row.box}`}>
      <FormFrame form={form} aria-label="Threshold">
        {row === null && <AsyncSelect label="Form" required options={FORMS} {...form.field('form')} />}
        {row === null && <AsyncSelect label="Box" required
          options={boxes.map((box) => ({ value: box, label: box }))} {...form.field('box')} />}
        {row === null && <NumberField label="From tax year" required {...form.field('from_year')} />}
        <MoneyField label="Threshold" required currency="USD" {...form.field('threshold_minor')} />
        <TextField label="Source" caption="The tax authority’s publication or web page." {...form.field('source')} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>Save threshold</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}

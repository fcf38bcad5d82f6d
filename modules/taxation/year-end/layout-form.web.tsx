/** Heads of the CSV of a form, compared with the form as it is published for the year. */
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { yearEndEndpoints, type LayoutRow } from './year-end.contract.ts';
import styles from './year-end.module.css';

/** 'recipient_us_tin' is 'Recipient us tin'. */
const keyWords = (key: string): string => `${key[0]!.toUpperCase()}${key.slice(1).replaceAll('_', ' ')}`;

export function LayoutForm({ layout, year, title, onClose }: { layout: LayoutRow; year: number; title: string;
  onClose: () => void }) {
  const refresh = useRefresh([yearEndEndpoints.report]);
  const form = useResourceForm({
    initial: { columns: layout.columns.map((column) => ({ ...column })) },
    record: { entity: 'year_end_layout', id: layout.id, version: layout.version, read: yearEndEndpoints.report },
    submit: ({ columns }) => call(yearEndEndpoints.changeLayout, { params: { id: layout.id },
      body: { version: layout.version, tax_year: year, columns } }),
    onSaved: () => { toast('Layout saved. Confirm it when it is compared'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Heads of ${title}, ${year}`}>
      <FormFrame form={form} aria-label="Heads of the file">
        <p className={styles.lead}>A change is a new revision and unverified. Forms that were prepared keep theirs.</p>
        {layout.columns.map((column, index) => (
          <TextField key={column.key} label={keyWords(column.key)} required
            {...form.field(`columns.${index}.head`)} />))}
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>Save layout</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}

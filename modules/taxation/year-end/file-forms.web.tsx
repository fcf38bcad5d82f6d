/** Prepared forms are marked filed by a second person. */
import { call } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { FORM_TITLES } from '#kernel/tax/year-end-forms.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { yearEndEndpoints, type FilingRow } from './year-end.contract.ts';
import styles from './year-end.module.css';

export function FileForm({ filing, refresh: stale, onClose }: { filing: FilingRow; refresh: readonly AnyEndpoint[];
  onClose: () => void }) {
  const refresh = useRefresh(stale);
  const form = useResourceForm({
    initial: { receipt: '' },
    submit: (values) => call(yearEndEndpoints.file, { params: { id: filing.id },
      body: { ...values, version: filing.version } }),
    onSaved: () => { toast('Marked filed'); onClose(); void refresh(); },
  });
  return (
    <Modal open onClose={onClose} title={`Mark ${FORM_TITLES[filing.form]} of ${filing.tax_year} filed`}>
      <FormFrame form={form} aria-label="Mark year-end forms filed" guard={false}>
        <p className={styles.lead}>Hand the file in at the tax authority first. The forms never change afterwards: what
          changes later is a correction.</p>
        <TextField label="Receipt" {...form.field('receipt')} caption="The reference number from the tax authority." />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>Mark filed</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}

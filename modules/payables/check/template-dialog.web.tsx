/** Print settings for the checks of a bank account: paper, offsets, signatures, magnetic line, and the bank's file. */
import { useState } from 'react';
import { ASCENDER_LAYOUT, CHASE_LAYOUT } from '#kernel/payment-files/positive-pay.ts';
import { spell } from '#kernel/text/english.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { CheckAccountField, useCheckAccount } from './check-account.web.tsx';
import { checkTemplateEndpoints, type CheckTemplate } from './check-template.contract.ts';

const LAYOUTS = { Chase: CHASE_LAYOUT, Ascender: ASCENDER_LAYOUT } as const;
const SIGNS = { letters: 'Letters (A, C, D)', unicode: 'Unicode' };

export default function TemplateDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const { account } = useCheckAccount(chosen);
  const id = account?.id ?? 0;
  const read = useEndpoint(checkTemplateEndpoints.show, { params: { id } }, { enabled: id > 0 });
  const row = read.data?.data;
  return (
    <Modal open onClose={onClose} title="Print settings" width={560}>
      <CheckAccountField chosen={chosen} onChange={setChosen} />
      {row && <TemplateForm key={id} row={row} currency={account?.currency ?? 'USD'}
        onSaved={() => toast('Print settings saved')} />}
    </Modal>
  );
}

interface Props { row: CheckTemplate; currency: string; onSaved: () => void }

function TemplateForm({ row, currency, onSaved }: Props) {
  const may = useMay();
  const refresh = useRefresh([checkTemplateEndpoints.show]);
  const id = row.bank_account_id;
  const form = useResourceForm({
    initial: { is_blank_stock: row.is_blank_stock, offset_x_mm: row.offset_x_mm as number | null,
      offset_y_mm: row.offset_y_mm as number | null, second_signature_above_minor: row.second_signature_above_minor,
      micr_signs: row.micr_signs as CheckTemplate['micr_signs'] | null,
      positive_pay: JSON.stringify(row.positive_pay, null, 1) },
    record: { version: row.version, read: checkTemplateEndpoints.show },
    submit: (values) => call(checkTemplateEndpoints.update, { params: { id }, body: { ...values, version: row.version,
      offset_x_mm: values.offset_x_mm ?? 0, offset_y_mm: values.offset_y_mm ?? 0,
      micr_signs: values.micr_signs ?? 'letters', positive_pay: layoutOf(values.positive_pay) } }),
    onSaved: () => { onSaved(); void refresh(); },
  });
  return (
    <FormFrame form={form} guard={false} aria-label="Print settings">
      <FormGrid>
        <NumberField label="Move right, mm" decimals={1} allowNegative {...form.field('offset_x_mm')} />
        <NumberField label="Move down, mm" decimals={1} allowNegative {...form.field('offset_y_mm')} />
      </FormGrid>
      <Checkbox label="Blank paper, without a printed number and bank" {...form.field('is_blank_stock')} />
      <MoneyField label="Second signature above" currency={currency}
        {...form.field('second_signature_above_minor')} />
      <AsyncSelect label="Signs of the magnetic font" required options={optionsOf(SIGNS)}
        {...form.field('micr_signs')} />
      <FontField row={row} />
      <AsyncSelect label="Layout for positive pay" value={null} placeholder={row.positive_pay.name}
        options={optionsOf({ Chase: 'Chase', Ascender: 'Ascender' })} onChange={(name) => {
          if (name === 'Chase' || name === 'Ascender') {
            form.set('positive_pay', JSON.stringify(LAYOUTS[name], null, 1));
          }
        }} />
      <TextField label="Layout as JSON" rows={6} {...form.field('positive_pay')}
        caption="Change it where your bank asks for another one." />
      <FormActions>
        {may('bank_account.update') && (
          <Button type="submit" variant="primary" pending={form.pending}>Save settings</Button>
        )}
        <PdfLink title="Alignment" fileName="check-alignment.pdf"
          href={`/api/admin/staff/accounting/checks/alignment?bank_account_id=${id}`}>Test page</PdfLink>
      </FormActions>
    </FormFrame>
  );
}

/** Parses the layout; the server refuses invalid JSON at its field. */
function layoutOf(text: string): CheckTemplate['positive_pay'] {
  try {
    return JSON.parse(text) as CheckTemplate['positive_pay'];
  } catch {
    return {} as CheckTemplate['positive_pay'];
  }
}

function FontField({ row }: { row: CheckTemplate }) {
  const may = useMay();
  const params = { id: row.bank_account_id };
  const reread = useRefresh([checkTemplateEndpoints.show]);
  const remove = useAction(checkTemplateEndpoints.removeFont, { refresh: [checkTemplateEndpoints.show],
    done: 'Font removed' });
  if (row.micr_font !== null) {
    return (
      <p>
        {`Magnetic line: ${row.micr_font} `}
        {may('bank_account.update') && <Button size="small" pending={remove.pending}
          onClick={() => void remove.run({ params })}>Remove font</Button>}
      </p>
    );
  }
  return may('bank_account.update') ? (
    <FileDrop label="Font of the magnetic line (E-13B)" types={['.ttf', '.otf']} maxBytes={2 * 1024 * 1024}
      onUpload={async (file, progress, signal) => {
        const form = new FormData();
        form.append('file', file);
        await call(checkTemplateEndpoints.font, { params, body: {} }, { form, signal,
          onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
        await reread();
      }} />
  ) : <p>{spell`Checks are printed without a magnetic line.`}</p>;
}

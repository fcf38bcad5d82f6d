/** Writes what the bank was not told yet of the checks of an account, and lists what it was told. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { today } from '#web/data/local-day.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { CheckAccountField, useCheckAccount } from './check-account.web.tsx';
import { checkTemplateEndpoints, type PositivePayFile } from './check-template.contract.ts';

export default function PositivePayDialog({ onClose }: { onClose: () => void }) {
  const may = useMay();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [chosen, setChosen] = useState<number | null>(null);
  const { account } = useCheckAccount(chosen);
  const id = account?.id ?? 0;
  const refresh = useRefresh([checkTemplateEndpoints.files]);
  const files = useEndpoint(checkTemplateEndpoints.files, { params: { id } }, { enabled: id > 0 });
  const form = useResourceForm({
    initial: { from_on: null as string | null, to_on: today() as string | null },
    submit: ({ from_on, to_on }) => call(checkTemplateEndpoints.export, { params: { id },
      body: { from_on: from_on || null, to_on: to_on ?? '' } }, { idempotencyKey: key }),
    onSaved: ({ data }) => { toast(`${data.file_name} written`); setKey(crypto.randomUUID()); void refresh(); },
  });
  return (
    <Modal open onClose={onClose} title="Positive pay" width={560}>
      <FormFrame form={form} guard={false} aria-label="Positive pay">
        <p>{spell`The file tells the bank which checks were issued and voided. Each is included once.`}</p>
        <CheckAccountField chosen={chosen} onChange={setChosen} />
        <FormGrid>
          <DateField label="From" {...form.field('from_on')} caption="Leave blank for all that is not reported yet." />
          <DateField label="Until" required {...form.field('to_on')} />
        </FormGrid>
        {may('payment.create') && (
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}>Write file</Button>
          </FormActions>
        )}
      </FormFrame>
      <ul>
        {(files.data?.data ?? []).map((file) => <li key={file.id}><FileLine file={file} account={id} /></li>)}
      </ul>
    </Modal>
  );
}

function FileLine({ file, account }: { file: PositivePayFile; account: number }) {
  return (
    <>
      <a className="gr-link" download={file.file_name}
        href={`/api/admin/staff/accounting/bank_accounts/${account}/positive_pay/${file.id}`}>{file.file_name}</a>
      {`, ${file.issue_count} issued, ${file.void_count} voided, ${formatDay(file.created_at)}`}
    </>
  );
}

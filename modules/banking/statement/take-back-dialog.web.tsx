/** Taking back an import: with the wrong columns, or into the wrong account. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { bankStatementEndpoints, type BankStatementRow } from './bank-statement.contract.ts';

export function TakeBackDialog({ row, onClose }: { row: BankStatementRow; onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([bankStatementEndpoints.show, bankStatementEndpoints.list, bankStatementEndpoints.lines]);
  const form = useResourceForm({ initial: { reason: '' },
    submit: (body) => call(bankStatementEndpoints.takeBack, { params: { id: row.id }, body }, { idempotencyKey: key }),
    onSaved: () => { toast('Import taken back'); void refresh(); onClose(); } });
  return (
    <Modal open onClose={onClose} title="Take back import" width={480}>
      <FormFrame form={form} aria-label="Take back import" guard={false}>
        <p>{`All lines that ${row.file_name} brought leave the account. The same file can be imported again, and the `
          + 'columns are asked for anew. Lines that are matched or reconciled hold the import.'}</p>
        <TextField label="Reason" required {...form.field('reason')} maxLength={500} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Take back import</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

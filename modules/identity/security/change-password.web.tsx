/** Choosing a new password: the current one proves who is there. */
import { LockKeyhole } from 'lucide-react';
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ownSessionEndpoints } from '../own-session/own-session.contract.ts';
import { sessionEndpoints } from '../session/session.contract.ts';
import { SecurityRow, SecurityRows } from './security-row.web.tsx';

export function PasswordSection({ userId }: { userId: number }) {
  const [open, setOpen] = useState(false);
  const refresh = useRefresh([ownSessionEndpoints.list]);
  return (
    <Section title="Password">
      <SecurityRows label="Password">
        <SecurityRow icon={LockKeyhole} name="Password"
          text="A new one signs out every other device.">
          <Button size="small" onClick={() => setOpen(true)}>Change password</Button>
        </SecurityRow>
      </SecurityRows>
      <Modal open={open} onClose={() => setOpen(false)} title="Change password" width={440}>
        <PasswordForm userId={userId} onSaved={(text) => { setOpen(false); toast(text); void refresh(); }} />
      </Modal>
    </Section>
  );
}

function PasswordForm({ userId, onSaved }: { userId: number; onSaved: (text: string) => void }) {
  const form = useResourceForm({
    initial: { current_password: '', password: '', password_confirmation: '' },
    submit: (body) => call(sessionEndpoints.changePassword, { params: { id: userId }, body }),
    onSaved: ({ message }) => onSaved(message),
  });
  return (
    <FormFrame form={form} guard={false} aria-label="Change password">
      <TextField label="Current password" type="password" required autoComplete="current-password"
        {...form.field('current_password')} />
      <TextField label="New password" type="password" required autoComplete="new-password"
        caption="At least 12 characters. A sentence you remember is better than symbols you forget."
        {...form.field('password')} />
      <TextField label="New password again" type="password" required autoComplete="new-password"
        {...form.field('password_confirmation')} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Change password</Button>
      </FormActions>
    </FormFrame>
  );
}

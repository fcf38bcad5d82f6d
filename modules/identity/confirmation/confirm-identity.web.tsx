/**
 * The one question before changes that matter: "is it you?". It opens by itself when a call is answered with 423
 * (`askToConfirm` of the client), above whatever form is open, and the call is repeated once it is answered.
 */
import { useEffect, useRef, useState } from 'react';
import { askToConfirm, call } from '#kit/client.ts';
import { Button } from '#web/controls/button.tsx';
import { DialogFrame } from '#web/controls/dialog-frame.tsx';
import { FormActions, FormFrame } from '#web/controls/form-frame.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { useResourceForm } from '#web/controls/use-resource-form.ts';
import { confirmationEndpoints } from './confirmation.contract.ts';

/** Asks once, however many calls wait for the answer. */
function useQuestion() {
  const [asking, setAsking] = useState(false);
  const waiting = useRef<((confirmed: boolean) => void)[]>([]);
  useEffect(() => askToConfirm(() => new Promise((resolve) => {
    waiting.current.push(resolve);
    setAsking(true);
  })), []);
  const answer = (confirmed: boolean) => {
    setAsking(false);
    for (const resolve of waiting.current.splice(0)) resolve(confirmed);
  };
  return { asking, answer };
}

export function ConfirmIdentity() {
  const { asking, answer } = useQuestion();
  return (
    <DialogFrame open={asking} title="Is it you?" onCancel={() => answer(false)}>
      {asking && <Question onAnswer={answer} />}
    </DialogFrame>
  );
}

function Question({ onAnswer }: { onAnswer: (confirmed: boolean) => void }) {
  const form = useResourceForm({
    initial: { password: '' },
    submit: (body) => call(confirmationEndpoints.confirm, { body }),
    onSaved: () => onAnswer(true),
  });
  return (
    <FormFrame form={form} guard={false} aria-label="Confirm that it is you">
      <p>This change matters, so we ask again who you are. The answer is good for 15 minutes.</p>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is all about this field */}
      <TextField label="Password" type="password" required autoComplete="current-password" autoFocus
        {...form.field('password')} />
      <FormActions>
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        <Button type="submit" variant="primary" pending={form.pending}>Confirm</Button>
      </FormActions>
    </FormFrame>
  );
}

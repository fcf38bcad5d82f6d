/**
 * The one question before changes that matter: "is it you?". It opens by itself when a call is answered with 423
 * (`askToConfirm` of the client), above whatever form is open, and the call is repeated once it is answered.
 */
import { KeyRound } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { askToConfirm, call } from '#kit/client.ts';
import { ActionButton } from '#web/controls/button/action-button.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DialogFrame } from '#web/controls/button/dialog-frame.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { askPasskey, passkeysPossible } from '../passkey/passkey-browser.web.ts';
import { confirmationEndpoints, type Way } from './confirmation.contract.ts';

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

interface AnswerProps { onAnswer: (confirmed: boolean) => void }

function Question({ onAnswer }: AnswerProps) {
  const read = useEndpoint(confirmationEndpoints.show, {});
  const [byCode, setByCode] = useState(false);
  const ways: readonly Way[] = read.data?.methods ?? ['password'];
  const way = byCode ? 'code' : 'password';
  return (
    <>
      <Typed key={way} way={way} onAnswer={onAnswer}>
        {ways.includes('code') && (
          <Button variant="quiet" onClick={() => setByCode(!byCode)}>
            {byCode ? 'Use the password' : 'Use the authenticator app'}
          </Button>
        )}
      </Typed>
      {ways.includes('passkey') && passkeysPossible() && (
        <FormActions>
          <ActionButton icon={<Glyph icon={KeyRound} />} action={async () => {
            await call(confirmationEndpoints.confirm, { body: { passkey: await askPasskey() } });
            onAnswer(true);
          }}>Use your passkey</ActionButton>
        </FormActions>
      )}
    </>
  );
}

function Typed({ way, onAnswer, children }: AnswerProps & { way: 'password' | 'code'; children: ReactNode }) {
  const form = useResourceForm({
    initial: { password: '', code: '' },
    submit: (values) => call(confirmationEndpoints.confirm, { body: { [way]: values[way] } }),
    onSaved: () => onAnswer(true),
  });
  return (
    <FormFrame form={form} guard={false} aria-label="Confirm that it is you">
      <p>This change matters, so we ask again who you are. The answer is good for 15 minutes.</p>
      {way === 'password' ? (
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is all about this field
        <TextField label="Password" type="password" required autoComplete="current-password" autoFocus
          {...form.field('password')} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is all about this field
        <TextField label="Code" required autoFocus inputMode="numeric" autoComplete="one-time-code" maxLength={7}
          {...form.field('code')} />
      )}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Confirm</Button>
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        {children}
      </FormActions>
    </FormFrame>
  );
}

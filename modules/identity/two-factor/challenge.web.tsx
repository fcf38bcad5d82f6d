/** The second step of signing in. Loaded only for whoever has one. */
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { call, remote } from '#kit/client.ts';
import { ActionButton } from '#web/controls/button/action-button.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { askPasskey, passkeysPossible } from '../passkey/passkey-browser.web.ts';
import type { Factor, twoFactorEndpoints } from './two-factor.contract.ts';
import styles from './two-factor.module.css';

const challenge = remote<typeof twoFactorEndpoints.challenge>('POST', '/api/auth/two-factor-challenge');

const TEXTS: Record<Factor, string> = {
  passkey: 'Use your passkey to finish signing in.',
  code: 'Type the six digits that your authenticator app shows.',
  recovery_code: 'Type one of the codes that you kept when you set up two-factor sign-in.',
};
const OTHER: Record<Factor, string> = {
  passkey: 'Use a passkey instead', code: 'Use the authenticator app instead', recovery_code: 'Use a recovery code',
};

export interface ChallengeProps {
  methods: readonly Factor[];
  /** Once the server has taken the second step. */
  onDone: () => Promise<void>;
  onBack: () => void;
}

export default function Challenge({ methods, onDone, onBack }: ChallengeProps) {
  const possible = methods.filter((factor) => factor !== 'passkey' || passkeysPossible());
  const [factor, setFactor] = useState<Factor>(possible[0] ?? 'recovery_code');
  return (
    <PublicLayout title="One more step" text={TEXTS[factor]}>
      {factor === 'passkey' ? <ByPasskey onDone={onDone} /> : <ByCode key={factor} factor={factor} onDone={onDone} />}
      <div className={styles.others}>
        {possible.filter((other) => other !== factor).map((other) => (
          <Button key={other} variant="quiet" onClick={() => setFactor(other)}>{OTHER[other]}</Button>
        ))}
        <Button variant="quiet" onClick={onBack}>Back to sign in</Button>
      </div>
    </PublicLayout>
  );
}

function ByPasskey({ onDone }: Pick<ChallengeProps, 'onDone'>) {
  return (
    <ActionButton variant="primary" size="large" wide icon={<Glyph icon={KeyRound} />} action={async () => {
      await call(challenge, { body: { passkey: await askPasskey() } });
      await onDone();
    }}>
      Use your passkey
    </ActionButton>
  );
}

function ByCode({ factor, onDone }: Pick<ChallengeProps, 'onDone'> & { factor: 'code' | 'recovery_code' }) {
  const form = useResourceForm({
    initial: { code: '', recovery_code: '' },
    submit: async (values) => {
      await call(challenge, { body: { [factor]: values[factor] } });
      await onDone();
    },
  });
  return (
    <FormFrame form={form} guard={false} aria-label="Second step">
      {factor === 'code' ? (
        <div className={styles.code}>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is all that this page is for */}
          <TextField label="Code" required autoFocus inputMode="numeric" autoComplete="one-time-code" maxLength={7}
            {...form.field('code')} />
        </div>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is all that this page is for
        <TextField label="Recovery code" required autoFocus autoComplete="off" {...form.field('recovery_code')} />
      )}
      <Button type="submit" variant="primary" size="large" wide pending={form.pending}>Sign in</Button>
    </FormFrame>
  );
}

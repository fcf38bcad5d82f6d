/** Setting up an authenticator app: the QR code, the same as text, and the first code that proves it. */
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { QrCode } from '#web/data/qr-code.tsx';
import { twoFactorEndpoints } from './two-factor.contract.ts';
import styles from './two-factor.module.css';

export interface StartedApp { secret: string; otpauth_url: string }

/** `onDone` gets the recovery codes of a first factor, null where a set exists already. */
export function AppSetUp({ started, onDone }: { started: StartedApp; onDone: (codes: string[] | null) => void }) {
  const form = useResourceForm({
    initial: { code: '' },
    submit: (body) => call(twoFactorEndpoints.finish, { body }),
    onSaved: ({ data }) => onDone(data.recovery_codes),
  });
  const grouped = started.secret.replace(/(.{4})(?=.)/g, '$1 ');
  return (
    <FormFrame form={form} guard={false} aria-label="Set up an authenticator app">
      <div className={styles.setUp}>
        <QrCode text={started.otpauth_url} label="QR code for the authenticator app" />
        <ol className={styles.steps}>
          <li>Open your authenticator app: the one on your phone, 1Password, Google or Microsoft Authenticator.</li>
          <li>Scan the QR code. Without a camera, type this key:
            <div className={styles.secret} data-testid="totp-secret">{grouped}</div>
          </li>
          <li>Type the six digits that the app shows.</li>
        </ol>
      </div>
      <div className={styles.code}>
        <TextField label="Code" required inputMode="numeric" autoComplete="one-time-code" maxLength={7}
          {...form.field('code')} />
      </div>
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Turn on</Button>
      </FormActions>
    </FormFrame>
  );
}

/**
 * Sign in (picture 09): password, then the second step where there is one; or a passkey alone. The remembered place is
 * opened afterwards, inside this origin only.
 */
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { call, prepareCsrf, remote } from '#kit/client.ts';
import { decide, homeOf } from '#kit/page.ts';
import { ActionButton } from '#web/controls/button/action-button.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { AppLink, useNavigation } from '#web/navigation/navigation.tsx';
import { takeRemembered } from '#web/navigation/remembered-location.ts';
import { ensureUser, forgetUser, visitorOf } from '#web/query/current-user.ts';
import { askPasskey, passkeysPossible } from '../passkey/passkey-browser.web.ts';
import type { passkeyEndpoints } from '../passkey/passkey.contract.ts';
import type { Factor } from '../two-factor/two-factor.contract.ts';
import type { sessionEndpoints } from './session.contract.ts';
import styles from './sign-in.module.css';

/** Without their schemas: the server checks the fields, and the first page of all stays small. */
const login = remote<typeof sessionEndpoints.login>('POST', '/api/auth/login');
const passkeyLogin = remote<typeof passkeyEndpoints.login>('POST', '/api/auth/passkey-login');

const Challenge = lazy(() => import('../two-factor/challenge.web.tsx'));

/** Goes where the person wanted to go, else to their home. */
function useEntry(): () => Promise<void> {
  const client = useQueryClient();
  const { go } = useNavigation();
  return async () => {
    forgetUser(client);
    const visitor = visitorOf(await ensureUser(client));
    const place = takeRemembered();
    const home = visitor ? homeOf(visitor) : '/login';
    go(place !== null && visitor !== null && mayOpen(place, visitor) ? place : home, { replace: true });
  };
}

export default function SignIn() {
  const [methods, setMethods] = useState<readonly Factor[] | null>(null);
  const enter = useEntry();
  if (methods === null) return <FirstStep onChallenge={setMethods} onDone={enter} />;
  return (
    <Suspense fallback={<PublicLayout title="One more step">{null}</PublicLayout>}>
      <Challenge methods={methods} onDone={enter} onBack={() => setMethods(null)} />
    </Suspense>
  );
}

interface FirstStepProps { onChallenge: (methods: readonly Factor[]) => void; onDone: () => Promise<void> }

function FirstStep({ onChallenge, onDone }: FirstStepProps) {
  const form = useResourceForm({
    initial: { email: '', password: '' },
    submit: async (body) => {
      await prepareCsrf();
      const answer = await call(login, { body });
      if (!answer.two_factor) await onDone();
      return answer;
    },
    onSaved: (answer) => { if (answer.two_factor) onChallenge(answer.methods ?? ['code', 'recovery_code']); },
  });
  return (
    <PublicLayout title="Welcome back" text="Sign in to your shows, quotes and statements.">
      <FormFrame form={form} guard={false} aria-label="Sign in">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is all that this page is for */}
        <TextField label="Email" type="email" required autoComplete="username" autoFocus {...form.field('email')} />
        <TextField label="Password" type="password" required autoComplete="current-password"
          {...form.field('password')} />
        <div className={styles.row}>
          <AppLink href="/forgot-password" className="gr-link">Forgot password?</AppLink>
        </div>
        <Button type="submit" variant="primary" size="large" wide pending={form.pending}>Sign in</Button>
      </FormFrame>
      {passkeysPossible() && (
        <>
          <p className={styles.or}>or</p>
          <ActionButton size="large" wide icon={<Glyph icon={KeyRound} />} action={async () => {
            await call(passkeyLogin, { body: { passkey: await askPasskey() } });
            await onDone();
          }}>
            Use a passkey
          </ActionButton>
        </>
      )}
      <p className={styles.foot}>
        New to Grand Rights? <AppLink href="/register" className="gr-link">Ask for an account</AppLink>
      </p>
    </PublicLayout>
  );
}

/** A remembered place that the person's area does not admit is dropped (gaps G80). */
function mayOpen(place: string, visitor: NonNullable<ReturnType<typeof visitorOf>>): boolean {
  const [, area = '', id = ''] = place.split(/[/?#]/);
  // People who sign in to accept an invitation go back to it.
  if (area === 'join') return true;
  // Visitors of the catalog who sign in to apply.
  if (area === 'apply') return visitor.role === 'customer';
  const areas = { admin: 'staff', customer: 'customer', system: 'system' } as const;
  if (!(area in areas)) return false;
  const page = { path: place, area: areas[area as keyof typeof areas], permission: null, title: '' };
  return decide(page, visitor, area === 'customer' ? { customerId: id } : {}).kind === 'allow';
}

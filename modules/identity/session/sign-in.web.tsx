/** Sign in (picture 09). The remembered place is opened afterwards, inside this origin only. */
import { useQueryClient } from '@tanstack/react-query';
import { call, prepareCsrf, remote } from '#kit/client.ts';
import { decide, homeOf } from '#kit/page.ts';
import { Button } from '#web/controls/button.tsx';
import { FormFrame } from '#web/controls/form-frame.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { useResourceForm } from '#web/controls/use-resource-form.ts';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { AppLink, useNavigation } from '#web/navigation/navigation.tsx';
import { takeRemembered } from '#web/navigation/remembered-location.ts';
import { ensureUser, forgetUser, visitorOf } from '#web/query/current-user.ts';
import type { sessionEndpoints } from './session.contract.ts';
import styles from './sign-in.module.css';

/** Without its schema: the server checks the two fields, and the first page of all stays small. */
const login = remote<typeof sessionEndpoints.login>('POST', '/api/auth/login');

export default function SignIn() {
  const client = useQueryClient();
  const { go } = useNavigation();
  const form = useResourceForm({
    initial: { email: '', password: '' },
    submit: async ({ email, password }) => {
      await prepareCsrf();
      await call(login, { body: { email, password } });
      forgetUser(client);
      return ensureUser(client);
    },
    onSaved: (user) => {
      const visitor = visitorOf(user);
      const place = takeRemembered();
      const home = visitor ? homeOf(visitor) : '/login';
      const allowed = place !== null && visitor !== null && mayOpen(place, visitor);
      go(allowed ? place : home, { replace: true });
    },
  });
  return (
    <PublicLayout title="Welcome back" text="Sign in to your licences, quotes and statements.">
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
      <p className={styles.foot}>
        New to Grand Rights? <AppLink href="/register" className="gr-link">Ask for an account</AppLink>
      </p>
    </PublicLayout>
  );
}

/** A remembered place that the person's area does not admit is dropped (gaps G80). */
function mayOpen(place: string, visitor: NonNullable<ReturnType<typeof visitorOf>>): boolean {
  const [, area = '', id = ''] = place.split(/[/?#]/);
  // Whoever signs in to accept an invitation goes back to it.
  if (area === 'join') return true;
  const areas = { admin: 'staff', customer: 'customer', system: 'system' } as const;
  if (!(area in areas)) return false;
  const page = { path: place, area: areas[area as keyof typeof areas], permission: null, title: '' };
  return decide(page, visitor, area === 'customer' ? { customerId: id } : {}).kind === 'allow';
}

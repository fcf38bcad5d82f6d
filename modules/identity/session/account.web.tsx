/** The other public pages: ask for an account, forgotten password, new password, verified address. */
import { useEffect, useRef, useState } from 'react';
import { ApiError, call, prepareCsrf } from '#kit/client.ts';
import { Button } from '#web/controls/button.tsx';
import { FormFrame, FormGrid } from '#web/controls/form-frame.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { useResourceForm } from '#web/controls/use-resource-form.ts';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { AppLink, useParams, useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { sessionEndpoints } from './session.contract.ts';
import styles from './sign-in.module.css';

const PASSWORD_CAPTION = 'At least 12 characters. A sentence you remember is better than symbols you forget.';

function BackToSignIn() {
  return <p className={styles.foot}><AppLink href="/login" className="gr-link">Back to sign in</AppLink></p>;
}

/** What the server said, with the way back: these pages never tell whether an account exists. */
function Answer({ title, text }: { title: string; text: string }) {
  return <PublicLayout title={title} text={<span role="status">{text}</span>}><BackToSignIn /></PublicLayout>;
}

export function Register() {
  const [answer, setAnswer] = useState('');
  const form = useResourceForm({
    initial: { first_name: '', last_name: '', email: '', organisation: '', password: '', password_confirmation: '' },
    schema: sessionEndpoints.register.body,
    submit: async (body) => {
      await prepareCsrf();
      return call(sessionEndpoints.register, { body });
    },
    onSaved: ({ message }) => setAnswer(message),
  });
  if (answer) {
    return <Answer title="Check your mail" text={`${answer} The link in it is good for 24 hours.`} />;
  }
  return (
    <PublicLayout title="Ask for an account" text="For schools, theatres and producers who want to stage a show.">
      <FormFrame form={form} aria-label="Ask for an account">
        <FormGrid>
          <TextField label="First name" required autoComplete="given-name" {...form.field('first_name')} />
          <TextField label="Last name" required autoComplete="family-name" {...form.field('last_name')} />
        </FormGrid>
        <TextField label="Organisation" required autoComplete="organization"
          caption="The school, company or theatre that would stage the show." {...form.field('organisation')} />
        <TextField label="Email" type="email" required autoComplete="username" {...form.field('email')} />
        <TextField label="Password" type="password" required autoComplete="new-password" caption={PASSWORD_CAPTION}
          {...form.field('password')} />
        <TextField label="Password again" type="password" required autoComplete="new-password"
          {...form.field('password_confirmation')} />
        <Button type="submit" variant="primary" size="large" wide pending={form.pending}>Ask for an account</Button>
      </FormFrame>
      <BackToSignIn />
    </PublicLayout>
  );
}

const ROLES: Record<string, string> = {
  staff_user: 'staff', staff_admin: 'staff administrator', system_admin: 'system administrator',
};

export function RegisterStaff() {
  const { token = '' } = useParams();
  const invite = useEndpoint(sessionEndpoints.staffInvite, { params: { token } });
  const [answer, setAnswer] = useState('');
  const form = useResourceForm({
    initial: { first_name: '', last_name: '', email: '', password: '', password_confirmation: '' },
    submit: async ({ email, ...body }) => {
      await prepareCsrf();
      return call(sessionEndpoints.registerStaff, { body: { ...body, token, ...(email ? { email } : {}) } });
    },
    onSaved: ({ message }) => setAnswer(message),
  });
  if (answer) return <Answer title="Welcome to the staff" text={answer} />;
  if (invite.isError) return <Answer title="This invitation did not work" text={invite.error.message} />;
  if (!invite.data) return <PublicLayout title="Reading your invitation …">{null}</PublicLayout>;
  const { email, role } = invite.data.data;
  return (
    <PublicLayout
      title="Join the staff"
      text={`You are invited as ${ROLES[role] ?? role}${email ? ` (${email})` : ''}.`}
    >
      <FormFrame form={form} aria-label="Join the staff">
        <FormGrid>
          <TextField label="First name" required autoComplete="given-name" {...form.field('first_name')} />
          <TextField label="Last name" required autoComplete="family-name" {...form.field('last_name')} />
        </FormGrid>
        {email === null && (
          <TextField label="Email" type="email" required autoComplete="username" {...form.field('email')} />
        )}
        <TextField
          label="Password"
          type="password"
          required
          autoComplete="new-password"
          caption={PASSWORD_CAPTION}
          {...form.field('password')}
        />
        <TextField
          label="Password again"
          type="password"
          required
          autoComplete="new-password"
          {...form.field('password_confirmation')}
        />
        <Button type="submit" variant="primary" size="large" wide pending={form.pending}>
          Join the staff
        </Button>
      </FormFrame>
    </PublicLayout>
  );
}

export function ForgotPassword() {
  const [answer, setAnswer] = useState('');
  const form = useResourceForm({
    initial: { email: '' },
    schema: sessionEndpoints.forgotPassword.body,
    submit: async (body) => {
      await prepareCsrf();
      return call(sessionEndpoints.forgotPassword, { body });
    },
    onSaved: ({ message }) => setAnswer(message),
  });
  if (answer) return <Answer title="Check your mail" text={answer} />;
  return (
    <PublicLayout title="Forgot your password?" text="We send a link with which you choose a new one.">
      <FormFrame form={form} guard={false} aria-label="Forgot password">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is all that this page is for */}
        <TextField label="Email" type="email" required autoComplete="username" autoFocus {...form.field('email')} />
        <Button type="submit" variant="primary" size="large" wide pending={form.pending}>Send the link</Button>
      </FormFrame>
      <BackToSignIn />
    </PublicLayout>
  );
}

export function ResetPassword() {
  const { token = '' } = useParams();
  const { values } = useQueryValues();
  const [answer, setAnswer] = useState('');
  const form = useResourceForm({
    initial: { email: values.get('email') ?? '', password: '', password_confirmation: '' },
    submit: async (body) => {
      await prepareCsrf();
      return call(sessionEndpoints.resetPassword, { body: { ...body, token } });
    },
    onSaved: ({ message }) => setAnswer(message),
  });
  // The token leaves the address bar and the history: it is a secret (reliability.md 3.1, V14).
  useEffect(() => { window.history.replaceState(window.history.state, '', '/password-reset/-'); }, []);
  if (answer) return <Answer title="Done" text={`${answer} Every other device has been signed out.`} />;
  return (
    <PublicLayout title="Choose a new password">
      <FormFrame form={form} guard={false} aria-label="Choose a new password">
        <TextField label="Email" type="email" required autoComplete="username" {...form.field('email')} />
        <TextField label="New password" type="password" required autoComplete="new-password"
          caption={PASSWORD_CAPTION} {...form.field('password')} />
        <TextField label="New password again" type="password" required autoComplete="new-password"
          {...form.field('password_confirmation')} />
        <Button type="submit" variant="primary" size="large" wide pending={form.pending}>Save the password</Button>
      </FormFrame>
      <BackToSignIn />
    </PublicLayout>
  );
}

type Verification = { state: 'waiting' } | { state: 'done' } | { state: 'failed'; text: string };

export function VerifyEmail() {
  const { token = '' } = useParams();
  const [result, setResult] = useState<Verification>({ state: 'waiting' });
  // Opening the link changes nothing by itself; the page posts the token (reliability.md 1.3).
  const posted = useRef('');
  useEffect(() => {
    if (posted.current === token) return;
    posted.current = token;
    prepareCsrf().then(() => call(sessionEndpoints.verifyEmail, { body: { token } })).then(
      () => setResult({ state: 'done' }),
      (error: unknown) => {
        const text = error instanceof ApiError ? error.message : 'The address could not be verified.';
        setResult({ state: 'failed', text });
      },
    );
  }, [token]);
  if (result.state === 'waiting') return <PublicLayout title="Verifying your address …">{null}</PublicLayout>;
  if (result.state === 'done') return <Answer title="Your address is verified" text="You can sign in now." />;
  return <Answer title="This link did not work" text={result.text} />;
}

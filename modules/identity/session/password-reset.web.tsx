/** A forgotten password: asking for a link, and choosing a new one with it. */
import { useState } from 'react';
import { call, prepareCsrf } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { formatInstant } from '#web/data/date-text.tsx';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { AskForLink } from './ask-for-link.web.tsx';
import { Answer, BackToSignIn, PASSWORD_CAPTION, useMailLink } from './public-answer.web.tsx';
import { sessionEndpoints } from './session.contract.ts';

const ask = (body: { email: string }) => call(sessionEndpoints.forgotPassword, { body });

export function ForgotPassword() {
  return (
    <AskForLink title="Forgot your password?" text="We send a link with which you choose a new one."
      send="Send the link" ask={ask} />
  );
}

/** Whether the link still works is asked first: nobody thinks of a password for nothing. */
export function ResetPassword() {
  const link = useMailLink();
  const read = useEndpoint(sessionEndpoints.readPasswordReset, { params: { token: link.token } },
    { staleTime: Number.POSITIVE_INFINITY });
  if (read.error?.status === 404) {
    return (
      <AskForLink title="This link no longer works" email={link.email} send="Send the link" ask={ask}
        text="It was used already, or it is too old. Open the one of your newest mail, or let us send you another." />
    );
  }
  if (read.isError) {
    return (
      <PublicLayout title="Choose a new password">
        <RecordProblem noun="link" list="" error={read.error} onRetry={() => void read.refetch()} />
        <BackToSignIn />
      </PublicLayout>
    );
  }
  if (!read.data) return <PublicLayout title="Reading your link …">{null}</PublicLayout>;
  return <ChoosePassword {...link} until={read.data.data.expires_at} />;
}

function ChoosePassword({ token, email, until }: { token: string; email: string; until: string }) {
  const [answer, setAnswer] = useState('');
  const form = useResourceForm({
    initial: { email, password: '', password_confirmation: '' },
    submit: async (body) => {
      await prepareCsrf();
      return call(sessionEndpoints.resetPassword, { body: { ...body, token } });
    },
    onSaved: ({ message }) => setAnswer(message),
  });
  if (answer) return <Answer title="Done" text={`${answer} Every other device has been signed out.`} />;
  return (
    <PublicLayout title="Choose a new password" text={`The link works until ${formatInstant(until)}.`}>
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

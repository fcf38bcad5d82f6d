/** Asking for a link by mail: the same page and the same answer for every address (reliability.md 1.3). */
import { useState } from 'react';
import { prepareCsrf } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { Answer, BackToSignIn } from './public-answer.web.tsx';

interface AskForLinkProps {
  title: string;
  text: string;
  /** The button's words. */
  send: string;
  ask: (body: { email: string }) => Promise<{ message: string }>;
  /** Filled in already. */
  email?: string;
  /** Said behind the server's answer. */
  after?: string;
}

export function AskForLink({ title, text, send, ask, email = '', after = '' }: AskForLinkProps) {
  const [answer, setAnswer] = useState('');
  const form = useResourceForm({
    initial: { email },
    submit: async (body) => {
      await prepareCsrf();
      return ask(body);
    },
    onSaved: ({ message }) => setAnswer(message),
  });
  if (answer) return <Answer title="Check your mail" text={`${answer} ${after}`.trim()} />;
  return (
    <PublicLayout title={title} text={text}>
      <FormFrame form={form} guard={false} aria-label="Ask for a link">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is all that this page is for */}
        <TextField label="Email" type="email" required autoComplete="username" autoFocus {...form.field('email')} />
        <Button type="submit" variant="primary" size="large" wide pending={form.pending}>{send}</Button>
      </FormFrame>
      <BackToSignIn />
    </PublicLayout>
  );
}

/**
 * The address of an account: verified with the link that came by mail, and the notice that is all that somebody sees
 * whose address is not verified yet (reliability.md 1.3).
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, call, prepareCsrf } from '#kit/client.ts';
import { homeOf } from '#kit/page.ts';
import { ActionButton } from '#web/controls/button/action-button.tsx';
import { toast } from '#web/data/toast.tsx';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { takeRemembered } from '#web/navigation/remembered-location.ts';
import { ensureUser, forgetUser, useCurrentUser, visitorOf } from '#web/query/current-user.ts';
import { applyingFor } from './applying-for.web.ts';
import { AskForLink } from './ask-for-link.web.tsx';
import { Answer, useMailLink } from './public-answer.web.tsx';
import { sessionEndpoints } from './session.contract.ts';
import { signOut } from './sign-out.web.ts';
import styles from './portals.module.css';

const GOOD_FOR = 'The link in it is good for 24 hours.';

const again = { send: 'Send a new link', after: GOOD_FOR,
  ask: ({ email }: { email: string }) =>
    call(sessionEndpoints.resendVerification, { body: { email, ...applyingFor() } }) };

type Verification = { state: 'waiting' } | { state: 'done' } | { state: 'dead'; text: string }
  | { state: 'failed'; text: string };

export function VerifyEmail() {
  const { token, next } = useMailLink();
  const client = useQueryClient();
  const [result, setResult] = useState<Verification>({ state: 'waiting' });
  // Opening the link changes nothing by itself; the page posts the token (reliability.md 1.3).
  const posted = useRef(false);
  useEffect(() => {
    if (posted.current) return;
    posted.current = true;
    prepareCsrf().then(() => call(sessionEndpoints.verifyEmail, { body: { token } })).then(
      () => {
        // Guards treat the signed-in person as somebody else from now on.
        forgetUser(client);
        setResult({ state: 'done' });
      },
      (error: unknown) => {
        const known = error instanceof ApiError;
        setResult({ state: known && error.status === 422 ? 'dead' : 'failed',
          text: known ? error.message : 'The address could not be verified.' });
      },
    );
  }, [token, client]);
  if (result.state === 'waiting') return <PublicLayout title="Verifying your address …">{null}</PublicLayout>;
  if (result.state === 'done') return <Verified next={next} />;
  if (result.state === 'failed') return <Answer title="This link did not work" text={result.text} />;
  return <AskForLink title="This link did not work" text={result.text} {...again} />;
}

/** Back to the title that was to be applied for, by the sign-in where this browser is not signed in. */
function Verified({ next }: { next: string | null }) {
  if (next === null) return <Answer title="Your address is verified" text="You can sign in now." />;
  return (
    <PublicLayout title="Your address is verified" text={<span role="status">Your application can go on.</span>}>
      <ButtonLink variant="primary" size="large" href={next}>Continue your application</ButtonLink>
    </PublicLayout>
  );
}

export function VerifyNotice() {
  const user = useCurrentUser();
  if (user === undefined) return <PublicLayout title="Verify your address">{null}</PublicLayout>;
  if (user === null) {
    return (
      <AskForLink title="Verify your address" text="We send a link to the address of your account." {...again} />
    );
  }
  if (user.email_verified_at) return <Answer title="Your address is verified" text="Nothing is left to do here." />;
  return <Waiting email={user.email} />;
}

/** Signed in, and nothing else opens before the link of the mail was followed. */
function Waiting({ email }: { email: string }) {
  const client = useQueryClient();
  const { go } = useNavigation();
  const enter = async (): Promise<void> => {
    forgetUser(client);
    const visitor = visitorOf(await ensureUser(client));
    if (visitor?.unverified) toast('The address is not verified yet.', { tone: 'error' });
    else go(takeRemembered() ?? (visitor ? homeOf(visitor) : '/login'), { replace: true });
  };
  return (
    <PublicLayout title="Verify your address"
      text={`We sent a link to ${email}. Open it, and everything is open to you. ${GOOD_FOR}`}>
      <div className={styles.list}>
        <ActionButton variant="primary" size="large" wide action={enter}>I have opened the link</ActionButton>
        <ActionButton size="large" wide
          action={() => call(sessionEndpoints.resendVerification, { body: { email, ...applyingFor() } })}
          onDone={({ message }) => toast(message)}>Send a new link</ActionButton>
        <ActionButton variant="quiet" wide action={() => signOut(client)}>Sign out</ActionButton>
      </div>
    </PublicLayout>
  );
}

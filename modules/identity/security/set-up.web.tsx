/** Setup page for staff without a second factor if the company requires one: no other page opens before. */
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, LogOut, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { homeOf } from '#kit/page.ts';
import { call } from '#kit/client.ts';
import { ActionButton } from '#web/controls/button/action-button.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { takeRemembered } from '#web/navigation/remembered-location.ts';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { ensureUser, forgetUser, visitorOf } from '#web/query/current-user.ts';
import { AddPasskey } from '../passkey/add-passkey.web.tsx';
import { passkeysPossible } from '../passkey/passkey-browser.web.ts';
import { signOut } from '../session/sign-out.web.ts';
import { AppSetUp, type StartedApp } from '../two-factor/app-set-up.web.tsx';
import { RecoveryCodes } from '../two-factor/recovery-codes.web.tsx';
import { twoFactorEndpoints } from '../two-factor/two-factor.contract.ts';
import styles from './security.module.css';

type Step = { step: 'choose' } | { step: 'app'; started: StartedApp } | { step: 'passkey' }
  | { step: 'codes'; codes: string[] };

function useWayOut(): { enter: () => Promise<void>; leave: () => Promise<void> } {
  const client = useQueryClient();
  const { go } = useNavigation();
  return {
    enter: async () => {
      forgetUser(client);
      const visitor = visitorOf(await ensureUser(client));
      go(takeRemembered() ?? (visitor ? homeOf(visitor) : '/login'), { replace: true });
    },
    leave: () => signOut(client),
  };
}

export function SetUpTwoFactor() {
  const [now, setNow] = useState<Step>({ step: 'choose' });
  const { enter, leave } = useWayOut();
  const onDone = (codes: string[] | null) => { if (codes) setNow({ step: 'codes', codes }); else void enter(); };
  const back = now.step === 'app' || now.step === 'passkey';
  return (
    <PublicLayout title="One thing before you start"
      text="Your house asks its staff for a second factor beside the password. It takes two minutes.">
      <div className={styles.stack}>
        {now.step === 'choose' && <Choice onChosen={setNow} />}
        {now.step === 'app' && <AppSetUp started={now.started} onDone={onDone} />}
        {now.step === 'passkey' && <AddPasskey onDone={onDone} />}
        {now.step === 'codes' && <RecoveryCodes codes={now.codes} onDone={() => void enter()} />}
        <div className={styles.actions}>
          {back && <Button variant="quiet" onClick={() => setNow({ step: 'choose' })}>Another way</Button>}
          {now.step !== 'codes' && (
            <ActionButton variant="quiet" wide icon={<Glyph icon={LogOut} />} action={leave}>Sign out</ActionButton>
          )}
        </div>
      </div>
    </PublicLayout>
  );
}

function Choice({ onChosen }: { onChosen: (step: Step) => void }) {
  return (
    <div className={styles.stack}>
      {passkeysPossible() && (
        <Button variant="primary" size="large" wide icon={<Glyph icon={KeyRound} />}
          onClick={() => onChosen({ step: 'passkey' })}>Use a passkey</Button>
      )}
      <ActionButton size="large" wide icon={<Glyph icon={Smartphone} />}
        action={() => call(twoFactorEndpoints.start, {})}
        onDone={({ data }) => onChosen({ step: 'app', started: data })}>Use an authenticator app</ActionButton>
    </div>
  );
}

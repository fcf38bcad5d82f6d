/** The second factors of one's own: authenticator app, passkeys, recovery codes. */
import { KeyRound, LifeBuoy, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { Badge } from '#web/data/badge.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { AddPasskey } from '../passkey/add-passkey.web.tsx';
import { passkeyEndpoints, type PasskeyRow } from '../passkey/passkey.contract.ts';
import { AppSetUp, type StartedApp } from '../two-factor/app-set-up.web.tsx';
import { RecoveryCodes } from '../two-factor/recovery-codes.web.tsx';
import { twoFactorEndpoints, type TwoFactorState } from '../two-factor/two-factor.contract.ts';
import { SecurityRow, SecurityRows, SecurityRowsWaiting } from './security-row.web.tsx';

type Open = { step: 'app'; started: StartedApp } | { step: 'passkey' } | { step: 'codes'; codes: string[] } | null;
const TITLES = { app: 'Set up an authenticator app', passkey: 'Add a passkey', codes: 'Your recovery codes' };

export function TwoFactorSection() {
  const [open, setOpen] = useState<Open>(null);
  const state = useEndpoint(twoFactorEndpoints.show, {});
  const keys = useEndpoint(passkeyEndpoints.list, {});
  const refresh = useRefresh([twoFactorEndpoints.show, passkeyEndpoints.list]);
  const done = (text: string) => (codes: string[] | null) => {
    void refresh();
    toast(text);
    setOpen(codes ? { step: 'codes', codes } : null);
  };
  const failed = state.error ?? keys.error;
  return (
    <Section title="Two-factor sign-in"
      description="A second step in addition to your password. A stolen password alone won’t let anyone in."
      right={state.data && <StateBadge state={state.data.data} />}>
      {failed && <RecordProblem noun="list" list="" error={failed} onRetry={() => void refresh()} />}
      {!failed && !(state.data && keys.data) && <SecurityRowsWaiting rows={2} tall />}
      {state.data && keys.data && (
        <SecurityRows label="Second factors">
          <AppRow state={state.data.data} onStarted={(started) => setOpen({ step: 'app', started })} />
          {keys.data.data.map((key) => <PasskeyLine key={key.id} passkey={key} />)}
          <SecurityRow icon={KeyRound} name="Passkeys"
            text="Your fingerprint, face or device PIN instead of a code. They also sign you in without a password.">
            <Button size="small" onClick={() => setOpen({ step: 'passkey' })}>Add a passkey</Button>
          </SecurityRow>
          {state.data.data.enabled && (
            <CodesRow left={state.data.data.recovery_codes_left}
              onMade={(codes) => setOpen({ step: 'codes', codes })} />
          )}
        </SecurityRows>
      )}
      <Modal open={open !== null} onClose={() => setOpen(null)} title={open ? TITLES[open.step] : ''} width={560}>
        {open?.step === 'app' && <AppSetUp started={open.started} onDone={done('Authenticator app in use')} />}
        {open?.step === 'passkey' && <AddPasskey onDone={done('Passkey added')} />}
        {open?.step === 'codes' && <RecoveryCodes codes={open.codes} onDone={() => setOpen(null)} />}
      </Modal>
    </Section>
  );
}

function StateBadge({ state }: { state: TwoFactorState }) {
  if (state.enabled) return <Badge tone="ok">On</Badge>;
  return <Badge tone={state.required ? 'warn' : 'neutral'}>{state.required ? 'Required' : 'Off'}</Badge>;
}

function AppRow({ state, onStarted }: { state: TwoFactorState; onStarted: (started: StartedApp) => void }) {
  const [asking, setAsking] = useState(false);
  const start = useAction(twoFactorEndpoints.start, { onDone: ({ data }) => onStarted(data) });
  const remove = useAction(twoFactorEndpoints.remove, { done: 'Authenticator app removed' });
  const last = state.required && state.passkeys === 0;
  return (
    <SecurityRow icon={Smartphone} name="Authenticator app"
      badge={state.code && <Badge tone="ok">In use</Badge>}
      text={state.code ? 'Six digits from your telephone, new every 30 seconds.'
        : 'An app on your phone shows six digits that you type after the password.'}>
      {state.code && (
        <Button size="small" variant="quiet" pending={remove.pending} onClick={() => setAsking(true)}
          reason={last ? 'The house demands two-factor sign-in: add a passkey first' : undefined}>Remove</Button>
      )}
      <Button size="small" pending={start.pending} onClick={() => void start.run({})}>
        {state.code ? 'Set up another telephone' : 'Set up'}
      </Button>
      <ConfirmDialog open={asking} danger title="Remove the authenticator app?" confirm="Remove"
        text={state.passkeys === 0 ? 'The password alone signs in from then on, and your recovery codes are void.'
          : 'Your passkeys stay.'}
        onCancel={() => setAsking(false)} onConfirm={() => { setAsking(false); void remove.run({}); }} />
    </SecurityRow>
  );
}

function PasskeyLine({ passkey }: { passkey: PasskeyRow }) {
  const [asking, setAsking] = useState(false);
  const remove = useAction(passkeyEndpoints.remove,
    { done: 'Passkey removed', refresh: [twoFactorEndpoints.show] });
  const used = passkey.last_used_at ? `last used ${formatInstant(passkey.last_used_at)}` : 'not used yet';
  return (
    <SecurityRow icon={KeyRound} name={passkey.name} badge={passkey.backed_up && <Badge>On several devices</Badge>}
      text={`Passkey, added ${formatInstant(passkey.created_at)}, ${used}`}>
      <Button size="small" variant="quiet" pending={remove.pending} aria-label={`Remove ${passkey.name}`}
        onClick={() => setAsking(true)}>Remove</Button>
      <ConfirmDialog open={asking} danger title={`Remove the passkey ${passkey.name}?`} confirm="Remove"
        text="It can no longer sign in. Remove it on the device as well." onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: passkey.id } }); }} />
    </SecurityRow>
  );
}

function CodesRow({ left, onMade }: { left: number; onMade: (codes: string[]) => void }) {
  const [asking, setAsking] = useState(false);
  const make = useAction(twoFactorEndpoints.recoveryCodes,
    { onDone: ({ data }) => { if (data.recovery_codes) onMade(data.recovery_codes); } });
  return (
    <SecurityRow icon={LifeBuoy} name="Recovery codes" badge={left < 3 && <Badge tone="warn">{`${left} left`}</Badge>}
      text={`For the day your telephone is gone: ${left} of 8 are left, each good once.`}>
      <Button size="small" pending={make.pending} onClick={() => setAsking(true)}>New codes</Button>
      <ConfirmDialog open={asking} title="Make new recovery codes?" confirm="Make new codes"
        text="The codes you have kept so far are void from then on." onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void make.run({}); }} />
    </SecurityRow>
  );
}

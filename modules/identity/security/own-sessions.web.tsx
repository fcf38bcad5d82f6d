/** Sessions of the signed-in person, newest first, this device on top. */
import { Laptop, Smartphone, Tablet, Terminal } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { Badge } from '#web/data/badge.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ownSessionEndpoints, type OwnSession } from '../own-session/own-session.contract.ts';
import { SecurityRow, SecurityRows, SecurityRowsWaiting } from './security-row.web.tsx';

const ICONS = { computer: Laptop, phone: Smartphone, tablet: Tablet, program: Terminal };
const FACTORS = { code: 'authenticator app', recovery_code: 'recovery code', passkey: 'passkey' };

function wordsOf(session: OwnSession): string {
  return [
    session.ip && `from ${session.ip}`,
    session.current ? 'in use now' : `last seen ${formatInstant(session.last_seen_at)}`,
    `signed in ${formatInstant(session.created_at)}`
      + (session.second_factor ? ` with ${FACTORS[session.second_factor]}` : ''),
  ].filter(Boolean).join(' · ');
}

export function OwnSessions() {
  const read = useEndpoint(ownSessionEndpoints.list, {});
  const [asking, setAsking] = useState(false);
  const end = useAction(ownSessionEndpoints.end, { done: 'Signed out there' });
  const endOthers = useAction(ownSessionEndpoints.endOthers, { done: 'Signed out everywhere else' });
  const sessions = read.data?.data;
  const others = sessions?.filter((session) => !session.current).length ?? 0;
  return (
    <Section title="Active sessions"
      description="If you have lost a device or see one that is not yours, sign it out."
      right={others > 0 && (
        <Button size="small" pending={endOthers.pending} onClick={() => setAsking(true)}>
          Sign out everywhere else
        </Button>
      )}>
      {read.isError && !sessions && (
        <RecordProblem noun="list" list="" error={read.error} onRetry={() => void read.refetch()} />
      )}
      {!sessions && !read.isError && <SecurityRowsWaiting rows={1} />}
      {sessions && (
        <SecurityRows label="Sessions">
          {sessions.map((session) => (
            <SecurityRow key={session.id} icon={ICONS[session.kind]} name={session.device} text={wordsOf(session)}
              badge={session.current && <Badge tone="ok">This device</Badge>}>
              {!session.current && (
                <Button size="small" pending={end.pending} aria-label={`Sign out ${session.device}`}
                  onClick={() => void end.run({ params: { id: session.id } })}>Sign out</Button>
              )}
            </SecurityRow>
          ))}
        </SecurityRows>
      )}
      <ConfirmDialog open={asking} title="Sign out everywhere else?" confirm="Sign out everywhere else"
        text="Every other device has to sign in again. This one stays signed in." onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void endOthers.run({}); }} />
    </Section>
  );
}

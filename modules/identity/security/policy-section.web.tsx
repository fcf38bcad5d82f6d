/** Sign-in requirements that the company sets for its staff; for system administrators. */
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { securityPolicyEndpoints } from '../security-policy/security-policy.contract.ts';
import { SecurityRow, SecurityRows } from './security-row.web.tsx';

export function PolicySection() {
  const read = useEndpoint(securityPolicyEndpoints.show, {});
  const [asking, setAsking] = useState(false);
  const change = useAction(securityPolicyEndpoints.update, { done: 'The policy holds from now on' });
  const policy = read.data?.data;
  const on = policy?.require_staff_two_factor ?? false;
  return (
    <Section title="Sign-in of staff" description="Holds for everyone of the staff, at once and on every server.">
      {read.isError && !policy && (
        <RecordProblem noun="policy" list="" error={read.error} onRetry={() => void read.refetch()} />
      )}
      {policy && (
        <SecurityRows label="Policy">
          <SecurityRow icon={ShieldCheck} name="Two-factor sign-in of staff"
            badge={<Badge tone={on ? 'ok' : 'neutral'}>{on ? 'Demanded' : 'Left to each person'}</Badge>}
            text={policy.staff_without === 0 ? 'Everyone of the staff has it.'
              : `${policy.staff_without} of the staff do not have it yet.`}>
            <Button size="small" pending={change.pending} onClick={() => setAsking(true)}>
              {on ? 'Leave it to each person' : 'Require it'}
            </Button>
          </SecurityRow>
        </SecurityRows>
      )}
      <ConfirmDialog open={asking} title={on ? 'Leave it to each person?' : 'Require two-factor sign-in of all staff?'}
        confirm={on ? 'Leave it to each person' : 'Require it'} onCancel={() => setAsking(false)}
        text={on ? 'Staff may then sign in with the password alone.'
          : 'People without two-step sign-in must set it up before they can do anything else.'}
        onConfirm={() => {
          setAsking(false);
          if (policy) {
            void change.run({ body: { version: policy.version, require_staff_two_factor: !on } });
          }
        }} />
    </Section>
  );
}

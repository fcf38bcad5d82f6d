/** People who may approve a pending item, in a sentence: 'Can be approved by Eleanor Marsh and 2 others.' */
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { useEndpoint } from '../query/use-endpoint.ts';
import { Callout } from './callout.tsx';
import { formatDay } from './date-text.tsx';

interface Approving { names: readonly string[]; more: number }

export interface ApproversProps {
  /** Answers `names` and `more` for `kind` without the person who asked. */
  endpoint: AnyEndpoint;
  kind: string;
  askedById: number | null;
}

export function approversInWords({ names, more }: Approving): string {
  if (names.length === 0) return 'Nobody else can approve this yet. Ask an administrator to give someone the right.';
  const shown = names.slice(0, 3);
  const others = names.length - shown.length + more;
  const list = others > 0 ? `${shown.join(', ')} and ${others} ${others === 1 ? 'other' : 'others'}`
    : new Intl.ListFormat('en-US', { type: 'disjunction' }).format(shown);
  return `Can be approved by ${list}.`;
}

export function Approvers({ endpoint, kind, askedById }: ApproversProps) {
  const query = { kind, ...(askedById !== null && { asked_by_id: askedById }) };
  // Every inbox has this call, with the same query.
  const read = useEndpoint(endpoint, { query } as never);
  const answer = read.data as { data: Approving } | undefined;
  return answer ? <>{approversInWords(answer.data)}</> : null;
}

interface AwaitingApprovalProps extends ApproversProps {
  /** Name of the person who prepared it. */
  askedBy: string | null;
  /** The decline of what stands here now. */
  declined?: { reason: string; by_name: string; at: string } | null;
}

/** At the head of a record that waits: who prepared it and who may approve it, or why it was declined. */
export function AwaitingApproval({ askedBy, declined = null, ...approvers }: AwaitingApprovalProps) {
  if (declined) {
    return (
      <Callout tone="error" title={`Declined by ${declined.by_name} on ${formatDay(declined.at)}`}>
        {declined.reason}
      </Callout>
    );
  }
  return (
    <Callout tone="warn" title="Awaiting approval">
      {askedBy && `Prepared by ${askedBy}. `}<Approvers {...approvers} />
    </Callout>
  );
}

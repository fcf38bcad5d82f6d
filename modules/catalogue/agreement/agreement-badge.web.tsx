/** The state of an agreement as a badge. */
import { Badge } from '#web/data/badge.tsx';
import { AGREEMENT_STATUS } from '../catalogue-labels.web.ts';

export function AgreementBadge({ status }: { status: string }) {
  const look = AGREEMENT_STATUS[status];
  return look ? <Badge tone={look.tone} small>{look.label}</Badge> : null;
}

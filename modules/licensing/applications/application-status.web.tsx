/** Status of an application, with its color: in the list and over its record. */
import { Badge } from '#web/data/badge.tsx';
import { applicationLook } from '../words.web.ts';

export function StatusBadge({ status, small }: { status: string; small?: boolean }) {
  const look = applicationLook(status);
  return <Badge tone={look.tone} small={small}>{look.label}</Badge>;
}

/** Staff actions on an application now: take it, ask, clear, approve into quotes, decline (domain.md 1.2). */
import { CircleSlash, FilePlus2, MessageCircleQuestion, ShieldCheck, ThumbsUp, UserRoundCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ActionMenu, type MenuAction } from '#web/data/action-menu.tsx';
import { Glyph, type Icon } from '#web/layout/icons.tsx';
import { useMay } from '#web/query/current-user.ts';
import { ApplicationDialog } from './application-dialogs.web.tsx';
import type { ApplicationStep, ApplicationView } from './application-view.web.ts';

interface OfferedStep {
  event: ApplicationStep; label: string; icon: Icon; needs: 'license.update' | 'license.create'; danger?: boolean;
}
const STEPS: readonly OfferedStep[] = [
  { event: 'convert', label: 'Make quotes', icon: FilePlus2, needs: 'license.create' },
  { event: 'approve', label: 'Approve and quote', icon: ThumbsUp, needs: 'license.create' },
  { event: 'assign', label: 'Start review', icon: UserRoundCheck, needs: 'license.update' },
  { event: 'request_info', label: 'Ask for information', icon: MessageCircleQuestion, needs: 'license.update' },
  { event: 'need_clearance', label: 'Ask for clearance', icon: ShieldCheck, needs: 'license.update' },
  { event: 'decline', label: 'Decline', icon: CircleSlash, needs: 'license.update', danger: true },
];

export function ApplicationActions({ view }: { view: ApplicationView }) {
  const may = useMay();
  const [step, setStep] = useState<ApplicationStep | null>(null);
  const allowed = STEPS.filter(({ event, needs }) => view.application.allowed_events.includes(event) && may(needs));
  const primary = allowed.find(({ danger }) => !danger);
  const rest = allowed.filter((one) => one !== primary);
  const menu: MenuAction[] = rest.map(({ event, label, icon, danger }) => ({
    label, icon, danger, divided: danger && rest.length > 1, onSelect: () => setStep(event),
  }));
  return (
    <>
      <ActionMenu actions={menu} label="More actions" />
      {primary && (
        <Button variant="primary" icon={<Glyph icon={primary.icon} />}
          onClick={() => setStep(primary.event)}>{primary.label}</Button>
      )}
      {step && <ApplicationDialog step={step} view={view} onClose={() => setStep(null)} />}
    </>
  );
}

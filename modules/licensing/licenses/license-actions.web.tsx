/** Buttons of a licence's head: the phase's own step as the primary, the rest in the menu with the reason when held. */
import {
  Ban, BadgePercent, CalendarX, Calculator, CircleSlash, CirclePause, FileSearch, GitBranch, Handshake, Lock,
  PackagePlus, PenLine, RotateCcw, Send, ShieldCheck, Signature, Undo2, UserRound, Users,
} from 'lucide-react';
import { useState } from 'react';
import { urlOf } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { ActionMenu, type MenuAction } from '#web/data/action-menu.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Glyph, type Icon } from '#web/layout/icons.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { licenseDocumentEndpoints } from '../documents/license-document.contract.ts';
import { pricingEndpoints } from './pricing/pricing.contract.ts';
import { plusWords } from '../words.web.ts';
import { headerEvents, type OfferedEvent } from './phase/license-events.web.ts';
import { LateLicenseDialog } from './phase/late-license-dialog.web.tsx';
import type { LicenseView } from './license-view.web.ts';
import type { LicenseRow } from './license.contract.ts';

const ICONS: Readonly<Record<string, Icon>> = {
  price: Calculator, send_offer: Send, revise: Undo2, sign: Signature, decline: CircleSlash, reopen: RotateCcw,
  execute: PenLine, void_signature: Ban, amend: GitBranch, close: Lock, cancel: CalendarX, cancel_remaining: CalendarX,
};

/** A primary button says its result: 'Send offer of 2,134.00'. */
function labelOf(offered: OfferedEvent, license: LicenseRow): string {
  if (offered.event === 'send_offer' && license.grand_total_minor > 0) {
    return [`${offered.label} of ${formatAmount(license.grand_total_minor)}`,
      plusWords(license)].filter(Boolean).join(', ');
  }
  return offered.label;
}

export function LicenseActions({ view }: { view: LicenseView }) {
  const { license, events } = view;
  const may = useMay();
  const [dialog, setDialog] = useState<string | null>(null);
  const price = useAction(pricingEndpoints.price, {
    done: (answer) => `Priced at ${formatAmount(answer.data.totals.grand_total_minor, answer.data.currency)}`,
  });
  const mayUpdate = may('license.update');
  const { primary, others } = headerEvents(license, events);
  const reprice = () => void price.run({ params: { licenseId: license.id }, body: { version: license.version } });
  const press = (event: string) => {
    if (event === 'price') reprice();
    else setDialog(event);
  };
  const shown = others.filter((one) => mayUpdate || (one.event === 'sign' && may('license.upload_documents')));
  const menu: MenuAction[] = [
    ...shown.map((one) => ({
      label: one.label, icon: ICONS[one.event], danger: one.danger, reason: one.reason,
      onSelect: () => press(one.event),
    })),
    ...(mayUpdate ? standing(license, setDialog) : []),
    ...previewOf(license, shown.length > 0 || mayUpdate),
  ];
  const allowed = primary && (mayUpdate || (primary.event === 'sign' && may('license.upload_documents')));
  return (
    <>
      <ActionMenu actions={menu} label={spell`More actions for this license`} />
      {primary && allowed && (
        <Button variant="primary" reason={primary.reason} pending={primary.event === 'price' && price.pending}
          icon={<Glyph icon={ICONS[primary.event] ?? PenLine} />} onClick={() => press(primary.event)}>
          {labelOf(primary, license)}
        </Button>
      )}
      {dialog && <LateLicenseDialog dialog={dialog} view={view} onClose={() => setDialog(null)} />}
    </>
  );
}

/** Actions available at any time, or while it is a draft. */
function standing(license: LicenseRow, open: (dialog: string) => void): MenuAction[] {
  const draft = license.phase === 'draft';
  const over = ['closed', 'cancelled'].includes(license.phase);
  return [
    ...(draft ? [
      { label: 'Materials, add-ons and fees', icon: PackagePlus, divided: true, onSelect: () => open('charges') },
      { label: 'Discount', icon: BadgePercent, onSelect: () => open('discount') },
      { label: 'Negotiated fee', icon: Handshake, onSelect: () => open('negotiate') },
    ] : []),
    ...(over ? [] : [
      { label: 'Rights and clearance', icon: ShieldCheck, divided: !draft, onSelect: () => open('clearance') },
      { label: 'Representative', icon: UserRound, onSelect: () => open('rep') },
      ...(draft ? [] : [{ label: 'Cast and orchestration', icon: Users, onSelect: () => open('cast') }]),
      { label: license.on_hold ? 'Release the hold' : 'Put on hold', icon: CirclePause, onSelect: () => open('hold') },
    ]),
  ];
}

function previewOf(license: LicenseRow, divided: boolean): MenuAction[] {
  const href = urlOf(licenseDocumentEndpoints.previewPdf, { licenseId: license.id });
  return license.number_of_performances > 0
    ? [{ label: 'Preview of the offer (PDF)', icon: FileSearch, divided,
      onSelect: () => { window.open(href, '_blank', 'noopener'); } }]
    : [];
}

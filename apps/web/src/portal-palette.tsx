/**
 * Contents of the customer command palette (X167): actions on the open page, their own productions, applications,
 * documents, invoices, orders and perusals, the shows they may apply for, and the pages of their portal. Lazy-loaded
 * on first use.
 */
import { matchSorter } from 'match-sorter';
import { BookOpen, Clapperboard, FileText, Inbox, MousePointerClick, Package, Receipt, Theater } from 'lucide-react';
import { useState } from 'react';
import { portalEndpoints, type PortalHit } from '#modules/licensing/portal/portal.contract.ts';
import { typeTitle } from '#modules/portal/document-words.web.ts';
import type { Icon } from '#web/layout/icons.tsx';
import type { PortalItem } from '#web/layout/portal-shell.tsx';
import { CommandPalette, type PaletteGroup, type PaletteItem } from '#web/palette/command-palette.tsx';
import { pageActions } from '#web/palette/page-actions.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useSettled } from '#web/query/use-settled.ts';

/** ms without a key before records are looked for. */
const SEARCH_DELAY = 150;
/** Letters that a search needs. */
const SHORTEST = 2;
const FOUND = 20;
const GROUPS: readonly { kind: PortalHit['kind']; label: string; icon: Icon }[] = [
  { kind: 'production', label: 'Productions', icon: Clapperboard },
  { kind: 'application', label: 'Applications', icon: Inbox }, { kind: 'show', label: 'Shows', icon: Theater },
  { kind: 'document', label: 'Documents', icon: FileText }, { kind: 'invoice', label: 'Invoices', icon: Receipt },
  { kind: 'order', label: 'Orders', icon: Package }, { kind: 'perusal', label: 'Perusals', icon: BookOpen },
];

function hrefOf(hit: PortalHit, base: string): string {
  switch (hit.kind) {
    case 'production': return `${base}/productions/${hit.id}/overview`;
    case 'show': return `${base}/shows/${hit.id}`;
    case 'document': return `${base}/productions/${hit.license_id}/documents`;
    case 'invoice': return `${base}/invoices/${hit.id}`;
    case 'application': return `${base}/applications/${hit.id}`;
    case 'order': return `${base}/orders/${hit.id}`;
    case 'perusal': return `${base}/perusals/${hit.id}`;
  }
}

function groupsOf(hits: readonly PortalHit[], base: string): PaletteGroup[] {
  return GROUPS.map(({ kind, label, icon }) => ({ label, items: hits.filter((hit) => hit.kind === kind).map(
    (hit): PaletteItem => ({ href: hrefOf(hit, base), icon, detail: hit.detail,
      label: kind === 'document' && /^[a-z_0-9]+$/.test(hit.title) ? typeTitle(hit.title) : hit.title })) }));
}

export interface PortalPaletteProps { customerId: number; items: readonly PortalItem[]; onClose: () => void }

export default function PortalPalette({ customerId, items, onClose }: PortalPaletteProps) {
  const [text, setText] = useState('');
  const search = useSettled(text, SEARCH_DELAY).trim();
  const wanted = search.length >= SHORTEST;
  const read = useEndpoint(portalEndpoints.search, { params: { id: customerId },
    query: { search, per_page: FOUND } }, { enabled: wanted });
  const places: PaletteItem[] = items.map(({ label, href, icon }) => ({ label, href, icon }));
  const [actions] = useState(() => pageActions().map((one): PaletteItem => ({ ...one, icon: MousePointerClick })));
  const typed = text.trim();
  const groups: PaletteGroup[] = typed === ''
    ? [{ label: 'On this page', items: actions }, { label: 'Go to', items: places }]
    : [{ label: 'On this page', items: matchSorter(actions, typed, { keys: ['label'] }) },
      ...wanted ? groupsOf(read.data?.data ?? [], `/customer/${customerId}`) : [],
      { label: 'Go to', items: matchSorter(places, typed, { keys: ['label'] }) }];
  return (
    <CommandPalette text={text} onText={setText} groups={groups} searching={wanted && read.isFetching}
      onClose={onClose} />
  );
}

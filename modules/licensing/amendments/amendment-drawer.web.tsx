/** One amendment beside the list: what changed, in nights and figures; a request is carried out or refused here. */
import { GitBranch } from 'lucide-react';
import { useState } from 'react';
import { urlOf } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { DateText, formatInstant } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { dayOf } from '#web/data/local-day.ts';
import { formatAmount, Money } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ActionDialog, errorsOf } from '../action-dialog.web.tsx';
import { licenseDocumentEndpoints } from '../documents/license-document.contract.ts';
import { CancelDialog } from '../licenses/phase/cancel-dialog.web.tsx';
import { licenseEndpoints } from '../licenses/license.contract.ts';
import type { LicenseView } from '../licenses/license-view.web.ts';
import { amendmentEndpoints, type AmendmentDetail } from './amendment.contract.ts';
import { amendmentLook, amendmentTitle, billingWords, nightWords } from './amendment-words.web.ts';
import styles from '../licensing.module.css';
import { LICENSE_MONEY } from '../money/license-money.web.ts';

export function AmendmentDrawer({ view, amendmentId, onClose }: {
  view: LicenseView; amendmentId: number; onClose: () => void;
}) {
  const read = useEndpoint(amendmentEndpoints.show, { params: { licenseId: view.license.id, amendmentId } });
  const row = read.data?.data.id === amendmentId ? read.data.data : undefined;
  return (
    <Drawer open onClose={onClose} width={396} icon={<Glyph icon={GitBranch} size={17} />}
      title={row ? amendmentTitle(row) : 'Amendment'}
      footer={row?.status === 'requested' && <Answer key={row.version} view={view} row={row} />}>
      {read.isError && <NotLoaded title="The amendment did not load" read={read} />}
      {!row && !read.isError && <Skeleton height={160} />}
      {row && <Detail row={row} licenseId={view.license.id} />}
    </Drawer>
  );
}

function Detail({ row, licenseId }: { row: AmendmentDetail; licenseId: number }) {
  const look = amendmentLook(row);
  const changed = row.kind === 'amend';
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <Badge tone={look.tone}>{look.label}</Badge>
        {row.from_portal && <Badge tone="outline">By the customer</Badge>}
        {row.automatic && <Badge tone="outline">Inside the rules</Badge>}
      </div>
      <p className={styles.text}>{row.reason}</p>
      {row.problem && <Callout tone="error" title="It cannot be carried out like this">{row.problem}</Callout>}
      {row.preview && row.preview.verdict !== 'clear' && (
        <Callout tone="warn" title="The rights are not free">{row.preview.reason_public}</Callout>
      )}
      {row.postpones && <Callout tone="info" title="Postponed to unknown dates">
        {row.preview?.reason_public ?? 'The price stays the same. The performances have no dates yet.'}</Callout>}
      <Nights title="Taken off" rows={row.differences.removed} />
      <Nights title="Added" rows={row.differences.added} />
      {changed && row.differences.lines.length > 0 && <Lines row={row} />}
      {row.preview && billingWords(row.preview.billing, row.currency).map((text) => (
        <p key={text} className={styles.muted}>{text}</p>
      ))}
      <KeyValue layout="rows" facts={[
        { label: row.from_portal ? 'Asked for by' : 'Amended by', value: row.requested_by_name },
        { label: 'On', value: formatInstant(row.created_at) },
        row.from_portal && row.status !== 'requested' && Boolean(row.decided_by_name) && { label: 'Answered by',
          value: row.decided_by_name },
        Boolean(row.decision_note) && { label: 'Answer', value: row.decision_note },
        row.from_portal && Boolean(row.preview?.why_not_automatic) && { label: 'Not done at once',
          value: row.preview?.why_not_automatic },
        row.version_no !== null && { label: 'Addendum', value: row.signed_at
          ? <>Signed by {row.signer_name}, <DateText value={dayOf(row.signed_at)} /></> : 'Not signed yet' },
      ]} />
      {row.addendum_document_id !== null && (
        <div>
          <PdfLink title="Addendum" fileName="addendum.pdf" href={urlOf(licenseDocumentEndpoints.file,
            { licenseId, documentId: row.addendum_document_id })}>Read the addendum</PdfLink>
        </div>
      )}
    </div>
  );
}

function Nights({ title, rows }: { title: string; rows: AmendmentDetail['differences']['added'] }) {
  if (rows.length === 0) return null;
  const several = new Set(rows.map((row) => row.venue_name)).size > 1;
  return (
    <section aria-label={title}>
      <h3 className={styles.sideHead}>{title}</h3>
      <ul className={styles.lines} data-plain>
        {rows.map((row, index) => (
          <li key={`${nightWords(row)}${index}`}>
            {nightWords(row)}{several && <span className={styles.muted}>{row.venue_name}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Lines({ row }: { row: AmendmentDetail }) {
  const moved = row.differences.lines.filter((line) => line.delta_minor !== 0);
  const before = row.preview?.price_before_minor ?? row.price_before_minor;
  const after = row.preview?.price_after_minor ?? row.price_after_minor;
  return (
    <section aria-label="Price before and after">
      <h3 className={styles.sideHead}>Price</h3>
      <KeyValue layout="rows" facts={[
        ...moved.map((line) => ({ label: line.description, value: (
          <>{formatAmount(line.before_minor)} → {formatAmount(line.after_minor)}</>
        ) })),
        { label: `Before ${row.currency}`, value: <Money minor={before} /> },
        { label: `After ${row.currency}`, value: <Money minor={after} strong /> },
        { label: 'Difference', value: <Money minor={after - before} /> },
      ]} />
    </section>
  );
}

type OpenDialog = 'apply' | 'refuse' | 'cancel' | null;

/** Both answers of a request; a cancellation is carried out by cancelling, which answers it. */
function Answer({ view, row }: { view: LicenseView; row: AmendmentDetail }) {
  const may = useMay();
  const [doing, setDoing] = useState<OpenDialog>(null);
  if (!may('license.update')) return null;
  const close = () => setDoing(null);
  const running = view.license.phase === 'in_production';
  return (
    <div className={styles.row}>
      {row.kind === 'cancel_request' ? (
        <Button variant="danger" onClick={() => setDoing('cancel')}>
          {running ? 'Cancel remaining performances' : 'Cancel the production'}
        </Button>
      ) : (
        <Button variant="primary" reason={row.problem ?? undefined} onClick={() => setDoing('apply')}>
          Carry it out
        </Button>
      )}
      <Button onClick={() => setDoing('refuse')}>Refuse</Button>
      {doing === 'cancel' && <CancelDialog view={view} remaining={running} onClose={close} />}
      {(doing === 'apply' || doing === 'refuse') && (
        <Decide row={row} licenseId={view.license.id} decision={doing} onClose={close} />
      )}
    </div>
  );
}

function Decide({ row, licenseId, decision, onClose }: {
  row: AmendmentDetail; licenseId: number; decision: 'apply' | 'refuse'; onClose: () => void;
}) {
  const [note, setNote] = useState('');
  const refuses = decision === 'refuse';
  const blocked = !refuses && row.preview !== null && row.preview.verdict !== 'clear';
  const action = useAction(amendmentEndpoints.decide, { refresh: [licenseEndpoints.show, amendmentEndpoints.list,
    ...LICENSE_MONEY],
    onFailure: () => undefined, onDone: onClose,
    done: refuses ? 'Refused. The customer is notified.' : spell`The license is amended` });
  const needs = refuses ? 'Say why, the customer reads it' : blocked ? 'Say who allowed it' : undefined;
  return (
    <ActionDialog title={refuses ? 'Refuse the request' : 'Carry out the change'} action={action} known={['note']}
      submit={refuses ? 'Refuse' : spell`Amend license`} danger={refuses} onClose={onClose}
      reason={needs && note.trim() === '' ? needs : undefined}
      text={refuses ? 'Nothing changes. The customer gets your answer by mail.'
        : row.postpones ? 'The performances will have no dates yet. The customer gets an email.'
        : ['A new version with an addendum that the customer signs.',
          ...row.preview ? billingWords(row.preview.billing, row.currency) : []].join(' ')}
      onSubmit={() => void action.run({ params: { licenseId, amendmentId: row.id },
        body: { version: row.version, decision, note } })}>
      {(refuses || blocked) && (
        <TextField label={refuses ? 'Why' : 'Clearance'} required rows={3} maxLength={2000} value={note}
          onChange={setNote} error={errorsOf(action.failure).note ?? errorsOf(action.failure).clearance_reason}
          caption={refuses ? undefined : 'Name of the person who approved the changed dates or venues.'} />
      )}
    </ActionDialog>
  );
}

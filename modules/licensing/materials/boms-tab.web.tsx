/** BOMs of a licence: which templates it copied, what has changed since, which others would fit. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions } from '#web/controls/form/form-frame.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import styles from '../licensing.module.css';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';
import { licenseEndpoints, type LicenseRow } from '../licenses/license.contract.ts';
import { licenseBomEndpoints, licenseMaterialEndpoints, type AvailableTemplate, type BomDifference,
  type LicenseBomRow } from './license-material.contract.ts';

export default function BomsTab() {
  return <LicenseFrame>{({ license }) => <BomsOf license={license} />}</LicenseFrame>;
}

function BomsOf({ license }: { license: LicenseRow }) {
  const may = useMay();
  const [attaching, setAttaching] = useState<AvailableTemplate | null>(null);
  const params = { licenseId: license.id };
  const mayList = may('license_material.list');
  const list = useList(licenseBomEndpoints.list, { params }, { perPage: 25, enabled: mayList });
  const offered = useList(licenseBomEndpoints.available, { params }, { prefix: 't_', perPage: 25, enabled: mayList });
  if (!mayList) {
    return (
      <PageContent record>
        <EmptyState title="The materials are not open to you" text="Ask who manages your rights." />
      </PageContent>
    );
  }
  return (
    <PageContent record fullWidth>
      {list.error && <EmptyState role="alert" title="The BOMs did not load" text={list.error.message}
        action={<Button onClick={list.onRetry}>Try again</Button>} />}
      {!list.rows && !list.error && <Skeleton height={90} />}
      {list.rows?.length === 0 && <EmptyState title="No BOM yet" text="Attach a template that fits, below." />}
      {list.rows?.map((row) => <BomSection key={row.id} row={row} />)}
      {/* What stood there first would be pushed down by the BOMs. */}
      {(list.rows || list.error) && (
        <Section title="Templates that fit" flush
          description={spell`Approved templates of this show for such a license, the most specific first.`}>
          <DataTable label="Templates that fit" variant="record" rows={offered.rows} error={offered.error}
            onRetry={offered.onRetry} rowKey={(row) => row.id}
            columns={templateColumns(may('license_material.create') ? setAttaching : null)}
            empty={{ title: 'None fits', text: 'The show has no approved template for this category and cast.' }} />
        </Section>
      )}
      <Modal open={attaching !== null} onClose={() => setAttaching(null)} title={attaching?.name ?? ''}>
        {attaching && <AttachForm license={license} template={attaching} onDone={() => setAttaching(null)} />}
      </Modal>
    </PageContent>
  );
}

function templateColumns(onAttach: ((row: AvailableTemplate) => void) | null): readonly Column<AvailableTemplate>[] {
  return [
    { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, width: 260 },
    { id: 'version', header: 'Version', kind: 'number', cell: (row) => row.template_version, width: 90 },
    { id: 'lines', header: 'Lines', kind: 'number', cell: (row) => row.line_count, width: 80 },
    { id: 'copies', header: 'Copies', kind: 'number', width: 90, cell: (row) => row.preview === null ? null
      : row.preview.filter((line) => !line.optional).reduce((total, line) => total + line.quantity, 0) },
    { id: 'attach', header: 'Attach', kind: 'actions', width: 110, cell: (row) => row.attached
      ? <Badge tone="ok" small>Attached</Badge>
      : onAttach && <Button size="small" onClick={() => onAttach(row)}>Attach</Button> },
  ];
}

function AttachForm(
  { license, template, onDone }: { license: LicenseRow; template: AvailableTemplate; onDone: () => void },
) {
  const [cast, setCast] = useState<number | null>(license.cast_size);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const attach = useAction(licenseMaterialEndpoints.attach, { done: spell`Attached: its materials stand on the license`,
    onDone, refresh: [licenseBomEndpoints.list, licenseEndpoints.show], onFailure: () => undefined });
  const optional = template.preview?.filter((line) => line.optional) ?? [];
  const problem = attach.failure && (Object.values(attach.failure.fields)[0]?.[0] ?? attach.failure.message);
  return (
    <div className={styles.stack}>
      {license.cast_size === null && (
        <NumberField label="Cast" required value={cast} onChange={setCast}
          caption={spell`Sets the number of librettos. Saved on the license.`} />
      )}
      {optional.map((line) => (
        <Checkbox key={line.material_id} label={`${line.name}, ${line.quantity}`}
          value={chosen.includes(line.material_id)}
          onChange={(value) => setChosen(value ? [...chosen, line.material_id]
            : chosen.filter((id) => id !== line.material_id))} />
      ))}
      {problem && <Callout tone="error" live title={problem} />}
      <FormActions>
        <Button variant="primary" pending={attach.pending} onClick={() => void attach.run({
          params: { licenseId: license.id, bomTemplateId: template.id },
          body: { optional_material_ids: [...chosen], ...(cast === null ? {} : { cast_size: cast }) } })}>
          Attach template
        </Button>
      </FormActions>
    </div>
  );
}

const differenceColumns: readonly Column<BomDifference>[] = [
  { id: 'name', header: 'Material', kind: 'title', cell: (row) => row.name, width: 260 },
  { id: 'item_number', header: 'Item number', kind: 'code', cell: (row) => row.item_number, width: 170 },
  { id: 'before', header: 'Now', kind: 'number', cell: (row) => row.before, width: 80 },
  { id: 'after', header: 'By the template', kind: 'number', cell: (row) => row.after, width: 130 },
  { id: 'hand', header: 'Note', kind: 'badge', width: 150,
    cell: (row) => row.changed_by_hand && <Badge tone="warn" small>Changed by hand</Badge> },
];

const differencesIn = (lines: readonly BomDifference[]): string =>
  lines.length === 1 ? '1 difference' : `${lines.length} differences`;

function replacedWords(lines: readonly BomDifference[]): string {
  const own = lines.filter((line) => line.changed_by_hand)
    .map((line) => `${line.name}: ${line.before} becomes ${line.after}.`);
  return `The count of the template replaces the one set by hand. ${own.join(' ')}`;
}

function sourceOf({ source_name: name, source_version: version, current_version: current }: LicenseBomRow): string {
  if (!name) return 'Put together by hand';
  const newer = current !== null && version !== null && current > version ? `; version ${current} is approved` : '';
  return `Copied from ${name}, version ${version}${newer}`;
}

/** One copy: the counts it was worked out from, what a re-sync would change. */
export function BomSection({ row }: { row: LicenseBomRow }) {
  const may = useMay();
  const params = { licenseId: row.license_id, id: row.id };
  const [removing, setRemoving] = useState(false);
  const [taking, setTaking] = useState<readonly BomDifference[] | null>(null);
  const read = useEndpoint(licenseBomEndpoints.differences, { params },
    { enabled: may('license_material.show') && row.source_bom_template_id !== null });
  const refresh = [licenseMaterialEndpoints.list, licenseEndpoints.show];
  const resync = useAction(licenseBomEndpoints.resync, { done: 'Updated from the template', refresh });
  const remove = useAction(licenseBomEndpoints.remove, { done: spell`BOM taken off the license`, refresh });
  const found = read.data?.data;
  const takes = may('license_material.update');
  const takeOver = (lines: readonly BomDifference[]) => void resync.run({ params,
    body: { version: row.version, material_ids: lines.map((line) => line.material_id) } });
  const ask = (lines: readonly BomDifference[]) => {
    if (lines.some((line) => line.changed_by_hand)) setTaking(lines);
    else takeOver(lines);
  };
  const facts = [['Cast', row.cast_size], ['Venues', row.venues], ['Weeks', row.weeks],
    ['Performances', row.performances]] as const;
  return (
    <Section title={row.name} count={row.line_count}
      description={sourceOf(row)}
      right={(
        <>
          {may('license_material.delete') && (
            <Button size="small" variant="quiet" pending={remove.pending} onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )}
          {takes && found && found.lines.length > 0 && (
            <Button size="small" pending={resync.pending} onClick={() => ask(found.lines)}>
              {`Apply ${differencesIn(found.lines)}`}
            </Button>
          )}
        </>
      )}>
      <KeyValue layout="grid" columns={4} facts={facts.filter(([, value]) => value !== null)
        .map(([label, value]) => ({ label, value: value!.toLocaleString('en-US') }))} />
      {found?.lines.length === 0 && <Callout tone="ok" title="Matches the template" />}
      {found && found.lines.length > 0 && (
        <DataTable label={`Differences of ${row.name}`} variant="record" columns={differenceColumns}
          rows={found.lines} rowKey={(line) => line.material_id} selectable={takes && found.lines.length > 1}
          bulk={(keys, clear) => (
            <Button size="small" onClick={() => {
              ask(found.lines.filter((line) => keys.includes(line.material_id)));
              clear();
            }}>
              Apply
            </Button>
          )} />
      )}
      {taking && (
        <ConfirmDialog open title="Replace what was changed by hand?" confirm={`Apply ${differencesIn(taking)}`}
          text={replacedWords(taking)} onCancel={() => setTaking(null)}
          onConfirm={() => { setTaking(null); takeOver(taking); }} />
      )}
      <ConfirmDialog open={removing} danger title={spell`Remove ${row.name} from the license?`} confirm="Remove"
        text={spell`Its materials go from the license too.`} onCancel={() => setRemoving(false)}
        onConfirm={() => { setRemoving(false); void remove.run({ params }); }} />
    </Section>
  );
}

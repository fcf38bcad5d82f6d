/** Bank rules of a division in the order in which they are tried. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { failureText } from '#web/controls/failure/failure.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { ActionMenu, type MenuAction } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { BANK_RULES, bankingTabs } from '../banking-tabs.ts';
import { bankRuleEndpoints, DRY_RUN_LINES, type BankRuleRow, type DryRun } from './bank-rule.contract.ts';
import { KIND_WORDS, ruleWords, targetWords } from './rule-words.web.tsx';

function columnsOf(actionsOf: (row: BankRuleRow) => readonly MenuAction[]): readonly Column<BankRuleRow>[] {
  return [
    { id: 'priority', header: 'Order', kind: 'number', cell: (row) => row.priority, sort: true, width: 80 },
    { id: 'name', header: 'Rule', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 200 },
    { id: 'when', header: 'Lines', kind: 'text', cell: ruleWords, width: 340 },
    { id: 'account', header: 'Bank account', kind: 'muted', cell: (row) => row.bank_account_name ?? 'All', width: 150 },
    { id: 'target', header: 'Entered', kind: 'text', cell: targetWords, width: 240 },
    { id: 'memo', header: 'Description', kind: 'muted', cell: (row) => row.memo, hidden: true, width: 180 },
    { id: 'state', header: 'Status', kind: 'badge', width: 110, cell: (row) => (row.is_archived
      ? <Badge tone="neutral" small>Archived</Badge> : <Badge tone="ok" small>In use</Badge>) },
    { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, hidden: true,
      width: 120 },
    { id: 'actions', header: 'Actions', kind: 'actions', width: 80, cell: (row) => {
      const actions = actionsOf(row);
      return actions.length > 0 && <ActionMenu actions={actions} label={`Actions of ${row.name}`} />;
    } },
  ];
}

const filters = [
  { name: 'kind', label: 'Entered as', options: optionsOf(KIND_WORDS) },
  { name: 'archived', label: 'Status', options: optionsOf({ true: 'Archived', false: 'In use' }) },
];

/** Moves a rule one place up or down among all of its division. */
function useOrder(division: BankRuleRow['division']) {
  const all = useEndpoint(bankRuleEndpoints.list, { query: { division, per_page: 100 } }).data?.data ?? [];
  const refresh = useRefresh([bankRuleEndpoints.list]);
  const place = (row: BankRuleRow) => all.findIndex(({ id }) => id === row.id);
  return {
    isFirst: (row: BankRuleRow) => place(row) <= 0, isLast: (row: BankRuleRow) => place(row) >= all.length - 1,
    async move(row: BankRuleRow, by: -1 | 1) {
      const ids = all.map(({ id }) => id);
      const at = place(row);
      [ids[at], ids[at + by]] = [ids[at + by]!, ids[at]!];
      try {
        await call(bankRuleEndpoints.order, { body: { division, ids } });
      } catch (error) {
        toast(failureText(error), { tone: 'error' });
      }
      await refresh();
    },
  };
}

export default function BankRuleList() {
  const [division] = useDivision();
  const may = useMay();
  const [isTrying, setTrying] = useState(false);
  const list = useList(bankRuleEndpoints.list, { query: { division } }, { perPage: 25, filters: ['kind', 'archived'] });
  const order = useOrder(division);
  const archive = useAction(bankRuleEndpoints.archive, { done: 'Rule archived' });
  const restore = useAction(bankRuleEndpoints.restore, { done: 'Rule in use again, as the last' });
  const mayWrite = may('bank_transaction.update');
  const actionsOf = (row: BankRuleRow): readonly MenuAction[] => {
    if (!mayWrite) return [];
    const args = { params: { id: row.id }, body: { version: row.version } };
    if (row.is_archived) return [{ label: 'Use again', onSelect: () => void restore.run(args) }];
    return [
      ...(order.isFirst(row) ? [] : [{ label: 'Move up', onSelect: () => void order.move(row, -1) }]),
      ...(order.isLast(row) ? [] : [{ label: 'Move down', onSelect: () => void order.move(row, 1) }]),
      { label: 'Archive', divided: true, onSelect: () => void archive.run(args) },
    ];
  };
  const add = mayWrite && (
    <ButtonLink href={`${BANK_RULES}/create?division=${division}`} variant="primary">New rule</ButtonLink>);
  return (
    <>
      <PageHeader title="Bank rules" division tabs={bankingTabs(may)}
        subtitle="The first rule that fits a bank line fills in the form when the line is matched">
        <Button onClick={() => setTrying(true)}>Dry run</Button>
        {add}
      </PageHeader>
      <DataTable label="Bank rules" {...list} columns={columnsOf(actionsOf)} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `${BANK_RULES}/${row.id}`} searchPlaceholder="Name or description"
        empty={{ title: 'No bank rules yet', text: 'Begin with the fee that your bank takes every month: a rule '
          + 'finds it by its text and enters it on the account of bank fees.', action: add || undefined }} />
      {isTrying && <DryRunDialog division={division} onClose={() => setTrying(false)} />}
    </>
  );
}

type Outcome = DryRun['rules'][number];
const outcomeColumns: readonly Column<Outcome>[] = [
  { id: 'name', header: 'Rule', kind: 'title', cell: (row) => row.name, width: 260 },
  { id: 'lines', header: 'Lines', kind: 'number', cell: (row) => row.line_count, width: 90 },
  { id: 'shadowed', header: 'Taken by an earlier rule', kind: 'number', cell: (row) => row.shadowed_count, width: 180 },
];

function DryRunDialog({ division, onClose }: { division: BankRuleRow['division']; onClose: () => void }) {
  const read = useEndpoint(bankRuleEndpoints.dryRun, { body: { division } });
  const run = read.data?.data;
  return (
    <Modal open onClose={onClose} title={`Dry run on the last ${run?.looked_at ?? DRY_RUN_LINES} lines`} width={620}>
      <DataTable label="Lines that each rule takes" variant="record" columns={outcomeColumns} rows={run?.rules}
        rowKey={(row) => row.rule_id} searchable={false} error={read.error} onRetry={() => void read.refetch()}
        empty={{ title: 'No rules', text: 'Add a rule first.' }} />
    </Modal>
  );
}

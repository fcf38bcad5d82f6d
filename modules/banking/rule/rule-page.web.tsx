/** One bank rule, and the page that adds one. */
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DIVISION_LABELS } from '#kit/field.ts';
import { useDivision } from '#web/layout/division.ts';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { BANK_RULES } from '../banking-tabs.ts';
import { bankRuleEndpoints, type BankRuleRow } from './bank-rule.contract.ts';
import { RuleForm } from './rule-form.web.tsx';

export function BankRuleCreate() {
  const { go } = useNavigation();
  const [division] = useDivision();
  return (
    <>
      <PageHeader title="New bank rule" back={`${BANK_RULES}?division=${division}`} division />
      <PageContent record>
        <RuleForm key={division} row={null} division={division} mayWrite onSaved={(row) => {
          toast(`${row.name} was added as the last rule`);
          go(`${BANK_RULES}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function BankRulePage() {
  const may = useMay();
  const id = useIdParam('bankRuleId');
  const read = useEndpoint(bankRuleEndpoints.show, { params: { id } });
  const row = read.data?.data.id === id ? read.data.data : undefined;
  const mayWrite = may('bank_transaction.update');
  if (read.isError && !row) {
    return <RecordProblem noun="bank rule" list={BANK_RULES} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Bank rule'} waiting={!row}
        back={row ? `${BANK_RULES}?division=${row.division}` : BANK_RULES}
        activity={row && { entity: 'bank_rule', id: row.id }}
        badges={row?.is_archived && <Badge tone="neutral">Archived</Badge>}
        subtitle={row && [DIVISION_LABELS[row.division], `Number ${row.priority} in the order`]}>
        {row && mayWrite && <StateButton row={row} />}
      </PageHeader>
      <PageContent record>
        {row?.is_archived && (
          <Callout tone="info" title="Archived">It is no longer tried. Use it again to change it.</Callout>
        )}
        {row ? <RuleForm key={row.id} row={row} division={row.division} mayWrite={mayWrite && !row.is_archived}
          onSaved={() => toast('Bank rule saved')} /> : [240, 420, 360].map((width) => (
          <p key={width}><Skeleton width={width} height={16} /></p>))}
      </PageContent>
    </>
  );
}

function StateButton({ row }: { row: BankRuleRow }) {
  const archive = useAction(bankRuleEndpoints.archive, { done: 'Rule archived' });
  const restore = useAction(bankRuleEndpoints.restore, { done: 'Rule in use again, as the last' });
  const args = { params: { id: row.id }, body: { version: row.version } };
  return row.is_archived
    ? <Button pending={restore.pending} onClick={() => void restore.run(args)}>Use again</Button>
    : <Button variant="quiet" pending={archive.pending} onClick={() => void archive.run(args)}>Archive</Button>;
}

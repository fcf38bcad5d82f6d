/** The dry run of a rule as it is typed: which of the last lines it takes. */
import { useState } from 'react';
import { ApiError, call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { failureText } from '#web/controls/failure/failure.ts';
import type { ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { lineText } from '../statement/statement-words.web.tsx';
import { bankRuleEndpoints, DRY_RUN_LINES, type BankRuleRow, type DryLine, type DryRun } from './bank-rule.contract.ts';
import { ruleBodyOf, type RuleValues } from './rule-values.web.ts';

const columns: readonly Column<DryLine>[] = [
  { id: 'booked_on', header: 'Booked', kind: 'date', cell: (line) => line.booked_on, width: 110 },
  { id: 'text', header: 'Text', kind: 'title', cell: lineText, width: 300 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (line) => BigInt(line.amount_minor), width: 120 },
  { id: 'account', header: 'Bank account', kind: 'muted', cell: (line) => line.bank_account_name, width: 150 },
  { id: 'outcome', header: 'Outcome', kind: 'badge', width: 180, cell: (line) => (line.taken_by === null
    ? <Badge tone="ok" small>{line.is_matched ? 'Takes it (matched)' : 'Takes it'}</Badge>
    : <Badge tone="neutral" small>{`Taken by ${line.taken_by}`}</Badge>) },
];

function summary({ line_count: count, shadowed_count: shadowed, looked_at: looked, lines }: DryRun): string {
  const taken = `It takes ${count === 1 ? '1 line' : `${count} lines`} of the last ${looked}`;
  const rest = shadowed === 0 ? '.' : `; an earlier rule takes ${shadowed} more that fit.`;
  return `${taken}${rest}${count + shadowed > lines.length ? ` The first ${lines.length} are shown.` : ''}`;
}

export function DryRunSection({ form, division, rowId }: {
  form: ResourceForm<RuleValues>; division: BankRuleRow['division']; rowId: number | null;
}) {
  const [run, setRun] = useState<DryRun | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const start = async () => {
    setBusy(true);
    setFailure('');
    try {
      const rule = { ...ruleBodyOf(form.values, division), name: form.values.name || 'This rule' };
      setRun((await call(bankRuleEndpoints.dryRun, { body: { division, rule, rule_id: rowId } })).data);
    } catch (error) {
      setRun(null);
      if (error instanceof ApiError && Object.keys(error.errors).length > 0) {
        form.setErrors(Object.fromEntries(Object.entries(error.errors).map(([path, texts]) =>
          [path.replace(/^rule\./, ''), [texts].flat()[0] ?? ''])));
      }
      setFailure(failureText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title="Dry run" description="Shows what the rule would do as it is typed. Nothing is stored or posted."
      right={<Button size="small" pending={busy} onClick={() => void start()}>
        {`Try on the last ${DRY_RUN_LINES} lines`}</Button>}>
      {failure && <Callout tone="error" live>{failure}</Callout>}
      {run && (
        <DataTable label="Lines of the dry run" variant="record" columns={columns} rows={run.lines}
          rowKey={(line) => line.id} searchable={false} caption={summary(run)}
          empty={{ title: 'No line fits', text: `None of the last ${run.looked_at} lines fits this rule.` }} />
      )}
    </Section>
  );
}

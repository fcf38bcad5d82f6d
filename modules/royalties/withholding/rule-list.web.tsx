/** Withholding rules of a division: which payees, which rate, from when until when. */
import { FORM_NAMES } from '#kernel/royalties/withholding.ts';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { today } from '#web/data/local-day.ts';
import { useDivision } from '#web/layout/division.ts';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { PaymentsHeader } from '../royalty-list.web.tsx';
import { rateWords } from '../royalty-words.web.ts';
import { RuleChangeForm, RuleForm } from './rule-form.web.tsx';
import { INCOME_WORDS, payeeCountry, PAYEE_WORDS, ruleState } from './rule-words.web.ts';
import { withholdingEndpoints, type WhtRule } from './withholding.contract.ts';

const columns: readonly Column<WhtRule>[] = [
  { id: 'income', header: 'Payments', kind: 'muted', cell: (row) => INCOME_WORDS[row.income_kind], width: 110 },
  { id: 'country', header: 'Payees in', kind: 'title', cell: (row) => payeeCountry(row.payee_country), fixed: true,
    width: 190 },
  { id: 'kind', header: 'Who', kind: 'muted', cell: (row) => (row.kind === null ? 'Everybody' : PAYEE_WORDS[row.kind]),
    width: 110 },
  { id: 'form', header: 'With form', kind: 'muted', cell: (row) => (row.form === null ? 'Any' : FORM_NAMES[row.form]),
    width: 150 },
  { id: 'rate_ppm', header: 'Rate', kind: 'number', cell: (row) => rateWords(row.rate_ppm), sort: true, width: 90 },
  { id: 'state', header: 'Status', kind: 'badge', width: 110, cell: (row) => {
    const { label, tone } = ruleState(row, today());
    return <Badge small tone={tone}>{label}</Badge>;
  } },
  { id: 'valid_from', header: 'From', kind: 'date', cell: (row) => row.valid_from, sort: true, width: 130 },
  { id: 'valid_to', header: 'Until', kind: 'date', cell: (row) => row.valid_to, width: 130 },
  { id: 'description', header: 'Why', kind: 'muted', cell: (row) => row.description, width: 380 },
];

export default function RuleList() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const list = useList(withholdingEndpoints.list, { query: { division } }, { filters: ['income_kind', 'kind'],
    perPage: 20 });
  const writes = may('transaction.update');
  const edited = list.rows?.find((row) => String(row.id) === values.get('rule'));
  const change: Column<WhtRule> = { id: 'change', header: 'Change', kind: 'actions', width: 100, cell: (row) => (
    <Button size="small" aria-label={`Change the rule for ${payeeCountry(row.payee_country)} from ${row.valid_from}`}
      onClick={() => set({ rule: String(row.id) })}>Change</Button>) };
  return (
    <>
      <PaymentsHeader
        subtitle="The most specific rule for a payee on the day of payment applies, one for their country first">
        {writes && <Button variant="primary" onClick={() => set({ new: '1' })}>New rule</Button>}
      </PaymentsHeader>
      <DataTable label="Withholding rules" {...list} columns={writes ? [...columns, change] : columns}
        rowKey={(row) => row.id} searchPlaceholder="Reason"
        filters={[{ name: 'income_kind', label: 'Payments', options: optionsOf(INCOME_WORDS) },
          { name: 'kind', label: 'Who', options: optionsOf(PAYEE_WORDS) }]}
        empty={{ title: 'No withholding rules', text: 'Without a rule for a payee nothing is paid to him.' }} />
      {writes && values.get('new') === '1' && <RuleForm division={division} onClose={() => set({ new: null })} />}
      {writes && edited && <RuleChangeForm key={edited.id} rule={edited} onClose={() => set({ rule: null })} />}
    </>
  );
}

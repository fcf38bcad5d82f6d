/** The price of a licence: every line with its tax, when it is due, and how it was calculated. A draft changes here. */
import { spell } from '#kernel/text/english.ts';
import { BadgePercent, Handshake, PackagePlus } from 'lucide-react';
import { useState } from 'react';
import { blockLabel } from '#kernel/pricing/price-rows.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Columns, PageContent, Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { LateLicenseDialog } from '../phase/late-license-dialog.web.tsx';
import { LicenseFrame } from '../license-frame.web.tsx';
import type { LicenseView } from '../license-view.web.ts';
import type { LicenseRow } from '../license.contract.ts';
import { DUE_WORDS, LINE_KIND_WORDS, wordsOf } from '../../words.web.ts';
import { DiscountApprovers, DiscountDecision } from './discount-decision.web.tsx';
import { PriceStrip, TraceDrawer } from './price-panel.web.tsx';
import { DepositBeside, PromiseFacts, sumLabel } from './price-rows.web.tsx';
import { pricingEndpoints, type StoredPrice } from './pricing.contract.ts';
import styles from '../../licensing.module.css';

export default function PriceTab() {
  return <LicenseFrame>{(view) => <Price view={view} />}</LicenseFrame>;
}

type Due = StoredPrice['payment_plan'][number];

/** A row of a block, or what a block of several rows comes to. */
interface Line { id: string; label: string; kind: string; quantity: number | null; unit: number | null;
  amount: number | null; net: number | null; tax: number | null; invoiced: number | null }

function linesOf(price: StoredPrice): Line[] {
  return price.rows.flatMap((block, place): Line[] => {
    const invoiced = block.lines.reduce((sum, at) => sum + (price.lines[at]?.invoiced_net_minor ?? 0), 0);
    const label = blockLabel(block, price.promise !== null);
    const whole = { net: block.net_minor, tax: block.tax_minor, invoiced, kind: block.kind };
    const rows = block.rows.map((row, index): Line => ({ id: `${place}.${index}`, label: row.label, kind: block.kind,
      quantity: row.quantity, unit: row.unit_minor, amount: row.amount_minor, net: null, tax: null, invoiced: null }));
    const [first] = rows;
    return rows.length === 1 && first ? [{ ...first, ...whole, label }]
      : [...rows, { id: `${place}`, label, quantity: null, unit: null, amount: null, ...whole }];
  });
}

function lineColumns(price: StoredPrice): readonly Column<Line>[] {
  const total = (part: (line: Line) => number | null) =>
    linesOf(price).reduce((sum, line) => sum + BigInt(part(line) ?? 0), 0n);
  const sumOf = (line: Line) => (line.net === null ? null : line.net + (line.tax ?? 0));
  return [
    { id: 'label', header: 'Charge', kind: 'title', width: 260, cell: (line) => line.label },
    { id: 'kind', header: 'Kind', kind: 'muted', width: 100, optional: true,
      cell: (line) => wordsOf(LINE_KIND_WORDS, line.kind) },
    { id: 'quantity', header: 'Number', kind: 'number', width: 70, cell: (line) => line.quantity ?? '' },
    { id: 'unit', header: 'Each', kind: 'money', width: 100, cell: (line) => line.unit },
    { id: 'amount', header: 'Amount', kind: 'money', width: 110, cell: (line) => line.amount },
    { id: 'net', header: 'Net', kind: 'money', width: 110, cell: (line) => line.net,
      total: total((line) => line.net) },
    { id: 'tax', header: 'Tax', kind: 'money', width: 90, cell: (line) => line.tax,
      total: total((line) => line.tax) },
    { id: 'total', header: 'With tax', kind: 'money', width: 110, cell: sumOf, total: total(sumOf) },
    ...(price.totals.invoiced_minor > 0 ? [{ id: 'invoiced', header: 'Invoiced net', kind: 'money' as const, width: 110,
      cell: (line: Line) => line.invoiced, total: total((line) => line.invoiced) }] : []),
  ];
}

const planColumns: readonly Column<Due>[] = [
  { id: 'label', header: spell`Installment`, kind: 'title', width: 220, cell: (row) => row.label },
  { id: 'due', header: 'Due', kind: 'muted', width: 220, cell: (row) => (row.due_on ? formatDay(row.due_on)
    : wordsOf(DUE_WORDS, row.due_event)) },
  { id: 'status', header: 'Status', kind: 'badge', width: 110, cell: (row) => (
    <Badge small tone={row.status === 'paid' ? 'ok' : row.status === 'planned' ? 'outline' : 'info'}>
      {wordsOf({}, row.status)}</Badge>
  ) },
  { id: 'amount', header: 'Amount', kind: 'money', width: 120, cell: (row) => row.amount_minor },
];

function Price({ view }: { view: LicenseView }) {
  const { license } = view;
  const may = useMay();
  const read = useEndpoint(pricingEndpoints.trace, { params: { licenseId: license.id } });
  const [trace, setTrace] = useState(() => window.innerWidth > 1100);
  const [dialog, setDialog] = useState<string | null>(null);
  const price = read.data?.data;
  const edits = license.phase === 'draft' && may('license.update');
  const button = (name: string, text: string, icon: typeof Handshake) => (
    <Button icon={<Glyph icon={icon} size={15} />} onClick={() => setDialog(name)}>{text}</Button>
  );
  return (
    <Columns side={<TraceDrawer license={license} price={price} open={trace} onClose={() => setTrace(false)} />}>
      <PageContent record fullWidth>
        {read.isError ? <NotLoaded title="The price did not load" read={read} />
          : <PriceStrip license={license} price={price} open={trace} onToggle={() => setTrace(!trace)} />}
        {!price && !read.isError && <Skeleton height={160} />}
        {price && (
          <>
            {price.negotiated_reason !== null && <Callout tone="info"
              title="The fee is negotiated">{price.negotiated_reason}</Callout>}
            <Discount license={license} price={price} />
            <Section title="Charges" count={price.rows.length}>
              {edits && (
                <div className={styles.row}>
                  {button('charges', 'Materials, add-ons, fees', PackagePlus)}
                  {button('discount', 'Discount', BadgePercent)}
                  {button('negotiate', 'Negotiated fee', Handshake)}
                </div>
              )}
              <DataTable label="Charges" variant="record" columns={lineColumns(price)} rows={linesOf(price)}
                rowKey={(line) => line.id} totalLabel={sumLabel(price)}
                empty={{ title: 'Nothing is charged yet',
                  text: 'Charges follow from venue, ticket prices and performances.' }} />
              <DepositBeside minor={price.totals.security_deposit_minor} currency={price.currency} />
            </Section>
            {price.promise && (
              <Section title="The royalty"><PromiseFacts promise={price.promise} /></Section>
            )}
            {price.payment_plan.length > 0 && (
              <Section title="When it is due">
                <DataTable label="When it is due" variant="record" columns={planColumns} rows={price.payment_plan}
                  rowKey={(row) => row.id} />
              </Section>
            )}
          </>
        )}
        {dialog && <LateLicenseDialog dialog={dialog} view={view} onClose={() => setDialog(null)} />}
      </PageContent>
    </Columns>
  );
}

function Discount({ license, price }: { license: LicenseRow; price: StoredPrice }) {
  const { discount } = price;
  if (!discount) return null;
  const size = discount.type === 'percent' ? `${(discount.ppm ?? 0) / 10_000}%`
    : formatAmount(discount.amount_minor ?? 0, price.currency);
  const waits = discount.needs_approval;
  return (
    <Callout tone={waits ? 'warn' : 'info'} title={`${size} discount${waits ? ': awaiting approval' : ''}`}
      action={waits && <DiscountDecision license={license} discount={discount} />}>
      {discount.reason}{discount.approved_by_name && `, approved by ${discount.approved_by_name}`}
      {discount.internal_reason && <p>{`Internal: ${discount.internal_reason}`}</p>}
      {waits && <p><DiscountApprovers discount={discount} /></p>}
    </Callout>
  );
}

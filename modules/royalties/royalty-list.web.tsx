/** Shared parts of the royalty lists: headers with tabs, the state of a row, common filters. */
import type { ReactNode } from 'react';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { PageHeader, type PageHeaderProps } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { payablesTabs } from '#modules/payables/payables-tabs.ts';
import { choicesOf, SALES, type Look } from './royalty-words.web.ts';
import { salesTabs } from './sales-tabs.ts';

type HeaderProps = Pick<PageHeaderProps, 'division' | 'badges' | 'subtitle'> & { children?: ReactNode };

/** Of the lists of sales and royalties; its children are the actions of the list. */
export function SalesHeader(props: HeaderProps) {
  const may = useMay();
  return <PageHeader title="Sales & royalties" tabs={salesTabs(may)} {...props} />;
}

/** Of what is paid to royaltors and withheld from them. */
export function PaymentsHeader(props: HeaderProps) {
  const may = useMay();
  return <PageHeader title="Royalty payments" division tabs={payablesTabs(may)} {...props} />;
}

/** Leads to a new run of the division; nothing for who may not calculate. */
export function CalculateLink({ division }: { division: string }) {
  const may = useMay();
  return may('show_royaltor.update') && (
    <ButtonLink variant="primary" href={`${SALES}/statement-runs/create?division=${division}`}>
      Calculate statements
    </ButtonLink>
  );
}

type Looks<Row extends { status: string }> = Readonly<Record<Row['status'], Look>>;

/** The state of a row as a badge. */
export function stateColumn<Row extends { status: string }>(looks: Looks<Row>): Column<Row> {
  return { id: 'status', header: 'Status', kind: 'badge', width: 130, cell: (row) => {
    const look = looks[row.status as Row['status']];
    return <Badge small tone={look.tone}>{look.label}</Badge>;
  } };
}

export function stateFilter(looks: Readonly<Record<string, Look>>) {
  return { name: 'status', label: 'Status', options: choicesOf(looks) };
}

export const CURRENCY_FILTER = {
  name: 'currency', label: 'Currency', options: optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' }),
};

/** Rows lead to their page for who may open it. */
export function opensAt<Row>(allowed: boolean, href: (row: Row) => string): { rowHref?: (row: Row) => string } {
  return allowed ? { rowHref: href } : {};
}

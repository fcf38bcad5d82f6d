/** Parts of every statement: its frame while it is read, and the rows that sum. */
import type { ReactNode } from 'react';
import { Skeleton } from '#web/data/empty-state.tsx';
import { Money } from '#web/data/money.tsx';
import { NotLoaded, type NotLoadedProps } from '#web/data/not-loaded.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import styles from './report.module.css';

export function Sum({ label, minor, result, href }: { label: string; minor: number; result?: boolean; href?: string }) {
  return (
    <tr className={result ? styles.result : styles.sum}>
      <th scope="row">{href ? <AppLink className={styles.lead} href={href}>{label}</AppLink> : label}</th>
      <td>
        <Money minor={minor} />
      </td>
    </tr>
  );
}

export function Frame({ read, children }: { read: NotLoadedProps['read'] & { isError: boolean; data: unknown };
  children: ReactNode }) {
  return (
    <PageContent>
      {read.isError && <NotLoaded title="The report could not be read" read={read} />}
      {!read.isError && !read.data && [420, 380, 400].map((width) => <p key={width}><Skeleton width={width} /></p>)}
      {children}
    </PageContent>
  );
}

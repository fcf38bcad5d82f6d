/** Environment of the server: read-only, since it is changed where the server is started. */
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { systemEndpoints, type EnvironmentRow } from './system.contract.ts';
import styles from './system.module.css';

export function Environment() {
  const read = useEndpoint(systemEndpoints.environment, {});
  const rows = read.data?.data;
  return (
    <Section title="Set where the server is started"
      description={'Variables of its environment, read once at the start. They are changed there, by who runs the '
        + 'server; docs/operating/settings.md says what each means. Passwords and keys are not shown.'}>
      {read.isError && !rows && <NotLoaded title="They did not load" read={read} />}
      {rows && <ul className={styles.rows}>{rows.map((row) => <Variable key={row.label} row={row} />)}</ul>}
    </Section>
  );
}

function Variable({ row }: { row: EnvironmentRow }) {
  return (
    <li className={styles.variable}>
      <strong>{row.label}</strong>
      <span>{row.value}{row.warning !== undefined && <em>{row.warning}</em>}</span>
      <code>{row.names.join(', ')}</code>
    </li>
  );
}

/** Tasks of one license that wait for a person: each says what to do and can be finished or dropped in place. */
import { ListTodo } from 'lucide-react';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { LicenseView } from '../licenses/license-view.web.ts';
import { dueWords } from '../words.web.ts';
import { taskEndpoints, type TaskRow } from './task.contract.ts';
import styles from '../licensing.module.css';

export function LicenseTasks({ view }: { view: LicenseView }) {
  const may = useMay();
  const read = useEndpoint(taskEndpoints.list, { query: { license_id: view.license.id, status: 'open', per_page: 50 } },
    { enabled: may('license.list') });
  const tasks = read.data?.data ?? [];
  if (tasks.length === 0) return null;
  return (
    <Section title="Waits for someone" count={tasks.length}>
      <ul className={styles.lines}>
        {tasks.map((task) => <Task key={task.id} task={task} view={view} acts={may('license.update')} />)}
      </ul>
    </Section>
  );
}

function Task({ task, view, acts }: { task: TaskRow; view: LicenseView; acts: boolean }) {
  const action = useAction(taskEndpoints.update, { refresh: [taskEndpoints.list] });
  const set = (status: 'done' | 'dropped') => void action.run({ params: { id: task.id },
    body: { version: task.version, status } });
  const due = dueWords(task.due_on, view.on);
  return (
    <li>
      <span className={styles.mark} data-tone={task.priority === 1 ? 'warn' : 'open'}>
        <Glyph icon={ListTodo} size={17} />
      </span>
      <div className={styles.grow}>
        <div className={styles.strong}>{task.title}</div>
        {task.assignee_name && <div className={styles.faint}>{task.assignee_name}</div>}
      </div>
      <div className={styles.lineSide}>
        {due && <Badge small tone={due.endsWith('late') ? 'error' : 'outline'}>{due}</Badge>}
        {task.entity === 'amendment' ? (
          <ButtonLink size="small" href={`${view.place.base}/amendments?amendment=${task.entity_id}`}>
            Answer</ButtonLink>
        ) : acts && (
          <>
            <Button size="small" pending={action.pending} onClick={() => set('done')}>Done</Button>
            <Button size="small" variant="quiet" onClick={() => set('dropped')}>Drop</Button>
          </>
        )}
      </div>
    </li>
  );
}

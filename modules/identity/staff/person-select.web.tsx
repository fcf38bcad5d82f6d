/** Someone of the staff who is active, and the box that puts them into a group or a team. */
import { useState } from 'react';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions } from '#web/controls/form/form-frame.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { staffEndpoints } from './staff.contract.ts';

export const activeStaff = optionsFrom(staffEndpoints.list, (row) => ({ value: row.id,
  label: `${row.first_name} ${row.last_name}`, children: row.job_title ?? row.email }), { query: { active: 'true' } });

export interface AddPersonProps {
  title: string;
  text: string;
  pending: boolean;
  error: string | undefined;
  /** Resolves to true when the person was added. */
  onAdd: (userId: number) => Promise<boolean>;
}

export function AddPerson({ title, text, pending, error, onAdd }: AddPersonProps) {
  const [person, setPerson] = useState<number | null>(null);
  const add = async (id: number): Promise<void> => { if (await onAdd(id)) setPerson(null); };
  return (
    <Section title={title} description={text}>
      <AsyncSelect<number> label="Person" value={person} onChange={setPerson} source={activeStaff} error={error} />
      <FormActions>
        <Button variant="primary" pending={pending} reason={person === null ? 'Choose a person first' : undefined}
          onClick={() => person !== null && void add(person)}>{title}</Button>
      </FormActions>
    </Section>
  );
}

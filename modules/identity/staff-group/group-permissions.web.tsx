/** Permissions of a group: every permission in plain words, by family, searchable, whole families at once. */
import { useState } from 'react';
import { foldName } from '#kernel/text/fold.ts';
import { isPermission, type Permission } from '#kit/permission.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { SearchInput } from '#web/controls/field/search-input.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { UnsavedGuard } from '#web/controls/form/unsaved-guard.tsx';
import { Callout } from '#web/data/callout.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useAction } from '#web/query/use-action.ts';
import { GroupFrame } from './group-pages.web.tsx';
import { permissionFamilies, SUPER_WORDS, type FamilyWords } from './permission-words.ts';
import { groupEndpoints, type GroupRow } from './staff-group.contract.ts';
import styles from '../staff/staff.module.css';

const FAMILIES = permissionFamilies();

/** Families with the values that the search leaves; a family found by its heading stays whole. */
function found(search: string): FamilyWords[] {
  const wanted = foldName(search);
  if (wanted === '') return FAMILIES;
  return FAMILIES.map((family) => foldName(family.heading).includes(wanted) ? family : { ...family,
    values: family.values.filter(({ value, words }) => foldName(`${value} ${words}`).includes(wanted)) })
    .filter((family) => family.values.length > 0);
}

export default function GroupPermissions() {
  return <GroupFrame>{(group) => <Editor key={group.version} group={group} />}</GroupFrame>;
}

function Editor({ group }: { group: GroupRow }) {
  const saved = new Set(group.permission_values.filter(isPermission));
  const [held, setHeld] = useState<ReadonlySet<Permission>>(saved);
  const [name, setName] = useState(group.name);
  const [search, setSearch] = useState('');
  const save = useAction(groupEndpoints.update, { done: 'Group saved' });
  const given = [...held].filter((value) => !saved.has(value)).length;
  const taken = [...saved].filter((value) => !held.has(value)).length;
  const dirty = given + taken > 0 || name.trim() !== group.name;
  const set = (values: readonly Permission[], on: boolean) => {
    const next = new Set(held);
    for (const value of values) if (on) next.add(value); else next.delete(value);
    setHeld(next);
  };
  const families = found(search);
  return (
    <PageContent record fullWidth>
      <Section title="Group">
        <TextField label="Name" required value={name} onChange={setName} error={save.failure?.fields.name?.[0]} />
        <Checkbox label="Everything" caption={SUPER_WORDS} value={held.has('super')}
          onChange={(on) => set(['super'], on)} />
      </Section>
      <Section title="Permissions" count={held.size} right={(
        <SearchInput label="Search permissions" value={search} onChange={setSearch} placeholder="Find a permission" />
      )}>
        {held.has('super') && <Callout tone="info" title="The group gives everything">
          What is ticked below counts again once Everything is taken away.</Callout>}
        {families.length === 0 && <EmptyState title="No permission matches" text="Try another word." />}
        <div className={styles.families}>
          {families.map((family) => <Family key={family.family} family={family} held={held} onSet={set} />)}
        </div>
      </Section>
      <div className={styles.bar}>
        <Button variant="primary" pending={save.pending} reason={dirty ? undefined : 'Nothing changed'}
          onClick={() => void save.run({ params: { id: group.id },
            body: { name, permission_values: [...held], version: group.version } })}>Save group</Button>
        <span role="status" className={styles.faint}>
          {given + taken > 0 ? `${given} given, ${taken} taken away` : 'Applies from the next click of everyone in it'}
        </span>
      </div>
      <UnsavedGuard dirty={dirty && !save.pending} />
    </PageContent>
  );
}

interface FamilyProps {
  family: FamilyWords;
  held: ReadonlySet<Permission>;
  onSet: (values: readonly Permission[], on: boolean) => void;
}

function Family({ family, held, onSet }: FamilyProps) {
  const values = family.values.map(({ value }) => value);
  const count = values.filter((value) => held.has(value)).length;
  return (
    <fieldset className={styles.family}>
      <legend className="gr-hidden">{family.heading}</legend>
      <div className={styles.familyHead}>
        <Checkbox label={`${family.heading}, ${count} of ${values.length}`} value={count === values.length}
          indeterminate={count > 0 && count < values.length} onChange={(on) => onSet(values, on)} />
      </div>
      <ul className={styles.values}>
        {family.values.map(({ value, words }) => (
          <li key={value}>
            <Checkbox label={words} caption={value} value={held.has(value)} onChange={(on) => onSet([value], on)} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

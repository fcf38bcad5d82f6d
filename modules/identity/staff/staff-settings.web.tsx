/** Settings of a member of staff: job title, first page, role, what they may do, whether they may sign in. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { isPermission } from '#kit/permission.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { meEndpoint, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { permissionWords } from '../staff-group/permission-words.ts';
import { START_PAGES, staffEndpoints, type StaffRecord, type StaffRole } from './staff.contract.ts';
import { StaffFrame } from './staff-frame.web.tsx';
import { useGrantableRoles } from './staff-list.web.tsx';
import { ROLE_LABELS } from './staff-words.web.ts';
import styles from './staff.module.css';

export function StaffSettings() {
  return (
    <StaffFrame actions={(person, own) => <StateButton person={person} own={own} />}>
      {(person, own) => (
        <PageContent record>
          <Work key={`work-${person.id}`} person={person} own={own} />
          <Role key={`role-${person.version}`} person={person} own={own} />
          <Rights person={person} />
        </PageContent>
      )}
    </StaffFrame>
  );
}

function StateButton({ person, own }: { person: StaffRecord; own: boolean }) {
  const may = useMay()('user.update');
  const [asking, setAsking] = useState(false);
  const deactivate = useAction(staffEndpoints.deactivate, { done: 'Account deactivated' });
  const activate = useAction(staffEndpoints.activate, { done: 'Account activated' });
  if (!may) return null;
  const reason = person.above ?? undefined;
  if (!person.active) {
    return (
      <Button pending={activate.pending} reason={reason} onClick={() => void activate.run(
        { params: { id: person.id }, body: { version: person.version } })}>Activate account</Button>
    );
  }
  return (
    <>
      <Button variant="danger" pending={deactivate.pending} onClick={() => setAsking(true)}
        reason={own ? 'Nobody deactivates their own account' : reason}>Deactivate account</Button>
      <ConfirmDialog open={asking} danger title={`Deactivate ${person.first_name}'s account?`} confirm="Deactivate"
        text="They are signed out everywhere at once and can no longer sign in. Invitations that they sent are revoked.
          What they did keeps their name."
        onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void deactivate.run({ params: { id: person.id } }); }} />
    </>
  );
}

function Work({ person, own }: { person: StaffRecord; own: boolean }) {
  const may = useMay();
  const refresh = useRefresh([staffEndpoints.list, meEndpoint]);
  const open = own || (may('user.update') && person.above === null);
  const form = useResourceForm({
    initial: { job_title: person.job_title ?? '', start_page: person.start_page ?? '/admin' },
    record: { entity: 'user', id: person.id, version: person.version, read: staffEndpoints.show },
    submit: (values) => call(staffEndpoints.settings, { params: { id: person.id },
      body: { ...values, version: person.version } }),
    onSaved: () => { toast('Settings saved'); void refresh(); },
  });
  const held = new Set(person.permissions);
  const pages = START_PAGES.filter((page) => page.needs === null || person.role !== 'staff_user' || held.has('super')
    || held.has(page.needs));
  return (
    <Section title="Work">
      <FormFrame form={form} aria-label="Work">
        <FormGrid>
          <TextField label="Job title" disabled={!open} {...form.field('job_title')} />
          <AsyncSelect label="First page" disabled={!open} caption="The page they see after signing in."
            options={pages.map((page) => ({ value: page.path, label: page.label }))} {...form.field('start_page')}
            onChange={(value) => form.set('start_page', value ?? '/admin')} />
        </FormGrid>
        {open && (
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}>Save settings</Button>
          </FormActions>
        )}
      </FormFrame>
    </Section>
  );
}

function Role({ person, own }: { person: StaffRecord; own: boolean }) {
  const may = useMay()('user.manage_role');
  const roles = useGrantableRoles();
  const [role, setRole] = useState<StaffRole>(person.role);
  const change = useAction(staffEndpoints.role, { done: 'Role changed' });
  const reason = own ? 'Nobody changes their own role' : person.above
    ?? (!person.active ? 'Activate the account first' : role === person.role ? 'Nothing changed' : null);
  return (
    <Section title="Role"
      description="A new role applies from the next click. Changing it asks you to confirm who you are.">
      <AsyncSelect label="Role" value={role} options={roles} selectedLabel={ROLE_LABELS[role]}
        disabled={!may || own || person.above !== null} error={change.failure?.fields.role?.[0]}
        onChange={(value) => value && setRole(value)} />
      {may && (
        <FormActions>
          <Button pending={change.pending} reason={reason ?? undefined} onClick={() => void change.run(
            { params: { id: person.id }, body: { role, version: person.version } })}>Change role</Button>
        </FormActions>
      )}
    </Section>
  );
}

function Rights({ person }: { person: StaffRecord }) {
  const may = useMay()('super');
  const values = person.permissions.filter(isPermission);
  return (
    <Section title="Permissions" count={person.role === 'staff_user' ? values.length : undefined}>
      <p className={styles.badges}>
        {person.groups.map((group) => (may
          ? <AppLink key={group.id} href={`/admin/staff/groups/${group.id}/permissions`} className="gr-link">
            {group.name}</AppLink>
          : <Badge key={group.id}>{group.name}</Badge>))}
      </p>
      {person.role !== 'staff_user' && <p>{ROLE_LABELS[person.role]}s may do everything in the office.</p>}
      {person.role === 'staff_user' && values.length === 0 && (
        <p>Nothing yet: they are in no group that gives rights.</p>
      )}
      {person.role === 'staff_user' && (
        <ul className={styles.lines}>{values.map((value) => <li key={value}>{permissionWords(value)}</li>)}</ul>
      )}
    </Section>
  );
}

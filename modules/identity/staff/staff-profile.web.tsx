/** Profile of a member of staff: picture, name, address, telephone, each with its own right (SPEC.md 6). */
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { LanguageField, languageOf, type LanguageChoice } from '#web/controls/field/language-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Avatar } from '#web/data/avatar.tsx';
import { Callout } from '#web/data/callout.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { meEndpoint, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { AVATAR_UPLOAD, userEndpoints } from '../user/user.contract.ts';
import { staffEndpoints, type StaffRecord } from './staff.contract.ts';
import { fullName } from './staff-columns.web.tsx';
import { StaffFrame } from './staff-frame.web.tsx';
import styles from './staff.module.css';

export function StaffProfile() {
  return (
    <StaffFrame>
      {(person, own) => (
        <PageContent record>
          {person.above && <Callout tone="info" title="You can only look at this profile">{person.above}</Callout>}
          <Picture person={person} own={own} />
          <Facts key={person.id} person={person} own={own} />
        </PageContent>
      )}
    </StaffFrame>
  );
}

function Picture({ person, own }: { person: StaffRecord; own: boolean }) {
  const may = useMay()('user.manage_avatar');
  const refresh = useRefresh([staffEndpoints.list, meEndpoint]);
  const remove = useAction(own ? userEndpoints.removeAvatar : staffEndpoints.removeAvatar,
    { done: 'Picture removed', refresh: [staffEndpoints.list, meEndpoint] });
  const allowed = own || (may && person.above === null);
  const send = async (file: File) => {
    const form = new FormData();
    form.append('avatar', file);
    const replaces = person.avatar_file_name !== null;
    const endpoint = own ? userEndpoints : staffEndpoints;
    const args = { params: { id: person.id } };
    if (replaces) await call(endpoint.replaceAvatar as typeof userEndpoints.replaceAvatar, args, { form });
    else await call(endpoint.addAvatar as typeof userEndpoints.addAvatar, args, { form });
    toast('Picture saved');
    await refresh();
  };
  return (
    <Section title="Picture">
      <div className={styles.picture}>
        <Avatar name={fullName(person)} url={person.avatar_url} size="xl" />
        {allowed && (
          <div className={styles.pictureFile}>
            <FileDrop label={person.avatar_file_name ? 'Replace the picture' : 'Add a picture'}
              types={AVATAR_UPLOAD.types.map((type) => `.${type}`)} maxBytes={AVATAR_UPLOAD.max_bytes}
              onUpload={send} />
          </div>
        )}
        {allowed && person.avatar_file_name && (
          <Button variant="quiet" pending={remove.pending}
            onClick={() => void remove.run({ params: { id: person.id } })}>Remove picture</Button>
        )}
      </div>
    </Section>
  );
}

function Facts({ person, own }: { person: StaffRecord; own: boolean }) {
  const may = useMay();
  const refresh = useRefresh([staffEndpoints.list, meEndpoint]);
  const open = own || (may('user.update') && person.above === null);
  const names = own || (open && may('user.manage_name'));
  const addresses = own || (open && may('user.manage_email'));
  const form = useResourceForm({
    initial: { first_name: person.first_name, last_name: person.last_name, email: person.email,
      phone: person.phone ?? '', language: (person.language ?? 'default') as LanguageChoice },
    record: { entity: 'user', id: person.id, version: person.version, read: staffEndpoints.show },
    submit: (values) => call(userEndpoints.update, { params: { id: person.id },
      body: { ...values, language: languageOf(values.language), version: person.version } }),
    onSaved: ({ data }) => {
      toast(data.pending_email ? `A link went to ${data.pending_email}` : 'Profile saved');
      void refresh();
    },
  });
  const why = (right: boolean, text: string) => right || !open ? undefined : text;
  return (
    <Section title="Person">
      {person.pending_email && (
        <Callout tone="info" title={`Waiting for ${person.pending_email}`}>
          The new address counts when the link sent there has been opened. Save the old address to keep it.
        </Callout>
      )}
      <FormFrame form={form} aria-label="Person">
        <FormGrid>
          <TextField label="First name" required disabled={!names} {...form.field('first_name')}
            caption={why(names, 'You do not have the right to change names.')} />
          <TextField label="Last name" required disabled={!names} {...form.field('last_name')} />
          <TextField label="Email" type="email" required disabled={!addresses} {...form.field('email')}
            caption={why(addresses, 'You do not have the right to change email addresses.')
              ?? (addresses ? 'The new email takes effect after you confirm it.' : undefined)} />
          <TextField label="Phone" type="tel" disabled={!open} {...form.field('phone')} />
          <LanguageField byDefault="Default (American English)" disabled={!open} {...form.field('language')} />
        </FormGrid>
        {open && (
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}>Save profile</Button>
          </FormActions>
        )}
      </FormFrame>
    </Section>
  );
}

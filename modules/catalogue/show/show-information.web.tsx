/** Information of a show: what it is, where it is licensed, under which names returns know it. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { NamesEditor } from '#web/controls/field/names-editor.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast, undoable } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ORCHESTRATION_LABELS, PRESENTATION_LABELS } from '../catalogue-labels.web.ts';
import styles from '../catalogue.module.css';
import { ShowImages } from '../show-image/show-images.web.tsx';
import { ShowSamples } from '../show-sample/show-samples.web.tsx';
import { showFields, type ShowRow } from './show.contract.ts';
import type { ShowFamily } from './show-family.web.ts';
import { ShowFrame } from './show-frame.web.tsx';

export default function ShowInformation() {
  return (
    <ShowFrame actions={(show, family) => <TrashButton show={show} family={family} />}>
      {(show, family) => (
        <PageContent record>
          <ShowForm key={`form-${show.id}`} show={show} family={family} />
          <ShowImages show={show} />
          <ShowSamples show={show} />
          <Aliases key={`aliases-${show.id}`} show={show} family={family} />
        </PageContent>
      )}
    </ShowFrame>
  );
}

function TrashButton({ show, family }: { show: ShowRow; family: ShowFamily }) {
  const may = useMay();
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const remove = useAction(family.calls.remove, { onDone: () => {
    go(family.path);
    undoable(`${show.title} moved to the trash`, () => call(family.calls.restore, { params: { id: show.id } }));
  } });
  if (!may(family.type === 'play' ? 'play.delete' : 'musical.delete') && !may('show.delete')) return null;
  return (
    <>
      <Button variant="quiet" pending={remove.pending} onClick={() => setAsking(true)}
        reason={show.code_used ? spell`Licenses or applications name it: make it inactive instead` : undefined}>
        Move to trash
      </Button>
      <ConfirmDialog open={asking} danger title={`Move ${show.title} to the trash?`} confirm="Move to trash"
        text="Nobody can apply for it any more. It can be restored with its rate cards and agreements."
        onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: show.id } }); }} />
    </>
  );
}

function useMayUpdate(family: ShowFamily): boolean {
  const may = useMay();
  return may(family.type === 'play' ? 'play.update' : 'musical.update') || may('show.update');
}

function ShowForm({ show, family }: { show: ShowRow; family: ShowFamily }) {
  const may = useMayUpdate(family);
  const refresh = useRefresh([family.calls.list]);
  const form = useResourceForm<Record<string, unknown>, { data: ShowRow }>({
    initial: formValues(showFields, show),
    record: { entity: 'show', id: show.id, version: show.version, read: family.calls.show },
    submit: (values) => call(family.calls.update, { params: { id: show.id },
      body: { ...bodyValues(showFields, values), version: show.version } }),
    onSaved: ({ data }) => { toast(`${data.title} saved`); void refresh(); },
    draftKey: `show/${show.id}`,
  });
  const field = fieldsOf(form, showFields, {
    choices: { orchestrations: ORCHESTRATION_LABELS, royalty_presentation: PRESENTATION_LABELS },
    ungrouped: ['year'],
    help: {
      proximity_radius_km: { article: 'restrictions', text: 'Other productions inside this radius and within the '
        + 'months below ask for a clearance before an offer is sent.' },
      royalty_presentation: { article: 'agreements', text: 'Presentation of a line’s shares on statements; an '
        + 'agreement may say otherwise.' },
    },
    disabled: may ? (show.code_used ? ['show_code'] : []) : Object.keys(showFields),
  });
  return (
    <FormFrame form={form} labels={labelsOf(showFields)}>
      <Section title="The work">
        <FormGrid>
          {field('title')}{field('show_code')}{field('sort_title')}{field('authors_credit')}
          {field('year')}{field('running_time_minutes')}{field('cast_min')}{field('cast_max')}
          {field('age_rating')}{field('orchestrations')}
        </FormGrid>
        <div className={styles.after}>{field('synopsis')}</div>
      </Section>
      <Section title="Public page" description="Shown to visitors without an account, with the facts above.">
        <FormGrid>
          {field('cast_women')}{field('cast_men')}{field('cast_any')}{field('territory')}
        </FormGrid>
        <div className={styles.after}>
          {field('content_notes')}{field('songs')}{field('versions')}{field('excerpt')}
        </div>
      </Section>
      <Section title="Licensing"
        description="Territory and first date for applications, and the minimum distance between two productions.">
        <FormGrid>
          {field('divisions')}{field('available_from')}{field('proximity_radius_km')}{field('proximity_months')}
          {field('royalty_presentation')}
        </FormGrid>
        <div className={styles.after}>{field('billing_template')}{field('active')}{field.others()}</div>
      </Section>
      {may && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>{`Save ${family.one}`}</Button>
        </FormActions>
      )}
    </FormFrame>
  );
}

function Aliases({ show, family }: { show: ShowRow; family: ShowFamily }) {
  const may = useMayUpdate(family);
  const save = useAction(family.calls.aliases, { done: 'Names saved' });
  return (
    <NamesEditor title="Names in returns" names={show.aliases} mayWrite={may} pending={save.pending}
      description="Imports find a show by its title or one of these. Each name belongs to one show."
      error={save.failure?.fields.aliases?.[0]} onSave={async (aliases) =>
        await save.run({ params: { id: show.id }, body: { aliases, version: show.version } }) !== null} />
  );
}

/** A perusal on behalf of a customer: for whom, of which show, how, which materials. */
import { useState, type FormEvent } from 'react';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { customerSource, showSource } from '../stock-sources.web.ts';
import styles from './perusal.module.css';
import { chosenOf, PerusalChoice, startOf, type Choice } from './perusal-choice.web.tsx';
import { perusalEndpoints } from './perusal.contract.ts';
import { PERUSALS } from './perusal-words.web.tsx';

export function NewPerusalDialog({ onClose }: { onClose: () => void }) {
  const { go } = useNavigation();
  const [customer, setCustomer] = useState<number | null>(null);
  const [show, setShow] = useState<number | null>(null);
  const [choice, setChoice] = useState<Choice | null>(null);
  const [message, setMessage] = useState('');
  const ready = customer !== null && show !== null;
  const read = useEndpoint(perusalEndpoints.options,
    { query: { customer_id: customer ?? 1, show_id: show ?? 1 } }, { enabled: ready });
  const options = ready && !read.isPlaceholderData && !read.isError ? read.data?.data : undefined;
  const picked = options && (choice ?? startOf(options));
  const create = useAction(perusalEndpoints.create, { onFailure: () => {},
    onDone: ({ data }) => { toast(`${data.number} is asked for`); go(`${PERUSALS}/${data.id}`); } });
  const error = (name: string) => create.failure?.fields[name]?.[0];
  const materials = options && picked ? chosenOf(options, picked) : [];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!ready || !picked) return;
    void create.run({ body: { customer_id: customer, show_id: show, format: picked.format, material_ids: materials,
      message } });
  };
  return (
    <Modal open onClose={onClose} width={560} title="New perusal">
      <form onSubmit={submit} noValidate className={styles.dialog} aria-label="New perusal">
        <FormGrid>
          <AsyncSelect<number> label="Customer" required source={customerSource} value={customer}
            onChange={(id) => { setCustomer(id); setChoice(null); }} error={error('customer_id')} />
          <AsyncSelect<number> label="Show" required source={showSource} value={show}
            onChange={(id) => { setShow(id); setChoice(null); }} error={error('show_id')} />
        </FormGrid>
        {ready && read.isError && (
          <Callout tone="warn" live title="This show is not offered to this customer">
            It is inactive, or belongs to another division.
          </Callout>
        )}
        {options && picked && <PerusalChoice options={options} choice={picked} onChange={setChoice} />}
        <TextField label="Note" rows={3} value={message} onChange={setMessage} maxLength={1000}
          error={error('message')} />
        {create.failure && create.failure.kind !== 'fields' && (
          <Callout tone="error" live title="This was not asked for">{create.failure.message}</Callout>
        )}
        <FormActions>
          <Button type="submit" variant="primary" pending={create.pending}
            reason={!ready ? 'Choose customer and show'
              : materials.length === 0 ? 'Nothing of this show can be read before applying' : undefined}>
            Ask for it
          </Button>
        </FormActions>
      </form>
    </Modal>
  );
}

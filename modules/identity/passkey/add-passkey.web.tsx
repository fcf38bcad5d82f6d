/** Adding a passkey: a name to know it by, then the device asks for finger, face or PIN. */
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { makePasskey, passkeysPossible } from './passkey-browser.web.ts';

/** A first name for it: what the browser says it runs on. */
function deviceWord(): string {
  const known = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'Linux'];
  const found = known.find((one) => navigator.userAgent.includes(one));
  return found ? `My ${found}` : 'My device';
}

export function AddPasskey({ onDone }: { onDone: (codes: string[] | null) => void }) {
  const form = useResourceForm({
    initial: { name: deviceWord() },
    submit: ({ name }) => makePasskey(name),
    onSaved: (codes) => onDone(codes),
  });
  if (!passkeysPossible()) {
    return <Callout tone="warn" title="This browser knows no passkeys">Use an authenticator app instead.</Callout>;
  }
  return (
    <FormFrame form={form} guard={false} aria-label="Add a passkey">
      <TextField label="Name" required maxLength={60} caption="Shown in your passkey list, for example “Work laptop”."
        {...form.field('name')} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Add this device</Button>
      </FormActions>
    </FormFrame>
  );
}

/** Recipients of a mail: typed addresses, and email groups that are chosen by name. */
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { EmailChips, type EmailChipsProps } from '#web/controls/field/email-chips.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { emailGroupEndpoints } from './email-group.contract.ts';

const groups = optionsFrom(emailGroupEndpoints.list, (row) => ({ value: row.emailRoute, label: row.name,
  children: `${row.emailRoute}, ${row.members === 1 ? '1 member' : `${row.members} members`}` }));

/** A group that is chosen adds its address, which stands among the others and can be removed like them. */
export function Recipients(props: EmailChipsProps) {
  const { value, onChange } = props;
  const add = (address: string | null): void => {
    if (address !== null && !value.includes(address)) onChange([...value, address]);
  };
  return (
    <>
      <EmailChips {...props} />
      <AsyncSelect<string> label="Add an email group" value={null} onChange={add} source={groups}
        disabled={props.disabled} placeholder="Choose a group" />
    </>
  );
}

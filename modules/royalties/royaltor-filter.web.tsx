/** Filter of a list that was opened from one royaltor: shows the name, and clears with one click. */
import { royaltorEndpoints } from '#modules/catalogue/royaltor/royaltor.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';

export function RoyaltorFilter() {
  const may = useMay();
  const { values, set } = useQueryValues();
  const id = Number(values.get('royaltor_id')) || 0;
  const read = useEndpoint(royaltorEndpoints.show, { params: { id } }, { enabled: id > 0 && may('royaltor.show') });
  if (id === 0) return null;
  return (
    <Button size="small" variant="quiet" onClick={() => set({ royaltor_id: null, page: null })}>
      Only {read.data?.data.name ?? 'one royaltor'}: show all
    </Button>
  );
}

/** The carrier of a parcel: those of the warehouse are offered, another one is typed. */
import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { Parcel } from './event-dialog.web.tsx';

function Held() {
  const [parcel, setParcel] = useState({ carrier: '', tracking: '', due: null as string | null, rush: false });
  return <Parcel parcel={parcel} onChange={setParcel} comesBack={false} carriers={['UPS', 'FedEx']} errors={{}} />;
}

test('the carriers of the warehouse are offered, and a courier that it does not keep is typed', async () => {
  await staged(<Held />);
  const carrier = page.getByRole('combobox', { name: /^Carrier/ });
  await carrier.click();
  await page.getByRole('option', { name: 'FedEx' }).click();
  await expect.element(carrier).toHaveValue('FedEx');
  await userEvent.fill(carrier, 'City Sprint');
  await expect.element(carrier).toHaveValue('City Sprint');
});

/** States by their names: 'US-NY' or 'NY' is New York. */
import { territoriesOf } from '#modules/reference/places/place.contract.ts';

export function stateName(code: string): string {
  const letters = code.replace(/^US-/, '');
  return territoriesOf('US').find((one) => one.code === letters)?.name ?? letters;
}

/** Shows compared side by side, as listed in the address: `?compare=12,15`; pure. */

/** More do not fit beside each other on a screen. */
export const COMPARED = 3;

/** Ids of the address, each once, nothing else. */
export function comparedOf(text: string | null): number[] {
  const ids = (text ?? '').split(',').map(Number).filter((id) => Number.isInteger(id) && id > 0);
  return [...new Set(ids)].slice(0, COMPARED);
}

/** The address after a show was chosen or put back; null where none is left. */
export function toggled(chosen: readonly number[], id: number): string | null {
  const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(0, COMPARED);
  return next.length > 0 ? next.join(',') : null;
}

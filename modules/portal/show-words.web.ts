/** Facts of a show in words; pure. */
export interface ShowFacts {
  type: 'play' | 'musical'; year: number | null; running_time_minutes: number | null; cast_min: number | null;
  cast_max: number | null; age_rating: string;
}

export function castWords(min: number | null, max: number | null): string {
  if (min === null && max === null) return '';
  if (min === null || max === null || min === max) return `cast of ${max ?? min}`;
  return `cast of ${min} to ${max}`;
}

/** 125 is '2 h 5 min'. */
export function duration(minutes: number | null): string {
  if (!minutes) return '';
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter(Boolean).join(' ');
}

export function showFacts(show: ShowFacts): string[] {
  return [show.type === 'play' ? 'play' : 'musical', show.year ? String(show.year) : '',
    castWords(show.cast_min, show.cast_max), duration(show.running_time_minutes), show.age_rating].filter(Boolean);
}

/** Beside each other: what can be performed, what is read before, what is bought. */
export function showsTabs(base: string): { id: string; text: string; href: string }[] {
  return [{ id: 'shows', text: 'All shows', href: `${base}/shows` },
    { id: 'perusals', text: 'Perusals', href: `${base}/perusals` },
    { id: 'shop', text: 'Shop', href: `${base}/shop` }, { id: 'orders', text: 'Orders', href: `${base}/orders` }];
}

/** Lists of many rows for measurements and tests of imports: names that are unlike, in one town, in none. */
const WORDS = ['Amber', 'Birch', 'Cedar', 'Dover', 'Ember', 'Forge', 'Garnet', 'Harbor', 'Ivory', 'Juniper', 'Kestrel',
  'Laurel', 'Marble', 'Nimbus', 'Orchid', 'Paragon', 'Quartz', 'Raven', 'Saffron', 'Timber', 'Umbra', 'Velvet',
  'Willow', 'Xenia', 'Yarrow', 'Zephyr'];
const HOUSES = ['Playhouse', 'Theatre', 'Hall', 'Stage', 'Company', 'Players', 'Opera House', 'Studio'];

/** "Cedar Raven Playhouse": each once up to 26 * 26 * 26 * 8 of them. */
function nameOf(n: number): string {
  const pick = (list: readonly string[], by: number): string => list[Math.floor(n / by) % list.length]!;
  return `${pick(WORDS, 1)} ${pick(WORDS, 26)}${pick(WORDS, 676).toLowerCase()} ${pick(HOUSES, 7)}`;
}

const many = (rows: number, row: (n: number) => string): string[] => Array.from({ length: rows }, (_, n) => row(n));

export const LISTS: Readonly<Record<string, { model: string; file(rows: number): string }>> = {
  'venues in one town': { model: 'venues', file: (rows) => ['Name,Street,City,State,Country',
    ...many(rows, (n) => `${nameOf(n * 17)},${n} Main Street,Boston,MA,US`)].join('\n') },
  'venues without a town': { model: 'venues', file: (rows) => ['Name,Country',
    ...many(rows, (n) => `${nameOf(n * 17)},GB`)].join('\n') },
  'venues of nearly one name': { model: 'venues', file: (rows) => ['Name,City,Country',
    ...many(rows, (n) => `Royal Theatre ${n},London,GB`)].join('\n') },
  'royaltors of one surname': { model: 'royaltors', file: (rows) => ['Name,Currency',
    ...many(rows, (n) => `${nameOf(n).split(' ')[0]}${n} ${WORDS[n % 26]} Smith,USD`)].join('\n') },
  'royaltors': { model: 'royaltors', file: (rows) => ['Name,Currency',
    ...many(rows, (n) => `${nameOf(n)} ${nameOf(n * 31).replaceAll(' ', '')},USD`)].join('\n') },
  'shows': { model: 'shows', file: (rows) => ['Title,Type,Authors',
    ...many(rows, (n) => `The Night of the ${nameOf(n)},play,${nameOf(n * 3)} Author${n % 40}`)].join('\n') },
  'materials': { model: 'materials', file: (rows) => ['Item number,Name,Category',
    ...many(rows, (n) => `BEN-${n},${nameOf(n)},scripts`)].join('\n') },
};

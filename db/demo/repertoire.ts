/**
 * Works of the demo season: titles in the public domain, adapted by invented people, and invented titles. Terms are
 * plausible and of nobody in particular.
 */
export interface DemoAgreement {
  royaltor: string;
  role: 'author' | 'composer' | 'lyricist' | 'bookwriter' | 'underlying' | 'estate';
  /** Rate of the pot the parties with the same rate share by points. */
  rate_ppm: number;
  points: number;
  accrual_basis?: 'on_receipt' | 'on_invoice' | 'on_close';
}

export interface DemoShow {
  code: string;
  title: string;
  type: 'play' | 'musical';
  credit: string;
  year: number;
  synopsis: string;
  cast: [number, number];
  /** Percent of potential for amateurs in ppm, smallest fee per performance in minor units of the currency. */
  amateur_ppm: number;
  minimum_minor: number;
  rental_minor: number | null;
  pro: boolean;
  aliases: string[];
  agreements: DemoAgreement[];
}

export interface DemoRoyaltor {
  name: string;
  kind: 'person' | 'company' | 'estate' | 'agent';
  country: 'US' | 'GB' | 'IE' | 'DE' | 'FR';
  currency: 'USD' | 'GBP' | 'EUR';
  /** The agency that has 10% of what the royaltor is due, paid beside them. */
  agent?: string;
}

export const DEMO_ROYALTORS: readonly DemoRoyaltor[] = [
  { name: 'Adela Fenwick', kind: 'person', country: 'US', currency: 'USD' },
  { name: 'Bartholomew Ines', kind: 'person', country: 'US', currency: 'USD' },
  { name: 'Cordelia Achterberg', kind: 'person', country: 'US', currency: 'USD' },
  { name: 'Dorian Vass', kind: 'person', country: 'GB', currency: 'GBP' },
  { name: 'Estate of Percival Thorne', kind: 'estate', country: 'GB', currency: 'GBP' },
  { name: 'Felicity Marchbanks', kind: 'person', country: 'GB', currency: 'GBP' },
  { name: 'Gideon Abara', kind: 'person', country: 'US', currency: 'USD' },
  { name: 'Hollis & Wren Music Ltd', kind: 'company', country: 'GB', currency: 'GBP' },
  { name: 'Ignatius Dell', kind: 'person', country: 'US', currency: 'USD' },
  { name: 'Juno Castellane', kind: 'person', country: 'US', currency: 'USD' },
  { name: 'Katharina Voss', kind: 'person', country: 'DE', currency: 'EUR' },
  { name: 'Leopold Sgarlata', kind: 'person', country: 'US', currency: 'USD' },
  { name: 'Mirabel Osei', kind: 'person', country: 'US', currency: 'USD' },
  { name: 'Nicodemus Price', kind: 'person', country: 'US', currency: 'USD' },
  { name: 'Octavia Renn Estate', kind: 'estate', country: 'US', currency: 'USD' },
  { name: 'Padraig Ó Lorcáin', kind: 'person', country: 'IE', currency: 'EUR' },
  { name: 'Quillon Stage Works Inc', kind: 'company', country: 'US', currency: 'USD' },
  { name: 'Rosalind Achebe', kind: 'person', country: 'GB', currency: 'GBP' },
  { name: 'Séverine Lachance', kind: 'person', country: 'FR', currency: 'EUR' },
  { name: 'Tobias Merriweather', kind: 'person', country: 'US', currency: 'USD', agent: 'Lisle & Crane Agency' },
  { name: 'Ursula Kettering', kind: 'person', country: 'US', currency: 'USD' },
  { name: 'Valentine Moor', kind: 'person', country: 'US', currency: 'USD' },
  { name: 'Lisle & Crane Agency', kind: 'agent', country: 'US', currency: 'USD' },
];

const author = (royaltor: string, rate_ppm = 800_000): DemoAgreement =>
  ({ royaltor, role: 'author', rate_ppm, points: 1 });
const trio = (book: string, music: string, lyrics: string, rate_ppm = 750_000): DemoAgreement[] => [
  { royaltor: book, role: 'bookwriter', rate_ppm, points: 1 },
  { royaltor: music, role: 'composer', rate_ppm, points: 1 },
  { royaltor: lyrics, role: 'lyricist', rate_ppm, points: 1 },
];

type Row = [code: string, title: string, type: 'play' | 'musical', credit: string, year: number, cast: [number, number],
  amateur_ppm: number, minimum_minor: number, rental_minor: number | null, pro: boolean, aliases: string[],
  agreements: DemoAgreement[], synopsis: string];

const rows: Row[] = [
  ['PIRATES', 'The Pirates of Penzance', 'musical', 'W. S. Gilbert and Arthur Sullivan, version by Adela Fenwick', 1879,
    [14, 40], 125_000, 9_500, 59_500, false, ['Pirates of Penzance', 'Pirates'],
    trio('Adela Fenwick', 'Hollis & Wren Music Ltd', 'Adela Fenwick').slice(0, 2),
    'An apprentice to soft-hearted pirates finds that a leap year can bind a man for life.'],
  ['MIKADO', 'The Mikado of Marlow', 'musical', 'after Gilbert and Sullivan, by Felicity Marchbanks', 1885, [12, 36],
    120_000,
    9_000, 55_000, false, ['Mikado'], trio('Felicity Marchbanks', 'Hollis & Wren Music Ltd',
      'Felicity Marchbanks').slice(0, 2),
    'A river town with absurd laws, told with every song where it belongs.'],
  ['PINAFORE', 'HMS Pinafore', 'musical', 'W. S. Gilbert and Arthur Sullivan, version by Dorian Vass', 1878, [10, 30],
    120_000, 9_000, 52_000, false, ['H.M.S. Pinafore'], trio('Dorian Vass', 'Hollis & Wren Music Ltd',
      'Dorian Vass').slice(0, 2),
    'Love, rank and the Royal Navy, until the old nurse remembers two babies.'],
  ['IOLANTHE', 'Iolanthe', 'musical', 'W. S. Gilbert and Arthur Sullivan, version by Rosalind Achebe', 1882, [12, 40],
    120_000, 9_000, 52_000, false, [], trio('Rosalind Achebe', 'Hollis & Wren Music Ltd', 'Rosalind Achebe').slice(0,
      2),
    'Fairies take over the House of Lords and improve it.'],
  ['LAMPLIGHT', 'The Lamplighter’s Daughter', 'musical',
    'book by Ignatius Dell, music by Juno Castellane, lyrics by Mirabel Osei',
    2014, [9, 24], 140_000, 12_500, 68_000, true, ['Lamplighters Daughter', 'The Lamplighter'],
    trio('Ignatius Dell', 'Juno Castellane', 'Mirabel Osei'),
    'In a city going dark street by street, a girl keeps one lamp burning.'],
  ['SALTROAD', 'The Salt Road', 'musical', 'book by Gideon Abara, music by Leopold Sgarlata, lyrics by Valentine Moor',
    2009,
    [11, 28], 140_000, 12_500, 65_000, true, [], trio('Gideon Abara', 'Leopold Sgarlata', 'Valentine Moor'),
    'Two caravans, one well and a song that both sides claim.'],
  ['CLOCKWORK', 'Clockwork Nativity', 'musical', 'book and lyrics by Ursula Kettering, music by Tobias Merriweather',
    2018,
    [12, 60], 110_000, 7_500, 42_000, false, [], trio('Ursula Kettering', 'Tobias Merriweather',
      'Ursula Kettering').slice(0, 2),
    'The school play goes wrong in every possible way and is better for it.'],
  ['BLUEHOUR', 'Blue Hour', 'musical',
    'book by Katharina Voss, music by Séverine Lachance, lyrics by Padraig Ó Lorcáin', 2021,
    [6, 12], 150_000, 14_000, 60_000, true, [], trio('Katharina Voss', 'Séverine Lachance', 'Padraig Ó Lorcáin'),
    'One night ferry, six passengers, and the hour before anyone has to decide.'],
  ['EARNEST', 'The Importance of Being Earnest', 'play', 'Oscar Wilde, acting edition by Dorian Vass', 1895, [9, 9],
    100_000,
    6_000, null, false, ['Importance of Being Earnest', 'Earnest'], [author('Dorian Vass')],
    'A handbag, a cucumber sandwich and two men called Ernest.'],
  ['RIVALS', 'The Rivals', 'play', 'R. B. Sheridan, adapted by Cordelia Achterberg', 1775, [10, 14], 100_000, 6_000,
    null,
    false, [], [author('Cordelia Achterberg')],
      'Everyone in Bath is somebody else, and Mrs Malaprop is derangingly clear.'],
  ['DOLLS', 'A Doll’s House', 'play', 'Henrik Ibsen, translated by Katharina Voss', 1879, [7, 10], 100_000, 6_500,
    null, true,
    ['A Dolls House', 'Dolls House'], [author('Katharina Voss')],
      'A door closes, and is heard for a century and a half.'],
  ['GULL', 'The Seagull', 'play', 'Anton Chekhov, translated by Séverine Lachance', 1896, [10, 14], 100_000, 6_500,
    null, true,
    ['Seagull'], [author('Séverine Lachance')], 'Artists by a lake, most of them unhappy, one of them a writer.'],
  ['TWELFTH', 'Twelfth Night, or Wild Weather', 'play',
    'William Shakespeare, music theatre edition by Nicodemus Price', 1602,
    [12, 18], 90_000, 5_000, null, false, ['Twelfth Night'], [author('Nicodemus Price', 700_000)],
    'Shipwreck, disguise, yellow stockings.'],
  ['DREAM', 'A Midsummer Night’s Dream', 'play', 'William Shakespeare, youth edition by Bartholomew Ines', 1596, [14,
    40],
    80_000, 4_500, null, false, ['Midsummer Nights Dream'], [author('Bartholomew Ines', 700_000)],
    'Four lovers, six workmen and a wood that does not care.'],
  ['TARTUFFE', 'Tartuffe', 'play', 'Molière, translated by Séverine Lachance', 1664, [11, 14], 100_000, 6_000, null,
    false,
    ['The Impostor'], [author('Séverine Lachance')], 'A houseguest with a rosary and a plan.'],
  ['GHOSTLIGHT', 'Ghost Light', 'play', 'Mirabel Osei', 2016, [4, 6], 110_000, 8_000, null, true, [],
    [author('Mirabel Osei')], 'The last night of a theatre, told by the four people who refuse to leave.'],
  ['WINTERDEBT', 'The Winter Debt', 'play', 'Gideon Abara', 2019, [5, 7], 110_000, 8_000, null, true, [],
    [author('Gideon Abara')], 'A mill town, a bank and a winter that settles accounts.'],
  ['ORCHARD', 'The Cherry Orchard', 'play', 'Anton Chekhov, version by Padraig Ó Lorcáin', 1904, [12, 16], 100_000,
    6_500,
    null, true, ['Cherry Orchard'], [author('Padraig Ó Lorcáin')],
      'They could save the house. They would rather talk.'],
  ['SECONDACT', 'Second Act Trouble', 'play', 'Ursula Kettering', 2011, [6, 8], 105_000, 7_000, null, false, [],
    [author('Ursula Kettering')], 'A backstage farce in which the set is the most reliable actor.'],
  ['HOLLOW', 'Hollow Crown Road', 'play', 'Tobias Merriweather', 2022, [3, 5], 110_000, 8_000, null, false, [],
    [author('Tobias Merriweather')], 'Three siblings drive their father’s ashes the wrong way.'],
  ['NIGHTBUS', 'Night Bus to Arden', 'play', 'Rosalind Achebe', 2023, [5, 9], 110_000, 8_000, null, true, [],
    [author('Rosalind Achebe')], 'As You Like It, if the forest were the end of the line.'],
  ['MARINER', 'The Ancient Mariner', 'play', 'S. T. Coleridge, for the stage by the Estate of Percival Thorne', 1954,
    [4, 20],
    90_000, 5_500, null, false, [], [author('Estate of Percival Thorne')], 'A guest, a wedding, an albatross.'],
];

export const DEMO_SHOWS: readonly DemoShow[] = rows.map(([code, title, type, credit, year, cast, amateur_ppm,
  minimum_minor, rental_minor, pro, aliases, agreements, synopsis]) => ({
  code, title, type, credit, year, cast, amateur_ppm, minimum_minor, rental_minor, pro, aliases, agreements, synopsis,
}));

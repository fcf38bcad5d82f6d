/** Fields of files with shows and their writers. */
import { SHOW_TYPES } from '#modules/catalogue/show/show.contract.ts';
import type { FieldSet } from '../import-field.contract.ts';

export const ADDED_WRITERS = ['leave', 'add'] as const;

const people = (label: string, heads: readonly string[], example?: string) => ({ label,
  hint: 'Names with semicolons between them; each becomes a royaltor with an agreement in draft',
  required: false, constant: false, heads, ...(example === undefined ? {} : { example }) });

export const SHOW_FIELDS = {
  title: { label: 'Title', hint: 'As the company licenses it', required: true, constant: false,
    heads: ['title', 'show', 'show title', 'name', 'work'], example: 'The Lantern Keeper' },
  type: { label: 'Type', hint: 'Play or musical', required: true, constant: true, options: SHOW_TYPES,
    heads: ['type', 'show type', 'kind'], example: 'play' },
  show_code: { label: 'Show code', hint: 'Made from the title where the file has none', required: false,
    constant: false, heads: ['show code', 'code'], example: 'LANTERN' },
  year: { label: 'Year', type: 'count', hint: 'Of the first performance', required: false, constant: false,
    heads: ['year', 'first performed', 'premiere year'], example: '2019' },
  author: people('Authors', ['authors', 'author', 'playwright', 'playwrights', 'writer', 'writers'], 'Ada Winslow'),
  bookwriter: people('Book', ['book', 'bookwriter', 'bookwriters', 'book by', 'librettist']),
  composer: people('Music', ['music', 'composer', 'composers', 'music by']),
  lyricist: people('Lyrics', ['lyrics', 'lyricist', 'lyricists', 'lyrics by']),
  underlying: people('Underlying rights', ['underlying rights', 'source material', 'based on', 'underlying']),
  other_credits: { label: 'Also credited', hint: 'Printed after the authors; nobody is paid for it', required: false,
    constant: false, heads: ['also credited', 'other credits', 'credits'] },
  cast_min: { label: 'Smallest cast', type: 'count', hint: 'Number of performers', required: false, constant: false,
    heads: ['smallest cast', 'cast min', 'minimum cast'] },
  cast_max: { label: 'Largest cast', type: 'count', hint: 'Number of performers', required: false, constant: false,
    heads: ['largest cast', 'cast max', 'maximum cast', 'cast size', 'cast on stage', 'cast'] },
  running_time_minutes: { label: 'Running time', type: 'count', hint: 'Minutes', required: false, constant: false,
    heads: ['running time', 'running time minutes', 'minutes'] },
  synopsis: { label: 'Synopsis', hint: 'A few sentences', required: false, constant: false,
    heads: ['synopsis', 'summary', 'description'] },
  cast_women: { label: 'Women', type: 'count', hint: 'Roles for women', required: false, constant: false,
    heads: ['women', 'female roles', 'cast women'] },
  cast_men: { label: 'Men', type: 'count', hint: 'Roles for men', required: false, constant: false,
    heads: ['men', 'male roles', 'cast men'] },
  cast_any: { label: 'Any gender', type: 'count', hint: 'Roles for performers of any gender', required: false,
    constant: false, heads: ['any gender', 'either', 'flexible roles'] },
  content_notes: { label: 'Content notes', hint: 'Notices for an audience', required: false,
    constant: false, heads: ['content notes', 'content warnings', 'advisory'] },
  songs: { label: 'Songs', hint: 'One on each line', required: false, constant: false,
    heads: ['songs', 'musical numbers', 'song list'] },
  versions: { label: 'Versions', hint: 'One on each line', required: false, constant: false,
    heads: ['versions', 'editions'] },
  excerpt: { label: 'Excerpt', hint: 'Text readable without an account', required: false, constant: false,
    heads: ['excerpt', 'sample'] },
  territory: { label: 'Licensing territory', hint: 'Countries in words', required: false, constant: false,
    heads: ['licensing territory', 'territory'] },
  aliases: { label: 'Other titles', hint: 'Names under which returns know it, with semicolons between them',
    required: false, constant: false, heads: ['other titles', 'aliases', 'also known as'] },
  added_writers: { label: 'Writers only a revival names', hint: 'Leave: told in the report, and nobody is paid. '
    + 'Add: they become royaltors with agreements in draft, as those of a new show', required: false, constant: true,
  options: ADDED_WRITERS, heads: ['added writers', 'writers only a revival names'], example: 'leave' },
  payer_division: { label: 'Paying division', hint: 'Division that pays the agreements: US, EU, UK or PROD',
    required: false, constant: true, heads: ['paying division', 'division'], example: 'US' },
} as const satisfies FieldSet;

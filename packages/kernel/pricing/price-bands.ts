/**
 * Price bands by type of performance: rows that name a type replace the venue's other rows for its performances of that
 * type (a matinee at lower prices). Rows without a type are those of every other performance.
 */

export interface TypedBand {
  /** null or absent: of every performance whose type has no bands of its own. */
  readonly performance_type?: string | null | undefined;
}

/** The bands of a performance; `own`: they are those of its type. */
export function bandsOfType<Row extends TypedBand>(
  rows: readonly Row[], type: string,
): { readonly rows: readonly Row[]; readonly own: boolean } {
  const own = rows.filter((row) => row.performance_type === type);
  return own.length > 0 ? { rows: own, own: true } : { rows: rows.filter((row) => !row.performance_type), own: false };
}

/** The bands that a venue is described by: those without a type, or where each names one, those of the first. */
export function usualBands<Row extends TypedBand>(rows: readonly Row[]): readonly Row[] {
  const usual = rows.filter((row) => !row.performance_type);
  if (usual.length > 0) return usual;
  const first = rows[0]?.performance_type;
  return rows.filter((row) => row.performance_type === first);
}

const PLURALS: Readonly<Record<string, string>> = {
  public: 'evening performances', preview: 'previews', matinee: 'matinees', school: 'school performances',
  dress_invited: 'invited dress rehearsals', gala: 'galas', competition: 'competition performances',
  stream_live: 'live streams', stream_vod: 'streams on demand',
};

/** 'matinees', as lines and steps of a price name the performances of a type. */
export function performancesOfType(type: string): string {
  return PLURALS[type] ?? 'performances';
}

/** The sentence about recording that the program carries: it never forbids what the license grants. */
const FORBIDDEN =
  'The videotaping or making of electronic or other audio or visual recordings of this production is prohibited.';
/** The producer films or streams; the audience still may not. */
const AUDIENCE =
  'Audiences may not videotape this production or make electronic or other audio or visual recordings of it.';
const PERSONAL = 'Recordings of this production are for personal, non-commercial use only and may not be published.';
const WRITTEN_BY_US: readonly string[] = [FORBIDDEN, AUDIENCE, PERSONAL];

export interface RecordingRights {
  readonly rights_granted: readonly string[];
  readonly video_clause: string;
}

function textFor({ rights_granted, video_clause }: RecordingRights): string {
  if (video_clause === 'personal_noncommercial') return PERSONAL;
  const isFilmed = video_clause === 'archival' || rights_granted.some((right) => right === 'video_archival'
    || right.startsWith('stream'));
  return isFilmed ? AUDIENCE : FORBIDDEN;
}

/** Follows the rights as long as nobody has written another text; without `current`, the text of a new license. */
export function programText(rights: RecordingRights, current?: string): string {
  return current === undefined || WRITTEN_BY_US.includes(current) ? textFor(rights) : current;
}

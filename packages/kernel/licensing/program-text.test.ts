import { expect, it } from 'vitest';
import { programText } from './program-text.ts';

const stage = { rights_granted: ['stage'], video_clause: 'none' };

it('forbids recordings only where neither film nor stream is granted', () => {
  expect(programText(stage)).toContain('is prohibited');
  for (const rights of [{ ...stage, rights_granted: ['stage', 'video_archival'] },
    { ...stage, rights_granted: ['stage', 'stream_live'] }, { ...stage, video_clause: 'archival' }]) {
    expect(programText(rights)).toMatch(/^Audiences may not/);
  }
  expect(programText({ ...stage, video_clause: 'personal_noncommercial' })).toContain('personal, non-commercial use');
});

it('follows the rights, but leaves a text alone that somebody wrote', () => {
  const filmed = { ...stage, rights_granted: ['stage', 'video_archival'] };
  expect(programText(stage, programText(filmed))).toBe(programText(stage));
  expect(programText(filmed, 'No phones, please.')).toBe('No phones, please.');
});

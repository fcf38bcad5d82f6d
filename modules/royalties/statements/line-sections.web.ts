/** Lines of a statement by their section, in the order of the statement, each with its sum. */
import type { StatementDetail } from './statement.contract.ts';

type Line = StatementDetail['lines'][number];
export interface LineSection { name: Line['section']; lines: Line[]; total_minor: bigint }

/** Sections in the order in which they first appear; sums are exact minor units. */
export function sectionsOf(lines: readonly Line[]): LineSection[] {
  const sections = new Map<Line['section'], LineSection>();
  for (const line of lines) {
    const section = sections.get(line.section) ?? { name: line.section, lines: [], total_minor: 0n };
    section.lines.push(line);
    section.total_minor += BigInt(line.amount_minor);
    sections.set(line.section, section);
  }
  return [...sections.values()];
}

/** A template's lines worked out for one production: the kernel decides, the words of the refusal are ours. */
import { explode, type ExplodedLine, type ProductionFacts } from '#kernel/materials/explode.ts';
import { invalidField } from '#kit/errors.ts';
import type { BomLineRow, BomPreviewLine } from './bom-template.contract.ts';

/** Throws 422 at the line where a quantity is larger than anybody can mean. */
export function explodeLines(
  lines: readonly BomLineRow[], facts: ProductionFacts,
): readonly ExplodedLine<BomLineRow>[] {
  const unavailable = new Set(lines.filter((line) => !line.available).map((line) => line.material_id));
  const exploded = explode(lines, facts, unavailable);
  if (exploded.ok) return exploded.lines;
  const { name } = lines[exploded.index]!;
  throw invalidField(`lines.${exploded.index}.quantity`,
    `${name}: ${exploded.quantity.toLocaleString('en-US')} copies are more than the 100,000 of one line`);
}

/** Materials a production with these counts would get, optional lines included and marked. */
export function previewLines(lines: readonly BomLineRow[], facts: ProductionFacts): BomPreviewLine[] {
  return explodeLines(lines, facts).map(({ line, quantity, substituted_for, missing }) => ({
    material_id: line.material_id, item_number: line.item_number, name: line.name, type: line.type, quantity,
    optional: line.optional, ship_group: line.ship_group, lead_days: line.lead_days, substituted_for, missing }));
}

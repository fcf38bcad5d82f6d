/** Selects the BOM template that fits a license best (domain.md 4): the most specific, then the highest version. */
export interface TemplateFacts {
  readonly id: number;
  readonly category: string;
  readonly customer_classification_id: number | null;
  readonly division: string | null;
  readonly cast_min: number | null;
  readonly cast_max: number | null;
  readonly orchestration: string | null;
  readonly template_version: number;
}

export interface LicenceFacts {
  readonly category: string;
  readonly customer_classification_id: number | null;
  readonly division: string;
  /** Null: nobody has said yet; a template with a cast range does not fit then. */
  readonly cast: number | null;
  readonly orchestration: string | null;
}

/** Null in the template matches everything. */
export function fits(template: TemplateFacts, licence: LicenceFacts): boolean {
  const same = <T>(wanted: T | null, given: T | null): boolean => wanted === null || wanted === given;
  const ranged = template.cast_min !== null || template.cast_max !== null;
  const inRange = !ranged || (licence.cast !== null && licence.cast >= (template.cast_min ?? 0)
    && licence.cast <= (template.cast_max ?? Number.MAX_SAFE_INTEGER));
  return template.category === licence.category && inRange && same(template.division, licence.division)
    && same(template.customer_classification_id, licence.customer_classification_id)
    && same(template.orchestration, licence.orchestration);
}

function specificity(template: TemplateFacts): number {
  return [template.customer_classification_id, template.division, template.cast_min ?? template.cast_max,
    template.orchestration].filter((value) => value !== null).length;
}

/** Those that fit, best first; ties go to the higher version, then to the older template. */
export function rankTemplates<T extends TemplateFacts>(templates: readonly T[], licence: LicenceFacts): T[] {
  return templates.filter((template) => fits(template, licence)).sort((a, b) =>
    specificity(b) - specificity(a) || b.template_version - a.template_version || a.id - b.id);
}

/** Names that are typed one per line. */
export function namesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
}

/**
 * Merges the names one person typed over `base` into those another saved meanwhile: added names are in, removed names
 * are out.
 */
export function mergedNames(base: readonly string[], typed: readonly string[], saved: readonly string[]): string[] {
  const kept = saved.filter((name) => typed.includes(name) || !base.includes(name));
  return [...kept, ...typed.filter((name) => !base.includes(name) && !saved.includes(name))];
}

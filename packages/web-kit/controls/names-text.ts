/** Names that are typed one per line. */
export function namesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
}

/**
 * What one person typed over `base`, put into what another saved meanwhile: who added a name has it, who took one away
 * does not.
 */
export function mergedNames(base: readonly string[], typed: readonly string[], saved: readonly string[]): string[] {
  const kept = saved.filter((name) => typed.includes(name) || !base.includes(name));
  return [...kept, ...typed.filter((name) => !base.includes(name) && !saved.includes(name))];
}

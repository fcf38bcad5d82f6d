/** A file that was dropped on the list, until the form of the new bill takes it. */
let dropped: File | null = null;

export function keepDropped(file: File): void {
  dropped = file;
}

export function takeDropped(): File | null {
  const file = dropped;
  dropped = null;
  return file;
}

export const FILE_TYPES = ['.pdf', '.png', '.jpg', '.jpeg', '.webp'];

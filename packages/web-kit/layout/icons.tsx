/** Icons at the sizes of the look: 16 px in text, stroke 1.75. Always beside words or with a label of its own. */
import type { LucideIcon } from 'lucide-react';

export type Icon = LucideIcon;

export interface GlyphProps { icon: Icon; size?: number; className?: string | undefined }

export function Glyph({ icon: Drawn, size = 16, className }: GlyphProps) {
  return <Drawn size={size} strokeWidth={1.75} aria-hidden="true" className={className} />;
}

/**
 * A button that shows a PDF over the screen it belongs to. It is a link all the same: a click with Ctrl opens the file
 * beside, and what is no PDF opens there at once.
 */
import { Eye } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Glyph } from '#web/layout/icons.tsx';
import { ButtonLink, type ButtonLinkProps } from '#web/navigation/button-link.tsx';
import { isPlainClick } from '#web/navigation/navigation.tsx';

const PdfDialog = lazy(() => import('./pdf-dialog.tsx'));

export interface PdfLinkProps extends Pick<ButtonLinkProps, 'href' | 'size' | 'variant'> {
  /** Heads the dialog: 'Invoice INV-US-2026-000029'. */
  title: string;
  /** Name under which it is saved; its ending says whether it is a PDF. */
  fileName: string;
  children: ReactNode;
}

export function PdfLink({ href, title, fileName, children, ...look }: PdfLinkProps) {
  const [open, setOpen] = useState(false);
  const shown = /\.pdf$/i.test(fileName);
  return (
    <>
      <ButtonLink {...look} href={href} newTab icon={<Glyph icon={Eye} />} onClick={(event) => {
        if (!shown || !isPlainClick(event)) return;
        event.preventDefault();
        setOpen(true);
      }}>{children}</ButtonLink>
      {open && (
        <Suspense fallback={null}>
          <PdfDialog url={href} title={title} fileName={fileName} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** A PDF over the screen, as high as it goes; what `PdfLink` loads with the first click. */
import { Modal } from '#web/layout/overlay.tsx';
import { PdfPreview } from './pdf-preview.tsx';
import type { PdfPreviewProps } from './pdf-props.ts';

export default function PdfDialog({ onClose, ...pdf }: PdfPreviewProps & { onClose: () => void }) {
  return <Modal open tall width={1040} title={pdf.title} onClose={onClose}><PdfPreview {...pdf} fill /></Modal>;
}

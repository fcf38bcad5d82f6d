/** Props of a PDF preview: content and display. */
export interface PdfPreviewProps {
  /** Address of the file, on this server. */
  url: string;
  /** Title of the document: 'Contract'. */
  title: string;
  /** Name under which it is saved. */
  fileName: string;
  /** As high as what it stands in, instead of most of the screen. */
  fill?: boolean | undefined;
}

/** What is shown of a PDF, and how. */
export interface PdfPreviewProps {
  /** Address of the file, on this server. */
  url: string;
  /** Whose pages these are: 'Contract'. */
  title: string;
  /** Name under which it is saved. */
  fileName: string;
  /** As high as what it stands in, instead of most of the screen. */
  fill?: boolean | undefined;
}

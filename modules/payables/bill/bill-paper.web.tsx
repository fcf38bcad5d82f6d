/** The document of the vendor, PDF or picture, beside the form and on the page of the bill. */
import { PdfPreview } from '#web/pdf/pdf-preview.tsx';
import styles from './bill-form.module.css';

export function BillPaper({ url, name, type }: { url: string; name: string; type: string }) {
  if (type === 'application/pdf') return <PdfPreview url={url} title="Bill" fileName={name} />;
  return <img className={styles.image} src={url} alt={`Bill: ${name}`} />;
}

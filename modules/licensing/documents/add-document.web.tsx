/**
 * Ways to add a document to a license: upload it, or generate it as the offer (gaps G66). The screen opens with upload
 * selected (S73, C25); if only one of the two is possible, there is no choice.
 */
import { FilePlus2, Upload } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { SegmentedControl } from '#web/controls/field/radio-group.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import styles from '../licensing.module.css';

export type UploadMode = 'upload' | 'generate';
/** C25. */
export const UPLOAD_MODE_DEFAULT: UploadMode = 'upload';

const MODES = [{ value: 'upload', label: 'Upload' }, { value: 'generate', label: 'Generate' }] as const;

export interface AddDocumentProps {
  mayUpload: boolean;
  /** The offer is made while the licence is a draft. */
  mayGenerate: boolean;
  /** Why it cannot be made now. */
  reason?: string | undefined;
  pending: boolean;
  onUpload: () => void;
  onGenerate: () => void;
}

export function AddDocument({ mayUpload, mayGenerate, reason, pending, onUpload, onGenerate }: AddDocumentProps) {
  const [mode, setMode] = useState<UploadMode>(UPLOAD_MODE_DEFAULT);
  const both = mayUpload && mayGenerate;
  const now = both ? mode : mayGenerate ? 'generate' : 'upload';
  if (!mayUpload && !mayGenerate) return null;
  return (
    <>
      {both && (
        <span className={styles.mode}>
          <SegmentedControl label="Way to add a document" hideLabel choices={MODES} value={mode}
            onChange={setMode} />
        </span>
      )}
      {now === 'upload'
        ? <Button icon={<Glyph icon={Upload} />} onClick={onUpload}>Upload</Button>
        : (
          <Button icon={<Glyph icon={FilePlus2} />} pending={pending} reason={reason} onClick={onGenerate}>
            Make the offer</Button>
        )}
    </>
  );
}

/** Recovery codes, shown this one time: to copy, to save as a file, to print. */
import { Copy, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { copyText } from '#web/controls/button/copy-text.ts';
import { Callout } from '#web/data/callout.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import styles from './two-factor.module.css';

const fileText = (codes: readonly string[]): string =>
  `Recovery codes for Grand Rights (${window.location.host})\nEach is good once.\n\n${codes.join('\n')}\n`;

function save(codes: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([fileText(codes)], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'grand-rights-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}

/** Prints the codes alone: in a frame of their own, not the page around them. */
function print(codes: readonly string[]): void {
  const frame = document.createElement('iframe');
  frame.title = 'Recovery codes';
  frame.hidden = true;
  document.body.append(frame);
  const page = frame.contentDocument?.createElement('pre');
  if (page) {
    page.textContent = fileText(codes);
    frame.contentDocument?.body.append(page);
    frame.contentWindow?.print();
  }
  frame.remove();
}

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [kept, setKept] = useState(false);
  const copy = async () => {
    if (await copyText(codes.join('\n'))) toast('Copied');
  };
  return (
    <div className={styles.stack}>
      <Callout tone="warn" title="Keep these codes somewhere safe">
        They are shown this once. Each lets you in one time when your telephone or passkey is not at hand.
      </Callout>
      <ol className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => <li key={code}>{code}</li>)}
      </ol>
      <div className={styles.actions}>
        <Button icon={<Glyph icon={Copy} size={15} />} onClick={() => void copy()}>Copy</Button>
        <Button icon={<Glyph icon={Download} size={15} />} onClick={() => save(codes)}>Save as a file</Button>
        <Button icon={<Glyph icon={Printer} size={15} />} onClick={() => print(codes)}>Print</Button>
      </div>
      <Checkbox label="I have kept the codes" value={kept} onChange={setKept} />
      <div className={styles.actions}>
        <Button variant="primary" onClick={onDone} reason={kept ? undefined : 'Keep the codes first'}>Done</Button>
      </div>
    </div>
  );
}

/** The dialogs of a licence, loaded with the first that is opened: a tenth of what any of its tabs loads otherwise. */
import { lazy, Suspense, type ComponentProps } from 'react';
import type { LicenseDialog } from '../license-dialogs.web.tsx';

const Dialog = lazy(() => import('../license-dialogs.web.tsx').then((file) => ({ default: file.LicenseDialog })));

export function LateLicenseDialog(props: ComponentProps<typeof LicenseDialog>) {
  return <Suspense fallback={null}><Dialog {...props} /></Suspense>;
}

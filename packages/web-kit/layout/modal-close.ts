/** Closes the dialog around a form; null on a page. Separate from the window itself, which is lazy-loaded. */
import { createContext } from 'react';

export const ModalClose = createContext<(() => void) | null>(null);

/** How the dialog around a form is closed; null on a page. Apart from the window itself, which is loaded late. */
import { createContext } from 'react';

export const ModalClose = createContext<(() => void) | null>(null);

/**
 * What can be done on the page that is open: the buttons at its head as they stand there, so that what is not offered
 * there, or is off, is not offered in the palette either (U1, U38). Menus open where they stand.
 */
const BUTTONS = '[data-page-actions] :is(button, a[href]):not(:disabled, [aria-disabled="true"], [aria-haspopup])';

export interface PageAction { label: string; run: () => void }

export function pageActions(): PageAction[] {
  return [...document.querySelectorAll<HTMLElement>(BUTTONS)].flatMap((one) => {
    const label = (one.ariaLabel ?? one.innerText).trim();
    return label === '' ? [] : [{ label, run: () => one.click() }];
  });
}

/** Whether the open page is a list with a search of its own, kept in the address. */
export function hasListSearch(): boolean {
  return document.querySelectorAll('main [data-list-search]').length === 1;
}

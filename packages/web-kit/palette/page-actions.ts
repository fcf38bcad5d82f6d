/**
 * Actions of the open page: the buttons in its header as rendered, so that one that is missing or disabled there is not
 * offered in the palette either (U1, U38). Menus open in place.
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

/**
 * `ref={scrollEdges}` on what scrolls sideways: says in `data-more` at which ends there is more ('start', 'end',
 * 'both'), so that its look can fade there instead of cutting a word.
 */
export function scrollEdges(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const say = (): void => {
    const { scrollLeft, clientWidth, scrollWidth } = element;
    const before = scrollLeft > 1;
    const after = scrollLeft + clientWidth < scrollWidth - 1;
    const more = before && after ? 'both' : before ? 'start' : after ? 'end' : '';
    if (element.dataset.more !== more) element.dataset.more = more;
  };
  const sizes = new ResizeObserver(say);
  sizes.observe(element);
  if (element.firstElementChild) sizes.observe(element.firstElementChild);
  element.addEventListener('scroll', say, { passive: true });
  return () => { sizes.disconnect(); element.removeEventListener('scroll', say); };
}

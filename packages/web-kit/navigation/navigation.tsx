/**
 * The kit's door to the address bar. Screens and components use these hooks and `AppLink`, never a router: the one
 * router of the application is handed in by apps/web (`NavigationProvider`), and a component test needs none.
 */
import {
  createContext, use, useCallback, useMemo, useSyncExternalStore,
  type ComponentProps, type MouseEvent, type ReactNode,
} from 'react';

export interface NavigationPort {
  /** Follows an address of this application ('/admin/venues/5?division=UK'). */
  go: (href: string, options?: { replace?: boolean }) => void;
  /** One step back in history; without history to the parent address (gaps G43). */
  back: () => void;
  /** Called when a pointer or focus rests on a link: the screen's code is fetched ahead. */
  preload: (href: string) => void;
  /** The address now: path and query text with its '?'. */
  read: () => { path: string; query: string };
  /** Calls back after every change of the address; answers the way to stop. */
  listen: (onChange: () => void) => () => void;
  /** Parameters of the page's address: `/admin/venues/:venueId` gives `{venueId: '5'}`. */
  params: Record<string, string>;
  /** Path of the page on screen; the address runs ahead of it while the next page loads. Null outside the router. */
  shown: string | null;
}

/** The parent of an address, where Back leads without history: '/admin/venues/5' gives '/admin/venues'. */
export function parentAddress(path: string): string {
  const segments = path.split('/').filter(Boolean);
  return `/${segments.slice(0, -1).join('/')}`;
}

let address = '';
let snapshot = { path: '/', query: '' };
function readWindow(): { path: string; query: string } {
  const now = window.location.pathname + window.location.search;
  if (now !== address) {
    address = now;
    snapshot = { path: window.location.pathname, query: window.location.search };
  }
  return snapshot;
}

/** Navigation over the bare window: component tests and pages outside the router. */
export const windowNavigation: NavigationPort = {
  go: (href, options) => {
    if (options?.replace) window.history.replaceState(null, '', href);
    else window.history.pushState(null, '', href);
    window.dispatchEvent(new PopStateEvent('popstate'));
  },
  back: () => window.history.back(),
  preload: () => undefined,
  read: readWindow,
  listen: (onChange) => {
    window.addEventListener('popstate', onChange);
    return () => window.removeEventListener('popstate', onChange);
  },
  params: {},
  shown: null,
};

const Navigation = createContext<NavigationPort>(windowNavigation);

export function NavigationProvider({ port, children }: { port: NavigationPort; children: ReactNode }) {
  return <Navigation value={port}>{children}</Navigation>;
}

/** `const {go, back} = useNavigation()` */
export function useNavigation(): NavigationPort {
  return use(Navigation);
}

/** Path and query text of the page now; the component renders again when they change. */
export function useAddress(): { path: string; query: string } {
  const port = use(Navigation);
  return useSyncExternalStore(port.listen, port.read, port.read);
}

/** Path of the page on screen, to which its parameters belong. */
export function useShownPath(): string {
  const { path } = useAddress();
  return use(Navigation).shown ?? path;
}

/** Parameters of the page's address as texts. */
export function useParams(): Record<string, string> {
  return use(Navigation).params;
}

/** One numeric parameter: `useIdParam('venueId')`; NaN where the address holds no number. */
export function useIdParam(name: string): number {
  return Number(use(Navigation).params[name]);
}

/** `href` with query values set; '' , null and undefined remove one. */
export function withQuery(path: string, query: string, changes: Record<string, string | null | undefined>): string {
  const search = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') search.delete(name);
    else search.set(name, value);
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

/** The query as values and a setter; the setter replaces the history entry unless `push` is asked for. */
export function useQueryValues(): {
  values: URLSearchParams;
  set: (changes: Record<string, string | null | undefined>, options?: { push?: boolean }) => void;
} {
  const { go, read } = use(Navigation);
  const { query } = useAddress();
  const values = useMemo(() => new URLSearchParams(query), [query]);
  const set = useCallback(
    (changes: Record<string, string | null | undefined>, options?: { push?: boolean }) => {
      const now = read();
      go(withQuery(now.path, now.query, changes), { replace: !options?.push });
    },
    [go, read],
  );
  return { values, set };
}

/** Whether a click on a link is the browser's own business: new tab, download, another button. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

export type AppLinkProps = ComponentProps<'a'> & { href: string; replace?: boolean };

/** A link inside the application: a real `<a href>`, followed without loading the page anew. */
export function AppLink({ href, replace, onClick, onPointerEnter, onFocus, children, ...rest }: AppLinkProps) {
  const { go, preload } = use(Navigation);
  const inside = href.startsWith('/') && !href.startsWith('//') && !href.startsWith('/api/');
  return (
    <a {...rest} href={href}
      onPointerEnter={(event) => { if (inside) preload(href); onPointerEnter?.(event); }}
      onFocus={(event) => { if (inside) preload(href); onFocus?.(event); }}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !inside || !isPlainClick(event) || rest.target === '_blank') return;
        event.preventDefault();
        go(href, replace ? { replace } : {});
      }}>
      {children}
    </a>
  );
}

// The view as the fragment of the address, so that it can be bookmarked and shared, and the back button works.
import { findOrigin } from '@maycrawl/core/url';
import { useFragment } from '../shared/fragment.ts';

export type Route =
  | { readonly view: 'sites' }
  | { readonly view: 'site'; readonly origin: string }
  | { readonly view: 'version'; readonly origin: string; readonly number: number }
  | {
      readonly view: 'compare';
      readonly origin: string;
      readonly before: number;
      readonly after: number;
    };

/** The fragment of a route. */
export function linkTo(route: Route): string {
  if (route.view === 'sites') return '#/';
  const origin = encodeURIComponent(route.origin);
  if (route.view === 'site') return `#/site/${origin}`;
  if (route.view === 'version') return `#/version/${origin}/${route.number}`;
  return `#/compare/${origin}/${route.before}/${route.after}`;
}

/** Parses a fragment; the list of sites if it is not valid. */
export function parseRoute(fragment: string): Route {
  const [, view, name = '', ...numbers] = fragment.split('/');
  const origin = parseOrigin(name);
  const [first = 0, second = 0] = numbers.map((text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0));
  if (origin === null) return { view: 'sites' };
  if (view === 'site') return { view, origin };
  if (view === 'version' && first > 0) return { view, origin, number: first };
  if (view === 'compare' && first > 0 && second > 0) return { view, origin, before: first, after: second };
  return { view: 'sites' };
}

function parseOrigin(text: string): string | null {
  try {
    return findOrigin(decodeURIComponent(text)) ?? null;
  } catch {
    return null;
  }
}

const FORMAT = { parse: parseRoute, format: linkTo };

export function useRoute(): Route {
  return useFragment(FORMAT)[0];
}

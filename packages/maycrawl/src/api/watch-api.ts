// The JSON of `/v1/watch/…`: the only description of it. The service validates requests against it and documents its responses with
// it, the monitor pages take their types from it. Times are texts as in RFC 3339. Texts may quote what servers sent.
import { freezeDeep } from '@maycrawl/core/internal';
import { COMMON } from './common.ts';
import type { JsonOf } from './json-schema.ts';
import { EVENTS } from './watch/events.ts';
import { SETTINGS } from './watch/settings.ts';
import { SITES } from './watch/sites.ts';
import { VERSIONS } from './watch/versions.ts';

type WatchApi = typeof COMMON & typeof EVENTS & typeof SETTINGS & typeof SITES & typeof VERSIONS;

/** The definitions, which refer to each other by `#/$defs/NAME`. */
export const WATCH_API: WatchApi = /* @__PURE__ */ freezeDeep({
  ...COMMON,
  ...EVENTS,
  ...SETTINGS,
  ...SITES,
  ...VERSIONS,
});

/** The type of a definition. */
export type WatchJson<Name extends keyof WatchApi> = JsonOf<WatchApi[Name], WatchApi>;

/** The definition of the response of each route, by method and path below `/v1/watch/`. */
export const WATCH_RESPONSES = {
  'GET sites': 'Sites',
  'GET site': 'Site',
  'GET settings': 'EditableSettings',
  'GET events': 'Events',
  'GET versions': 'Versions',
  'GET version': 'VersionFile',
  'GET compare': 'Comparison',
  'GET urls': 'UrlCounts',
  'POST sites': 'ChangedSite',
  'POST site': 'ChangedSite',
  'DELETE site': 'ChangedSite',
  'POST test': 'TestResult',
} as const;
freezeDeep(WATCH_RESPONSES);

/** A method and a path. */
export type WatchRoute = keyof typeof WATCH_RESPONSES;

/** The JSON of a response with status 200. */
export type WatchResponse<Route extends WatchRoute> = WatchJson<(typeof WATCH_RESPONSES)[Route]>;

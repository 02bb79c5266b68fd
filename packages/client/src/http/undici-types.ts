// The types of undici that adapters use.
export type { Dispatcher } from 'undici';

/**
 * The file `/.well-known/tdmrep.json` of the sites of a run.
 *
 * @module
 */
import type { TdmRepFile } from '../../../preferences/tdmrep-file.ts';
import { SiteFacts } from './site-facts.ts';

/** The files of sites. A file that could not be requested has a problem. */
export const TDMREP_FILES: SiteFacts<TdmRepFile> = new SiteFacts('tdmrep.json');

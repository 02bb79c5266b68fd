/**
 * The thread that reads pages for page-routes.ts. A page of 5 MB may take seconds.
 *
 * @module
 */
import { type JudgedPage, judgePage, type PageTask } from '../../audit/page/judge-page.ts';

/** Runs a task. */
export function examine(task: PageTask): JudgedPage {
  return judgePage(task);
}

// The thread that reads pages for page-routes.ts. A page of 5 MB may take seconds.
import { type JudgedPage, judgePage, type PageTask } from '../../audit/page/judge-page.ts';

export function examine(task: PageTask): JudgedPage {
  return judgePage(task);
}

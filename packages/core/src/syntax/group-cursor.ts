// Which lines of a file form a group (RFC 9309 section 2.2; Google's robots.txt page, on grouping): consecutive user-agent lines start it, and
// the first line that ends their list makes the next user-agent line start another one. Lines before the first group belong to none.
//
// Readers differ only in what ends the list: allow and disallow rules for all, and Crawl-delay or Content-Usage for some.

/** Counts the groups of a file while its lines are read in order. */
export class GroupCursor {
  /** Number of the current group, from 0; -1 before the first group. */
  group = -1;
  #isListOpen = false;

  /** Reads a user-agent line. Returns whether it starts a group. */
  readAgent(): boolean {
    const isFirst = !this.#isListOpen;
    if (isFirst) this.group++;
    this.#isListOpen = true;
    return isFirst;
  }

  endList(): void {
    this.#isListOpen = false;
  }
}

// Text that a vendor inserts between comments: Cloudflare's managed robots.txt, and similar blocks
// (https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/).
import { decodeUtf8 } from '../../bytes/platform.ts';
import { getSource, type RobotsTxt } from '../../model/robots-txt.ts';

/** Lines between two comments by which a vendor marks the text that it inserts and replaces. */
export interface ManagedBlock {
  readonly vendor: string;
  readonly first: number;
  readonly last: number;
}

export interface Comment {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** Reads the comments of a file, in their order. */
export function readCommentTexts(robots: RobotsTxt): Comment[] {
  const comments: Comment[] = [];
  for (const scanner = getSource(robots).scan(); scanner.next(); ) {
    const { bytes, line, lineStart, commentStart, contentEnd } = scanner;
    if (commentStart === contentEnd) continue;
    const text = decodeUtf8(bytes, commentStart, contentEnd);
    // The column of a comment after other text is not exact if that is not ASCII; no finding is about such a comment.
    comments.push({ line, column: commentStart - lineStart + 1, text });
  }
  return comments;
}

/** Finds the blocks that have a comment at their start and end. The case differs: `managed content`, `Managed Content`. */
export function findManagedBlocks(comments: readonly Comment[]): ManagedBlock[] {
  const blocks: ManagedBlock[] = [];
  let open: Omit<ManagedBlock, 'last'> | null = null;
  for (const { line, text } of comments) {
    const [, kind, vendor] = /^#\s?(BEGIN|END) (\S.{0,60}) managed content$/i.exec(text.trim()) ?? [];
    if (kind?.toUpperCase() === 'BEGIN') open = { vendor: vendor as string, first: line };
    else if (kind !== undefined && open !== null) {
      blocks.push({ ...open, last: line });
      open = null;
    }
  }
  return blocks;
}

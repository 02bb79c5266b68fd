// The stages of a robots.txt on its way to crawlers: the repository, the build, the server. Comparisons and policies name the file by them.
import { parse, type RobotsTxt } from '@maycrawl/core';
import { findManagedBlocks, type ManagedBlock, readCommentTexts } from '@maycrawl/core/internal';

/** The stages, in the order of a deployment. */
export const STAGES = ['source', 'built', 'deployed'] as const;

export type Stage = (typeof STAGES)[number];

/** A robots.txt at a stage. */
export interface StagedFile {
  readonly stage: Stage;
  /** A path or a URL. */
  readonly name: string;
  /** Without the URL of the file: comparisons are independent of the origin. An empty document if there is no file. */
  readonly robots: RobotsTxt;
}

/** What a stage is called in sentences. */
export const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  source: 'the file in the repository',
  built: 'the built file',
  deployed: 'the file that is served',
};

/** A file apart from the blocks that a vendor manages, such as the robots.txt setting of Cloudflare. */
export interface OwnPart {
  readonly blocks: readonly ManagedBlock[];
  /** The file with an empty line in place of each managed line, so that the others keep their numbers. */
  readonly robots: RobotsTxt;
}

/** Separates the lines of the owner from those of vendors. */
export function separateManagedBlocks(robots: RobotsTxt): OwnPart {
  const blocks = findManagedBlocks(readCommentTexts(robots));
  if (blocks.length === 0) return { blocks, robots };
  // Latin-1 keeps every byte. The scanner of the core counts CR, LF and CRLF as ends of lines.
  const pieces = Buffer.from(robots.bytes)
    .toString('latin1')
    .split(/(\r\n|\r|\n)/);
  for (const { first, last } of blocks)
    for (let line = first; line <= last; line++) pieces[(line - 1) * 2] = '';
  return { blocks, robots: parse(Buffer.from(pieces.join(''), 'latin1'), { profile: robots.profile }) };
}

/** Formats the lines of a block: "lines 3 to 40". */
export function formatBlockLines({ first, last }: ManagedBlock): string {
  return `lines ${first} to ${last}`;
}

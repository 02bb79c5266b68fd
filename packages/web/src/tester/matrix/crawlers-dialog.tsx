// The dialog for the crawlers of the matrix: those of the catalogue by purpose, and any product tokens.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/fields/text-field.tsx';
import { visible } from '../../shared/visible.ts';
import { MAX_CRAWLERS, parseCrawler } from '../state/crawlers.ts';
import { findCrawlers, type ListedCrawler, type PurposeGroup } from './crawler-groups.ts';
import { useCatalogue } from './use-catalogue.ts';

interface CrawlersDialogProps {
  readonly crawlers: readonly string[];
  readonly onUse: (crawlers: readonly string[]) => void;
  readonly onClose: () => void;
}

export function CrawlersDialog(props: CrawlersDialogProps): JSX.Element {
  const { groups, isMissing } = useCatalogue();
  return (
    <Dialog title="Crawlers" onClose={props.onClose}>
      {isMissing && (
        <p role="alert">The catalogue of crawlers cannot be loaded. Product tokens can be used.</p>
      )}
      {groups === null ? <p>Loading the catalogue…</p> : <CrawlerChoice {...props} groups={groups} />}
    </Dialog>
  );
}

/** The crawlers with checkboxes, and a field for tokens that are not listed. */
function CrawlerChoice({
  crawlers,
  groups,
  onUse,
  onClose,
}: CrawlersDialogProps & { readonly groups: readonly PurposeGroup[] }): JSX.Element {
  const isListed = (name: string): boolean =>
    groups.some(({ common, others }) => [...common, ...others].some((each) => each.name === name));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(crawlers.filter(isListed)));
  const [others, setOthers] = useState(() => crawlers.filter((name) => !isListed(name)).join(', '));
  const [filter, setFilter] = useState('');
  const [problem, setProblem] = useState('');
  const found = findCrawlers(groups, filter);
  const toggle = (name: string): void => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  };
  const use = (): void => {
    const written = others.split(/[,\n]/).filter((name) => name.trim() !== '');
    const wrong = written.find((name) => parseCrawler(name) === null);
    const names = [
      ...crawlers.filter((name) => chosen.has(name)),
      ...chosen,
      ...written.flatMap((name) => parseCrawler(name) ?? []),
    ];
    if (wrong !== undefined)
      setProblem(
        `“${visible(wrong.trim(), 60)}” is not a valid product token: use letters, digits, “_”, “-” and “.”.`,
      );
    else if (names.length === 0) setProblem('Choose a crawler.');
    else if (new Set(names).size > MAX_CRAWLERS) setProblem(`Choose at most ${MAX_CRAWLERS} crawlers.`);
    else {
      onUse(names);
      onClose();
    }
  };
  return (
    <>
      <TextField label="Find a crawler or an operator" value={filter} onValue={setFilter} />
      <div class="catalogue">
        {found.map((group) => (
          <Purpose key={group.purpose} {...{ group, chosen, filter }} onToggle={toggle} />
        ))}
      </div>
      {found.length === 0 && filter !== '' && <p>No crawler of the catalogue has this name.</p>}
      <TextField label="Other product tokens, separated by commas" value={others} onValue={setOthers} />
      <div class="dialog-foot">
        <span role="alert" class="problem">
          {problem}
        </span>
        <button type="button" class="primary" onClick={use}>
          Use these
        </button>
      </div>
    </>
  );
}

interface PurposeProps {
  /** The crawlers that the filter finds. */
  readonly group: PurposeGroup;
  readonly chosen: ReadonlySet<string>;
  readonly filter: string;
  readonly onToggle: (name: string) => void;
}

/** The crawlers of a purpose: the common ones, and the others if they are wanted, chosen or found. */
function Purpose({ group: { title, common, others }, chosen, filter, onToggle }: PurposeProps): JSX.Element {
  const toRow = ({ name, notes, description }: ListedCrawler): JSX.Element => (
    <label key={name} title={description}>
      <input type="checkbox" checked={chosen.has(name)} onChange={() => onToggle(name)} />
      <span>
        {name}
        {notes.map((note) => (
          <small key={note}>{` ${note}`}</small>
        ))}
      </span>
    </label>
  );
  return (
    <fieldset>
      <legend>{title}</legend>
      {common.map(toRow)}
      {others.length > 0 && (
        <details open={filter !== '' || others.some(({ name }) => chosen.has(name))}>
          <summary>{describeCount(others.length, common.length > 0)}</summary>
          {others.map(toRow)}
        </details>
      )}
    </fieldset>
  );
}

function describeCount(count: number, isMore: boolean): string {
  if (isMore) return `${count} more`;
  return count === 1 ? '1 crawler' : `${count} crawlers`;
}

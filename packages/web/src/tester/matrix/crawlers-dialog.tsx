/**
 * The dialog for the crawlers of the matrix: those of the catalogue by purpose, and any product tokens.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../shared/dialog.tsx';
import { visible } from '../../shared/visible.ts';
import { MAX_CRAWLERS, parseCrawler } from '../state/crawlers.ts';
import { createCatalogue, type ListedCrawler, type PurposeGroup } from './crawler-groups.ts';

interface CrawlersDialogProps {
  readonly crawlers: readonly string[];
  readonly onUse: (crawlers: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Chooses crawlers. The catalogue is loaded when the dialog opens, because it is as large as a quarter of the page. */
export function CrawlersDialog(props: CrawlersDialogProps): JSX.Element {
  const [groups, setGroups] = useState<readonly PurposeGroup[] | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  useEffect(() => {
    import('@maycrawl/core/crawlers').then(
      (catalogue) => setGroups(createCatalogue(catalogue)),
      () => {
        setIsMissing(true);
        setGroups([]);
      },
    );
  }, []);
  return (
    <Dialog title="Crawlers" onClose={props.onClose}>
      {isMissing && (
        <p role="alert">The catalogue of crawlers cannot be loaded. Product tokens can be used.</p>
      )}
      {groups === null ? <p>Loading the catalogue…</p> : <CrawlerChoice {...props} groups={groups} />}
    </Dialog>
  );
}

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
      <label class="field">
        Find a crawler or an operator
        <input
          type="search"
          value={filter}
          spellcheck={false}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </label>
      <div class="catalogue">
        {groups.map((group) => (
          <Purpose key={group.purpose} group={group} chosen={chosen} filter={filter} onToggle={toggle} />
        ))}
      </div>
      <label class="field">
        Other product tokens, separated by commas
        <input
          type="text"
          value={others}
          spellcheck={false}
          onInput={({ currentTarget }) => setOthers(currentTarget.value)}
        />
      </label>
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
  readonly group: PurposeGroup;
  readonly chosen: ReadonlySet<string>;
  readonly filter: string;
  readonly onToggle: (name: string) => void;
}

/** The crawlers of a purpose: the common ones, and the others if they are wanted, chosen or found. */
function Purpose({ group, chosen, filter, onToggle }: PurposeProps): JSX.Element | null {
  const wanted = filter.trim().toLowerCase();
  const find = (list: readonly ListedCrawler[]): readonly ListedCrawler[] =>
    list.filter(({ searchText }) => searchText.includes(wanted));
  const [common, others] = [find(group.common), find(group.others)];
  if (common.length + others.length === 0) return null;
  const toRow = ({ name, notes, description }: ListedCrawler): JSX.Element => (
    <label key={name} title={description}>
      <input type="checkbox" checked={chosen.has(name)} onChange={() => onToggle(name)} />
      {`${name} `}
      {notes.map((note) => (
        <small key={note}>{note}</small>
      ))}
    </label>
  );
  return (
    <fieldset>
      <legend>{group.title}</legend>
      {common.map(toRow)}
      {others.length > 0 && (
        <details open={wanted !== '' || others.some(({ name }) => chosen.has(name))}>
          <summary>{common.length > 0 ? `${others.length} more` : `${others.length} crawlers`}</summary>
          {others.map(toRow)}
        </details>
      )}
    </fieldset>
  );
}

// The catalogue of crawlers, grouped for the dialog.
import { useMemo } from 'preact/hooks';
import { useCrawlerCatalogue } from '../../shared/requests/use-crawler-catalogue.ts';
import { createCatalogue, type PurposeGroup } from './crawler-groups.ts';

export interface LoadedCatalogue {
  /** `null` while it is loaded; empty if that failed. */
  readonly groups: readonly PurposeGroup[] | null;
  readonly isMissing: boolean;
}

export function useCatalogue(): LoadedCatalogue {
  const catalogue = useCrawlerCatalogue();
  return useMemo(() => {
    if (catalogue === 'missing') return { groups: [], isMissing: true };
    return { groups: catalogue && createCatalogue(catalogue), isMissing: false };
  }, [catalogue]);
}

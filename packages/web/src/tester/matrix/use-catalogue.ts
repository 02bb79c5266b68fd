/**
 * The catalogue of crawlers, which is loaded when it is needed, because it is as large as a quarter of the page.
 *
 * @module
 */
import { useEffect, useState } from 'preact/hooks';
import { createCatalogue, type PurposeGroup } from './crawler-groups.ts';

/** The catalogue. */
export interface LoadedCatalogue {
  /** `null` while it is loaded; empty if that failed. */
  readonly groups: readonly PurposeGroup[] | null;
  readonly isMissing: boolean;
}

/** Loads the catalogue. */
export function useCatalogue(): LoadedCatalogue {
  const [loaded, setLoaded] = useState<LoadedCatalogue>({ groups: null, isMissing: false });
  useEffect(() => {
    import('@maycrawl/core/crawlers').then(
      (catalogue) => setLoaded({ groups: createCatalogue(catalogue), isMissing: false }),
      () => setLoaded({ groups: [], isMissing: true }),
    );
  }, []);
  return loaded;
}

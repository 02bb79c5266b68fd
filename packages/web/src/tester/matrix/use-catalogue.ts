// The catalogue of crawlers, which is loaded when it is needed, because it is as large as a quarter of the page.
import { useEffect, useState } from 'preact/hooks';
import { createCatalogue, type PurposeGroup } from './crawler-groups.ts';

export interface LoadedCatalogue {
  /** `null` while it is loaded; empty if that failed. */
  readonly groups: readonly PurposeGroup[] | null;
  readonly isMissing: boolean;
}

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

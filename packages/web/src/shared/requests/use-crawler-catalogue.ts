// The catalogue of crawlers, which is loaded when it is needed, because it is as large as a quarter of the tester.
import { useEffect, useState } from 'preact/hooks';

/** The exports of `@maycrawl/core/crawlers`. */
export type CrawlerCatalogue = typeof import('@maycrawl/core/crawlers');

/** Loads the catalogue. @returns `null` while it is loaded, `missing` if that failed. */
export function useCrawlerCatalogue(): CrawlerCatalogue | null | 'missing' {
  const [loaded, setLoaded] = useState<CrawlerCatalogue | null | 'missing'>(null);
  useEffect(() => {
    import('@maycrawl/core/crawlers').then(
      (catalogue) => setLoaded(catalogue),
      () => setLoaded('missing'),
    );
  }, []);
  return loaded;
}

// A value as the fragment of the address, so that it can be bookmarked and shared, and the back button works.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** Milliseconds after which a replaced fragment is written: browsers limit how often an address changes. */
const DELAY = 300;

/** How a fragment is formatted and parsed. Both must be the same functions in each call. */
interface FragmentFormat<Value> {
  readonly parse: (fragment: string) => Value;
  readonly format: (value: Value) => string;
}

/** Stores a value. `push` adds an entry to the history; `replace` changes the current one. */
export type SetFragment<Value> = (value: Value, mode: 'push' | 'replace') => void;

/** The value of the current fragment, and a function that changes it. */
export function useFragment<Value>({
  parse,
  format,
}: FragmentFormat<Value>): readonly [Value, SetFragment<Value>] {
  const [value, setValue] = useState(() => parse(location.hash));
  const current = useRef(value);
  /** The fragment that was written last: its event comes later, when the value may be another one already. */
  const written = useRef(location.hash);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const onChange = (): void => {
      if (location.hash === written.current) return;
      clearTimeout(timer.current);
      written.current = location.hash;
      current.current = parse(location.hash);
      setValue(current.current);
    };
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, [parse]);
  const set = useCallback<SetFragment<Value>>(
    (next, mode) => {
      clearTimeout(timer.current);
      const replace = (): void => {
        location.replace(format(current.current));
        written.current = location.hash;
      };
      // The entry that a push leaves must show what was seen last.
      if (mode === 'push' && location.hash !== format(current.current)) replace();
      current.current = next;
      if (mode === 'push') {
        location.hash = format(next);
        written.current = location.hash;
      } else timer.current = setTimeout(replace, DELAY);
      setValue(next);
    },
    [format],
  );
  return [value, set];
}

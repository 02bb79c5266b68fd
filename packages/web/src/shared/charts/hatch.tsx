// A hatched pattern, which stands for URLs that are disallowed because a site is unreachable.
import type { JSX } from 'preact';

/** Defines the pattern. @param id - of the pattern, for `fill`. */
export function Hatch({ id }: { readonly id: string }): JSX.Element {
  return (
    <defs>
      <pattern id={id} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="7" height="7" class="hatch-ground" />
        <path d="M0 0v7" class="hatch-line" />
      </pattern>
    </defs>
  );
}

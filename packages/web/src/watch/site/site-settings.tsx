// The settings of a site.
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Fact } from '../../shared/fact.tsx';
import { visible } from '../../shared/visible.ts';
import { describeSettings } from '../text.ts';

export function Settings({ settings }: Pick<WatchJson<'Site'>, 'settings'>): JSX.Element {
  return (
    <dl class="facts">
      {describeSettings(settings).map(([name, value]) => (
        <Fact key={name} name={visible(name, 100)}>
          {visible(value, 1000)}
        </Fact>
      ))}
    </dl>
  );
}

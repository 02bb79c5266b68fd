// A section of the report, with its title.
import type { ComponentChildren, JSX } from 'preact';
import { TitledSection } from '../../shared/section.tsx';
import { SECTIONS, type SectionName } from '../data/view.ts';

interface CardProps {
  readonly name: SectionName;
  readonly finding?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section(props: CardProps): JSX.Element {
  return <TitledSection {...props} title={SECTIONS[props.name]} />;
}

/**
 * The line that decides about the selected cell, and those that lost: lit up in the text, and marked beside it with a shape.
 *
 * @module
 */
import {
  type EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from '@codemirror/view';

/** Lines by their numbers, from 1. */
export interface DecidingLines {
  /** 0 if no line decides. */
  readonly winner: number;
  readonly losers: readonly number[];
  readonly isAllowed: boolean;
}

/** Other lines decide now. */
export const setDecidingLines: ReturnType<typeof StateEffect.define<DecidingLines>> =
  StateEffect.define<DecidingLines>();

class LineMark extends GutterMarker {
  readonly #sign: string;
  readonly #title: string;

  constructor(sign: string, title: string) {
    super();
    this.#sign = sign;
    this.#title = title;
  }

  override toDOM(): Node {
    const mark = document.createElement('span');
    mark.textContent = this.#sign;
    mark.title = this.#title;
    return mark;
  }
}

const MARKS = {
  winner: new LineMark('▶', 'This line decides'),
  overridden: new LineMark('×', 'Matches too, and loses'),
};

interface Lit {
  readonly decorations: DecorationSet;
  readonly marks: RangeSet<GutterMarker>;
}

const NOTHING: Lit = { decorations: Decoration.none, marks: RangeSet.empty };

const lit = StateField.define<Lit>({
  create: () => NOTHING,
  update({ decorations, marks }, { changes, effects, state }) {
    for (const effect of effects) if (effect.is(setDecidingLines)) return lightUp(effect.value, state);
    return { decorations: decorations.map(changes), marks: marks.map(changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

function lightUp({ winner, losers, isAllowed }: DecidingLines, { doc }: EditorState): Lit {
  const lines = [...new Set([...losers, winner])]
    .filter((line) => line > 0 && line <= doc.lines)
    .sort((a, b) => a - b);
  const kindOf = (line: number): 'winner' | 'overridden' => (line === winner ? 'winner' : 'overridden');
  const classOf = (line: number): string =>
    line === winner ? `cm-winner ${isAllowed ? 'cm-allowed' : 'cm-disallowed'}` : 'cm-overridden';
  return {
    decorations: Decoration.set(
      lines.map((line) => Decoration.line({ class: classOf(line) }).range(startOf(doc, line))),
    ),
    marks: RangeSet.of(lines.map((line) => MARKS[kindOf(line)].range(startOf(doc, line)))),
  };
}

function startOf(doc: Text, line: number): number {
  return doc.line(line).from;
}

/** Lights up what {@link setDecidingLines} says. */
export const decidingLines: Extension = [
  lit,
  gutter({ class: 'cm-deciding', markers: ({ state }) => state.field(lit).marks }),
];

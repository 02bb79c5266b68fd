// Marks the deciding rule of the selected cell and the rules that lose, with a background and a symbol in the gutter.
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
  readonly overridden: readonly number[];
  readonly isAllowed: boolean;
}

/** Replaces the marked lines. */
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
  overridden: new LineMark('×', 'This line matches too, but does not decide'),
};

interface Marked {
  readonly decorations: DecorationSet;
  readonly marks: RangeSet<GutterMarker>;
}

const NOTHING: Marked = { decorations: Decoration.none, marks: RangeSet.empty };

const marked = StateField.define<Marked>({
  create: () => NOTHING,
  update({ decorations, marks }, { changes, effects, state }) {
    for (const effect of effects) if (effect.is(setDecidingLines)) return markLines(effect.value, state);
    return { decorations: decorations.map(changes), marks: marks.map(changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

function markLines({ winner, overridden, isAllowed }: DecidingLines, { doc }: EditorState): Marked {
  const lines = [...new Set([...overridden, winner])]
    .filter((line) => line > 0 && line <= doc.lines)
    .sort((a, b) => a - b);
  const getKind = (line: number): 'winner' | 'overridden' => (line === winner ? 'winner' : 'overridden');
  const getClass = (line: number): string =>
    line === winner ? `cm-winner ${isAllowed ? 'cm-allowed' : 'cm-disallowed'}` : 'cm-overridden';
  return {
    decorations: Decoration.set(
      lines.map((line) => Decoration.line({ class: getClass(line) }).range(getStart(doc, line))),
    ),
    marks: RangeSet.of(lines.map((line) => MARKS[getKind(line)].range(getStart(doc, line)))),
  };
}

function getStart(doc: Text, line: number): number {
  return doc.line(line).from;
}

/** Marks the lines of {@link setDecidingLines}. */
export const decidingLines: Extension = [
  marked,
  gutter({ class: 'cm-deciding', markers: ({ state }) => state.field(marked).marks }),
];

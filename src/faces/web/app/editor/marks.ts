/** @file What the editor shows of a session: breakpoints, where both worlds stand, values at the ends of lines. */
import { syntaxTree } from '@codemirror/language';
import { type EditorState, RangeSet, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  WidgetType,
} from '@codemirror/view';
import type { FrameView, Point, Variable } from '../../session/types.ts';

export interface Marks {
  readonly points: readonly Point[];
  readonly predicted: number | null;
  readonly real: number | null;
  /** Whose values are shown. */
  readonly frame: FrameView | null;
  /** A caller's frame: its line is not about to run. */
  readonly caller: boolean;
}

export const NO_MARKS: Marks = { points: [], predicted: null, real: null, frame: null, caller: false };

export const setMarks = StateEffect.define<Marks>();

const marks = StateField.define<Marks>({
  create: () => NO_MARKS,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return effect.value;
    return value;
  },
});

/** A value longer than this is cut at the end of a line; the table has it whole. */
const LONGEST = 48;
const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

class Values extends WidgetType {
  readonly variables: readonly Variable[];

  constructor(variables: readonly Variable[]) {
    super();
    this.variables = variables;
  }

  override eq(other: Values): boolean {
    return JSON.stringify(other.variables) === JSON.stringify(this.variables);
  }

  toDOM(): HTMLElement {
    const line = document.createElement('span');
    line.className = 'cm-values';
    for (const { name, predicted, real, differs, changed } of this.variables) {
      const one = line.appendChild(document.createElement('span'));
      one.className = `cm-value${differs ? ' differs' : ''}${changed ? ' changed' : ''}`;
      one.append(`${name} = `);
      const part = (text: string | undefined, kind: string): void => {
        const span = one.appendChild(document.createElement('span'));
        span.className = kind;
        span.textContent = short(text ?? '∅');
      };
      if (differs) {
        part(predicted, 'predicted');
        one.append(' ≠ ');
        part(real, 'real');
      } else part(predicted ?? real, 'same');
    }
    return line;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Values stand on the lines that name them, from the function's first line to the one that is next. */
function valuesByLine(state: EditorState, frame: FrameView): Map<number, Variable[]> {
  const found = new Map<number, Variable[]>();
  const byName = new Map(frame.variables.filter((v) => v.scope === 'local').map((v) => [v.name, v]));
  const from = Math.max(1, frame.from ?? 1);
  const to = Math.min(state.doc.lines, frame.line ?? 0);
  if (from > to || byName.size === 0) return found;
  syntaxTree(state).iterate({
    from: state.doc.line(from).from,
    to: state.doc.line(to).to,
    enter(node) {
      if (node.name !== 'VariableName') return;
      const variable = byName.get(state.sliceDoc(node.from, node.to));
      if (!variable) return;
      const line = state.doc.lineAt(node.from).number;
      const list = found.get(line) ?? [];
      if (!list.includes(variable)) found.set(line, [...list, variable]);
    },
  });
  return found;
}

const decorations = EditorView.decorations.compute([marks, 'doc'], (state): DecorationSet => {
  const { predicted, real, frame, caller } = state.field(marks);
  const ranges = [];
  const inside = (line: number | null): line is number => line !== null && line <= state.doc.lines;
  const at = (line: number, name: string): void => {
    ranges.push(Decoration.line({ class: name }).range(state.doc.line(line).from));
  };
  const suffix = caller ? ' cm-caller' : '';
  if (inside(predicted) && predicted === real) at(predicted, `cm-here cm-both${suffix}`);
  else {
    if (inside(predicted)) at(predicted, `cm-here cm-predicted${suffix}`);
    if (inside(real)) at(real, `cm-here cm-real${suffix}`);
  }
  if (frame) {
    for (const [line, variables] of valuesByLine(state, frame)) {
      const widget = new Values(variables);
      ranges.push(Decoration.widget({ widget, side: 1 }).range(state.doc.line(line).to));
    }
  }
  return Decoration.set(ranges, true);
});

class Dot extends GutterMarker {
  readonly breakpoint: Point;

  constructor(breakpoint: Point) {
    super();
    this.breakpoint = breakpoint;
  }

  override eq(other: Dot): boolean {
    return other.breakpoint === this.breakpoint;
  }

  override toDOM(): Node {
    const dot = document.createElement('span');
    const { enabled, condition } = this.breakpoint;
    dot.className = `cm-dot${enabled ? '' : ' off'}${condition === null ? '' : ' condition'}`;
    dot.title = condition === null ? 'Breakpoint' : `Breakpoint where ${condition}`;
    return dot;
  }
}

/** `toggle` is called with a line whose margin was clicked. */
export function sessionMarks(toggle: (line: number) => void) {
  const click = (view: EditorView, block: { from: number }): boolean => {
    toggle(view.state.doc.lineAt(block.from).number);
    return true;
  };
  return [
    marks,
    decorations,
    gutter({
      class: 'cm-points',
      initialSpacer: () => new Dot({ line: 0, enabled: true, condition: null }),
      lineMarkerChange: (update) =>
        update.startState.field(marks).points !== update.state.field(marks).points,
      markers(view) {
        const { doc } = view.state;
        const dots = view.state
          .field(marks)
          .points.filter(({ line }) => line >= 1 && line <= doc.lines)
          .map((point) => new Dot(point).range(doc.line(point.line).from));
        return RangeSet.of(dots, true);
      },
      domEventHandlers: { mousedown: click },
    }),
  ];
}

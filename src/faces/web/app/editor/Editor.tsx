/** @file The program's text: edited before a session, read during one, with breakpoints in its margin. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  type ViewUpdate,
} from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import type { Point } from '../../session/types.ts';
import { store, togglePoint } from '../state/app.ts';
import { cursor, onKey } from '../state/commands.ts';
import { useSelect } from '../state/store.ts';
import { type Marks, sessionMarks, setMarks } from './marks.ts';
import { looks } from './theme.ts';

const mode = new Compartment();
/** The whole text is another one: it came from the page, not from typing. */
const replaced = Annotation.define<true>();

/** Breakpoints stay with their lines while one types. */
function movedPoints(update: ViewUpdate): readonly Point[] {
  const { points } = store.value;
  if (points.length === 0 || update.transactions.some((t) => t.annotation(replaced))) return points;
  const { doc: before } = update.startState;
  const moved = points
    .filter(({ line }) => line <= before.lines)
    .map((point) => {
      const at = update.changes.mapPos(before.line(point.line).to, -1);
      return { ...point, line: update.state.doc.lineAt(at).number };
    });
  return [...new Map(moved.map((point) => [point.line, point])).values()];
}

/** During a session the text is only read; a phone's keyboard stays away. */
const modeOf = (debugging: boolean) => [
  EditorState.readOnly.of(debugging),
  EditorView.contentAttributes.of({
    tabindex: '0',
    'aria-label': debugging ? 'Program, read only while debugging' : 'Program',
    ...(debugging ? { inputmode: 'none', 'aria-readonly': 'true' } : {}),
  }),
];

function makeEditor(parent: HTMLElement): EditorView {
  const clickNumber = (view: EditorView, block: { from: number }): boolean => {
    togglePoint(view.state.doc.lineAt(block.from).number);
    return true;
  };
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: store.value.text,
      extensions: [
        // Before the editor's own keys: during a session letters are commands.
        EditorView.domEventHandlers({ keydown: (event) => onKey(event) }),
        sessionMarks(togglePoint),
        lineNumbers({ domEventHandlers: { mousedown: clickNumber } }),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        search({ top: true }),
        indentUnit.of('    '),
        python(),
        // Tab leaves the editor while reading, so that nobody is caught in it.
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
        keymap.of([
          { ...indentWithTab, run: (view) => !view.state.readOnly && (indentWithTab.run?.(view) ?? false) },
        ]),
        mode.of(modeOf(false)),
        looks,
        EditorView.updateListener.of((update) => {
          if (update.docChanged)
            store.set({ text: update.state.doc.toString(), points: movedPoints(update) });
          if (update.selectionSet)
            cursor.line = update.state.doc.lineAt(update.state.selection.main.head).number;
        }),
      ],
    }),
  });
}

function marksOf(): Marks {
  const { view, up, points } = store.value;
  const frame = view?.position.frames[up] ?? null;
  const top = up === 0;
  const line = (spot: { line: number | null } | null | undefined) => spot?.line ?? null;
  return {
    points,
    predicted: top ? line(view?.position.predicted) : view?.position.predicted ? (frame?.line ?? null) : null,
    real: top
      ? line(view?.position.real)
      : view?.position.real
        ? (frame?.realLine ?? frame?.line ?? null)
        : null,
    frame,
    caller: !top,
  };
}

export function Editor() {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const state = useSelect(store, (s) => s);
  useEffect(() => {
    editor.current = makeEditor(host.current!);
    return () => editor.current?.destroy();
  }, []);
  useEffect(() => {
    const view = editor.current!;
    if (view.state.doc.toString() !== state.text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: state.text },
        annotations: replaced.of(true),
      });
    }
  }, [state.text]);
  useEffect(() => {
    editor.current!.dispatch({ effects: mode.reconfigure(modeOf(state.mode === 'debug')) });
  }, [state.mode]);
  useEffect(() => {
    const view = editor.current!;
    const marks = marksOf();
    const line = marks.predicted ?? marks.real;
    const effects = [setMarks.of(marks)];
    view.dispatch({ effects });
    if (line !== null && line <= view.state.doc.lines) {
      view.dispatch({
        effects: EditorView.scrollIntoView(view.state.doc.line(line).from, { y: 'nearest', yMargin: 60 }),
      });
    }
  }, [state.view, state.up, state.points, state.text]);
  return <div class="editor" ref={host} />;
}

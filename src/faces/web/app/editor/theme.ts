/** @file The editor's looks, in the page's own colours: they follow its light and dark. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags as t } from '@lezer/highlight';

const highlight = HighlightStyle.define([
  {
    tag: [t.keyword, t.controlKeyword, t.operatorKeyword, t.definitionKeyword, t.moduleKeyword],
    color: 'var(--code-keyword)',
  },
  { tag: [t.string, t.special(t.string)], color: 'var(--code-string)' },
  { tag: [t.number, t.bool, t.null, t.atom], color: 'var(--code-number)' },
  { tag: [t.comment], color: 'var(--code-comment)', fontStyle: 'italic' },
  {
    tag: [t.function(t.definition(t.variableName)), t.definition(t.className)],
    color: 'var(--code-name)',
    fontWeight: '600',
  },
  { tag: [t.function(t.variableName), t.function(t.propertyName)], color: 'var(--code-call)' },
  { tag: [t.self, t.meta], color: 'var(--code-keyword)' },
  { tag: t.invalid, color: 'var(--bad)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--code-size)', backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { padding: '10px 0 40px', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 20px 0 10px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--faint)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 2px', minWidth: '2.2em', cursor: 'pointer' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--cursor-line)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--selection)', outline: 'none' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)', borderColor: 'var(--line)' },
});

export const looks = [theme, syntaxHighlighting(highlight)];

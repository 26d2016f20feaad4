import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const frame = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface-sunken)',
    border: '1px solid var(--line-control)',
    borderRadius: 'var(--radius)',
    fontSize: 'var(--size-sm)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', minHeight: '18rem', maxHeight: '32rem' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    color: 'var(--text-faint)',
    backgroundColor: 'var(--surface-sunken)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--surface-hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--surface-pressed)',
  },
  '.cm-tooltip, .cm-panels': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface-raised)',
    border: '1px solid var(--line-strong)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface-selected)',
  },
  '.cm-completionMatchedText': { color: 'var(--accent-text)', textDecoration: 'none' },
  '.cm-completionDetail': { color: 'var(--text-muted)', fontStyle: 'normal' },
  '.cm-completionInfo': { maxWidth: '26rem', fontFamily: 'var(--font)' },
  '.cm-foldPlaceholder': { color: 'var(--text-muted)', backgroundColor: 'var(--surface-pressed)' },
});

const colors = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--text-muted)' },
  { tag: [tags.keyword, tags.definitionKeyword], color: 'var(--special-text)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--positive-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--info-text)' },
  { tag: [tags.typeName, tags.className], color: 'var(--warning-text)' },
  { tag: [tags.variableName, tags.special(tags.name)], color: 'var(--accent-text)' },
]);

/** Colors and fonts of the editor, from the design tokens of the light and dark themes. */
export const look: Extension = [frame, syntaxHighlighting(colors)];

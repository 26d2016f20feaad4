import { type Diagnostic, linter } from '@codemirror/lint';
import { type Extension, StateEffect, StateField, type Text } from '@codemirror/state';

/** Error at a position in the text. Lines and columns start at 1. */
export type EditorProblem = { readonly line: number; readonly column: number; readonly message: string };

/** Replaces the errors shown in the editor. They disappear when the text changes. */
export const setProblems = StateEffect.define<readonly EditorProblem[]>();

/** Converts a line and column to an offset, which is at most the end of the text. */
export function placeIn(text: Text, { line, column }: Omit<EditorProblem, 'message'>): number {
  if (line < 1 || line > text.lines) return text.length;
  const found = text.line(line);
  return Math.min(found.from + Math.max(column - 1, 0), found.to);
}

const field = StateField.define<readonly EditorProblem[]>({
  create: () => [],
  update: (before, { effects, docChanged }) =>
    effects.find((each) => each.is(setProblems))?.value ?? (docChanged ? [] : before),
});

const isSet = (effect: StateEffect<unknown>): boolean => effect.is(setProblems);

const marks = linter(
  ({ state }) =>
    state.field(field).map((problem): Diagnostic => {
      const from = placeIn(state.doc, problem);
      const word = state.wordAt(from);
      return { from, to: word?.to ?? from, severity: 'error', message: problem.message };
    }),
  { delay: 0, needsRefresh: ({ transactions }) => transactions.some(({ effects }) => effects.some(isSet)) },
);

/** Marks errors returned by the service, in addition to errors found with the schema. */
export const problemMarks: Extension = [field, marks];

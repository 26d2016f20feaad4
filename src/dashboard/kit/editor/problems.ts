import { type Diagnostic, linter } from '@codemirror/lint';
import { type Extension, StateEffect, StateField, type Text } from '@codemirror/state';

/** What is wrong at a place of the text; lines and columns count from 1. */
export type EditorProblem = { readonly line: number; readonly column: number; readonly message: string };

/** Shows other problems. They go with the next change of the text. */
export const setProblems = StateEffect.define<readonly EditorProblem[]>();

/** The place in a text of a line and a column, at most its end. */
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

/** Marks what the service found wrong, beside what the schema says of the text. */
export const problemMarks: Extension = [field, marks];

import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { graphql, updateSchema } from 'cm6-graphql';
import type { GraphQLSchema } from 'graphql';
import { useEffect, useEffectEvent, useRef } from 'react';
import { editing } from './editing.ts';
import { type EditorProblem, placeIn, problemMarks, setProblems } from './problems.ts';
import { look } from './theme.ts';

type EditorProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Schema for completion and validation. `null` disables both. */
  readonly schema: GraphQLSchema | null;
  /** Errors returned by the service. When `at` changes, the cursor moves to this position. */
  readonly problems: readonly EditorProblem[];
  readonly at: EditorProblem | null;
  /** Called when the user presses Mod+Enter. */
  readonly onRun: () => void;
  /** Called with the type of the clicked name on Mod+click. */
  readonly onShow: (type: string) => void;
};

/** Returns the nonce that allows the editor to add styles. */
function nonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce ?? '';
}

/** Replaces the selection with the typed text. Chromium would insert inline styles, which the content security policy blocks. */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { main } = view.state.selection;
  const text = event.data ?? '';
  if (event.inputType !== 'insertText' || text === '' || main.empty || view.composing) return false;
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type' });
  const handlers = view.state.facet(EditorView.inputHandler);
  event.preventDefault();
  if (!handlers.some((handle) => handle(view, main.from, main.to, text, insert))) view.dispatch(insert());
  return true;
}

/** Editor for GraphQL documents with completion and validation. */
export function GraphqlEditor({ label, value, onChange, schema, problems, at, onRun, onShow }: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useEffectEvent(onChange);
  const run = useEffectEvent(onRun);
  const show = useEffectEvent(onShow);
  const first = useEffectEvent(() => value);

  useEffect(() => {
    const runKey = {
      key: 'Mod-Enter',
      run: () => {
        run();
        return true;
      },
    };
    const opened = new EditorView({
      parent: place.current as HTMLDivElement,
      state: EditorState.create({
        doc: first(),
        extensions: [
          EditorView.cspNonce.of(nonce()),
          Prec.highest(keymap.of([runKey])),
          editing,
          look,
          EditorView.domEventHandlers({ beforeinput: replaceSelection }),
          problemMarks,
          graphql(undefined, {
            onShowInDocs: (_field, type, parent) => show(type ?? parent ?? ''),
          }),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) changed(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = opened;
    return () => opened.destroy();
  }, [label]);

  useEffect(() => {
    const { current } = view;
    if (current === null || current.state.doc.toString() === value) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    if (view.current !== null && schema !== null) updateSchema(view.current, schema);
  }, [schema]);

  useEffect(() => view.current?.dispatch({ effects: setProblems.of(problems) }), [problems]);

  useEffect(() => {
    const { current } = view;
    if (current === null || at === null) return;
    current.dispatch({ selection: { anchor: placeIn(current.state.doc, at) }, scrollIntoView: true });
    current.focus();
  }, [at]);

  return <div ref={place} />;
}

import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { graphql, updateSchema } from 'cm6-graphql';
import type { GraphQLSchema } from 'graphql';
import { useEffect, useEffectEvent, useRef } from 'react';
import { editing } from './editing.ts';
import { look } from './look.ts';
import { type EditorProblem, placeIn, problemMarks, setProblems } from './problems.ts';

type EditorProps = {
  /** What is typed, for readers. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What completion and checks go by; neither is there without it. */
  readonly schema: GraphQLSchema | null;
  /** What the service found wrong. The cursor goes to `at` whenever it changes. */
  readonly problems: readonly EditorProblem[];
  readonly at: EditorProblem | null;
  /** Mod+Enter. */
  readonly onRun: () => void;
  /** Mod+click on a name. */
  readonly onShow: (type: string) => void;
};

/** The nonce with which the page may add styles. */
function nonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce ?? '';
}

/** Replaces a selection by what is typed: left to itself, Chromium writes styles into the text, which the content policy stops. */
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

/** An editor for GraphQL documents, with completion and checks by a schema. */
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

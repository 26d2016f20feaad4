import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Words } from '../words/en.ts';
import { usePage } from './current-page.ts';
import { acting } from './late.ts';
import { NoAnswer, Rejection, Said } from './service.ts';
import { complaint, type State } from './step-state.ts';

export type { Problems } from './step-state.ts';

/** What a page found when it asked how things stand. */
export type Reloaded = {
  /** Whether there is still something to do; null where that could not be asked. */
  readonly isOpen: boolean | null;
  /** The element that gets the focus where nothing went wrong. */
  readonly focus?: string;
};

const idle: State = {
  isBusy: false,
  working: null,
  alert: null,
  problems: {},
  isDeclined: false,
  focus: null,
};

/** What a page says itself about an error; null where it says what every page does. */
export type Explain = (error: unknown) => string | null;

/** What is said about an error. One of the page itself is reported to the browser. */
async function explained(
  words: Words,
  fields: readonly string[],
  error: unknown,
  explain: Explain,
): Promise<Partial<State>> {
  const own = explain(error);
  if (own !== null) return complaint(own);
  if (error instanceof NoAnswer) return complaint(words.unknownOutcome);
  if (error instanceof Said) return complaint(error.message);
  if (error instanceof Rejection) {
    const late = await acting().catch(() => null);
    if (late !== null) return late.rejected(late.said, fields, error);
  } else reportError(error);
  return complaint(words.unknownError);
}

/** The steps a payer takes at a page with these fields, in their order: one at a time, with the page locked, and what went wrong said beside what it is about; `explain` has the first word. */
export function useSteps(fields: readonly string[], explain: Explain = () => null) {
  const { words } = usePage();
  const [state, setState] = useState<State>(idle);
  const isBusy = useRef(false);

  // What is shown by now can be focused.
  useLayoutEffect(() => {
    if (state.focus === null) return;
    const element = document.getElementById(state.focus.id);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'center' });
  }, [state.focus]);
  useLayoutEffect(() => document.body.setAttribute('aria-busy', String(state.isBusy)), [state.isBusy]);

  const change = (part: Partial<State>): void => setState((before) => ({ ...before, ...part }));
  const showMissing = (): void => change(complaint(words.unknownError));

  /**
   * Takes a step with the page locked and asks how things stand, whatever the step answered; what went wrong is said afterwards, unless there is
   * nothing left to do.
   */
  async function attempt<Result>(
    step: () => Promise<Result>,
    reload: (result: Result | null) => Promise<Reloaded>,
  ): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    setState({ ...idle, isBusy: true, working: words.frame.working });
    let result: Result | null = null;
    let problem: { readonly error: unknown } | null = null;
    try {
      result = await step();
    } catch (error) {
      problem = { error };
    }
    const { isOpen, focus } = await reload(result);
    // What is over, here or in another window, shows itself so.
    const isSaid = problem !== null && isOpen !== false;
    const outcome = isSaid
      ? await explained(words, fields, problem?.error, explain)
      : focus === undefined
        ? {}
        : { focus: { id: focus } };
    isBusy.current = false;
    setState({ ...idle, ...outcome });
  }

  return {
    ...state,
    attempt,
    /** Looks how things stand, unless a step does so when it is over. */
    look: (reload: (result: null) => Promise<Reloaded>): void => {
      if (!isBusy.current) void reload(null);
    },
    /** Says what went wrong, at the button. */
    complain: (alert: string | null) => change(alert === null ? { alert: null } : complaint(alert)),
    /** Says what is wrong with a field; nothing where the text is empty. */
    mark: (name: string, text: string) =>
      setState((before) => ({ ...before, problems: { ...before.problems, [name]: text } })),
    /** Says nothing of what went wrong any more. */
    clear: () => change({ alert: null, problems: {} }),
    /** Says what is wrong with fields before anything is sent, and focuses the first of them. */
    markAll: (names: readonly string[]): void =>
      void acting().then(({ marked, said }) => change(marked(said, fields, names)), showMissing),
    /** Says what the service rejected, at the button. */
    reject: (error: Rejection): void =>
      void acting().then(({ sentenceOf, said }) => change(complaint(sentenceOf(said, error))), showMissing),
    /** Says that an operation is sent again. */
    onWait: () => void acting().then(({ said }) => change({ working: said.stillWaiting }), showMissing),
  };
}

/** What a page and its parts know of the steps. */
export type Steps = ReturnType<typeof useSteps>;

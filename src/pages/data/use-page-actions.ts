import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Words } from '../words/areas.ts';
import { complaint, type State } from './action-state.ts';
import { usePage } from './current-page.ts';
import { type LazyCode, loadCode } from './lazy-code.ts';
import { pressedButton } from './pressed-button.ts';
import { DisplayedError, NoAnswer, Rejection } from './service.ts';

export type { Problems } from './action-state.ts';

/** Page state after an action. */
export type Reloaded = {
  /** True if further actions are possible. `null` if the state couldn't be loaded. */
  readonly isOpen: boolean | null;
  /** ID of the element that receives the focus after a successful action. */
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

/** Returns the page's own text for an error. `null` selects the common text. */
export type Explain = (error: unknown) => string | null;

/** Returns the state with the text of an error. Errors in the page's own code are also reported as uncaught errors in the browser. */
async function explained(
  words: Words,
  fields: readonly string[],
  error: unknown,
  explain: Explain,
): Promise<Partial<State>> {
  const own = explain(error);
  if (own !== null) return complaint(own);
  if (error instanceof DisplayedError) return complaint(error.message);
  if (error instanceof NoAnswer || error instanceof Rejection) {
    // Requests are sent only after the lazy code has loaded, so the messages in that code are available.
    const lazyCode = await loadCode().catch(() => null);
    if (lazyCode === null) return complaint(words.unknownError);
    return error instanceof NoAnswer
      ? complaint(lazyCode.words.unknownOutcome)
      : lazyCode.rejected(lazyCode.words, fields, error);
  }
  reportError(error);
  return complaint(words.unknownError);
}

/** Focuses an element and scrolls it into view, after it has become visible. */
function useFocus(focus: State['focus']): void {
  useLayoutEffect(() => {
    if (focus === null) return;
    const element = document.getElementById(focus.id);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'center' });
  }, [focus]);
}

/**
 * Runs the actions of a page. One action runs at a time and locks the page. Errors are shown at their fields, whose names are passed in page order.
 * `explain` can replace error messages.
 */
export function usePageActions(fields: readonly string[], explain: Explain = () => null) {
  const { words } = usePage();
  const [state, setState] = useState<State>(idle);
  const isBusy = useRef(false);

  useFocus(state.focus);
  useLayoutEffect(() => document.body.setAttribute('aria-busy', String(state.isBusy)), [state.isBusy]);

  const change = (part: Partial<State>): void => setState((before) => ({ ...before, ...part }));
  /** Changes the state with the lazy code. Shows a general error if the code can't be loaded. */
  const changeWith = (next: (code: LazyCode) => Partial<State>): void =>
    void loadCode().then(
      (code) => change(next(code)),
      () => change(complaint(words.unknownError)),
    );

  /**
   * Runs an action with the page locked, and reloads the state afterwards. If the action failed, shows its error unless no further actions are
   * possible.
   */
  async function attempt<Result>(
    step: () => Promise<Result>,
    reload: (result: Result | null) => Promise<Reloaded>,
  ): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    setState({ ...idle, isBusy: true, working: words.frame.working });
    const button = pressedButton();
    // The button's style shows a spinner and this text.
    button?.setAttribute('data-working', words.frame.working);
    let result: Result | null = null;
    let problem: { readonly error: unknown } | null = null;
    try {
      result = await step();
    } catch (error) {
      problem = { error };
    }
    const { isOpen, focus } = await reload(result);
    // If the purchase was completed, in this window or another one, the page shows the result instead of an error.
    const isErrorShown = problem !== null && isOpen !== false;
    const outcome = isErrorShown
      ? await explained(words, fields, problem?.error, explain)
      : focus === undefined
        ? {}
        : { focus: { id: focus } };
    isBusy.current = false;
    button?.removeAttribute('data-working');
    setState({ ...idle, ...outcome });
  }

  return {
    ...state,
    attempt,
    /** Reloads the state, unless an action is running. Actions reload the state when they end. */
    look: (reload: (result: null) => Promise<Reloaded>): void => {
      if (!isBusy.current) void reload(null);
    },
    /** Shows an error next to the button while the customer fills in the form. Doesn't move the focus. */
    complain: (alert: string | null) => change({ alert }),
    /** Shows an error at a field. An empty string removes the error. */
    mark: (name: string, text: string) =>
      setState((before) => ({ ...before, problems: { ...before.problems, [name]: text } })),
    /** Removes all errors from the page. */
    clear: () => change({ alert: null, problems: {} }),
    /** Shows errors at fields before a request is sent, and focuses the first field. */
    markAll: (names: readonly string[]): void => changeWith((code) => code.marked(code.words, fields, names)),
    /** Shows the error message of a rejected request. */
    reject: (error: Rejection): void => changeWith((code) => ({ alert: code.sentenceOf(code.words, error) })),
    /** Shows that a request without a response is sent again. */
    onWait: (): void => changeWith(({ words: { stillWaiting } }) => ({ working: stillWaiting })),
  };
}

export type PageActions = ReturnType<typeof usePageActions>;

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fieldSentence, isAboutPromoCode, promoSentence, sentenceOf } from '../sentences.ts';
import type { Words } from '../words/en.ts';
import { usePage } from './current-page.ts';
import { NoAnswer, Rejection, type RejectionDetails, Said } from './service.ts';
import { fieldAt, fieldElement } from './typed.ts';

/** What is wrong with fields, by their names. */
export type Problems = Readonly<Record<string, string>>;

type State = {
  readonly isBusy: boolean;
  /** What is being done; null while nothing is. */
  readonly working: string | null;
  readonly alert: string | null;
  readonly problems: Problems;
  /** Whether the payment was declined. */
  readonly isDeclined: boolean;
  /** The element that gets the focus next. */
  readonly focus: { readonly id: string } | null;
};

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

const declines: readonly string[] = ['charge_failed', 'payment_failed'];

const isArray = (value: unknown): value is readonly { readonly field: string }[] => Array.isArray(value);

const complaint = (alert: string): Partial<State> => ({ alert, focus: { id: 'alert' } });

/** What is wrong with fields of the page, the first of them focused; what is about none of them is said at the button. */
function marked(
  words: Words,
  fields: readonly string[],
  problems: readonly (readonly [field: string, text: string])[],
): Partial<State> {
  const placed = problems.filter(([name]) => fields.includes(name) && fieldElement(name) !== null);
  const [first] = fields.filter((name) => placed.some(([each]) => each === name));
  return {
    problems: Object.fromEntries(placed),
    ...(placed.length < problems.length ? complaint(words.codes.validation_error) : {}),
    ...(first === undefined ? {} : { focus: { id: first } }),
  };
}

function rejected(words: Words, fields: readonly string[], error: RejectionDetails): Partial<State> {
  if (isAboutPromoCode(error)) return marked(words, fields, [['promoCode', promoSentence(words, error)]]);
  const details = error.code === 'validation_error' && isArray(error.details) ? error.details : [];
  if (details.length === 0)
    return { ...complaint(sentenceOf(words, error)), isDeclined: declines.includes(error.code) };
  return marked(
    words,
    fields,
    details.map(({ field }) => [fieldAt(field), fieldSentence(words, fieldAt(field))]),
  );
}

/** What a page says itself about an error; null where it says what every page does. */
export type Explain = (error: unknown) => string | null;

/** What is said about an error. One of the page itself is reported to the browser. */
function explained(
  words: Words,
  fields: readonly string[],
  error: unknown,
  explain: Explain,
): Partial<State> {
  const own = explain(error);
  if (own !== null) return complaint(own);
  if (error instanceof NoAnswer) return complaint(words.unknownOutcome);
  if (error instanceof Said) return complaint(error.message);
  if (error instanceof Rejection) return rejected(words, fields, error);
  reportError(error);
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
    isBusy.current = false;
    // What is over, here or in another window, shows itself so.
    const isSaid = problem !== null && isOpen !== false;
    setState({
      ...idle,
      ...(isSaid
        ? explained(words, fields, problem?.error, explain)
        : focus === undefined
          ? {}
          : { focus: { id: focus } }),
    });
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
    markAll: (names: readonly string[]) =>
      change(
        marked(
          words,
          fields,
          names.map((name) => [name, fieldSentence(words, name)] as const),
        ),
      ),
    /** Says that an operation is sent again. */
    onWait: () => change({ working: words.frame.waiting }),
  };
}

/** What a page and its parts know of the steps. */
export type Steps = ReturnType<typeof useSteps>;

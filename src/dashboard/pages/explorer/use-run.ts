import { useEffect, useRef, useState } from 'react';
import { ApiError, type GraphqlError } from '../../data/api-error.ts';
import { followTyped, runTyped, type TypedRequest } from '../../data/explore.ts';

/** An error of an answer, with its places. */
export type LocatedError = GraphqlError & {
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
};

/** An answer, counted from 1. */
export type NumberedAnswer = { readonly number: number; readonly value: unknown };

export type Outcome = {
  readonly kind: string;
  /** The answer; for a live field each that came, the latest first. */
  readonly answers: readonly NumberedAnswer[];
  readonly errors: readonly LocatedError[];
  readonly milliseconds: number | null;
  readonly cost: number | null;
  /** Why there is no answer. */
  readonly failure: ApiError | null;
};

const nothing: Omit<Outcome, 'kind'> = {
  answers: [],
  errors: [],
  milliseconds: null,
  cost: null,
  failure: null,
};

/** How many answers of a live field are kept. */
const most = 50;

const errorsIn = (answer: unknown): readonly LocatedError[] =>
  (answer as { readonly errors?: readonly LocatedError[] } | null)?.errors ?? [];

async function answered(request: TypedRequest, signal: AbortSignal): Promise<Outcome> {
  const { kind } = request;
  try {
    const { answer, milliseconds } = await runTyped(request, signal);
    const { extensions, ...shown } = answer;
    const cost = extensions?.cost?.requested ?? null;
    return {
      ...nothing,
      kind,
      answers: [{ number: 1, value: shown }],
      errors: errorsIn(shown),
      milliseconds,
      cost,
    };
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError({ code: 'no_answer', message: '' });
    return { ...nothing, kind, failure };
  }
}

/** What a socket says of an operation it does not begin, or of a socket that does not open. */
const socketErrors = (error: unknown): readonly LocatedError[] =>
  Array.isArray(error) ? (error as LocatedError[]) : [];

export type Runner = {
  readonly outcome: Outcome | null;
  readonly isRunning: boolean;
  readonly run: (request: TypedRequest) => void;
  readonly stop: () => void;
};

/** Runs what was typed: one at a time, a live field until it is stopped. */
export function useRun(): Runner {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isRunning, setRunning] = useState(false);
  const ending = useRef<() => void>(() => undefined);
  const stop = (): void => {
    ending.current();
    ending.current = () => undefined;
    setRunning(false);
  };
  const follow = (request: TypedRequest): (() => void) => {
    setOutcome({ ...nothing, kind: request.kind });
    const add = (change: (before: Outcome) => Partial<Outcome>): void =>
      setOutcome((before) => (before === null ? before : { ...before, ...change(before) }));
    return followTyped(request, {
      next: (answer) =>
        add(({ answers }) => ({
          answers: [{ number: (answers[0]?.number ?? 0) + 1, value: answer }, ...answers].slice(0, most),
          errors: errorsIn(answer),
        })),
      error: (error) => {
        const errors = socketErrors(error);
        const failure = errors.length > 0 ? null : new ApiError({ code: 'no_answer', message: '' });
        add(() => ({
          errors,
          failure,
          ...(errors.length > 0 && { answers: [{ number: 1, value: { errors } }] }),
        }));
        setRunning(false);
      },
      complete: () => setRunning(false),
    });
  };
  const ask = (request: TypedRequest): (() => void) => {
    const aborter = new AbortController();
    void answered(request, aborter.signal).then((found) => {
      if (aborter.signal.aborted) return;
      setOutcome(found);
      setRunning(false);
    });
    return () => aborter.abort();
  };
  const run = (request: TypedRequest): void => {
    stop();
    setRunning(true);
    ending.current = request.kind === 'subscription' ? follow(request) : ask(request);
  };
  useEffect(() => () => ending.current(), []);
  return { outcome, isRunning, run, stop };
}

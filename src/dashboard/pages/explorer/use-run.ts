import { useEffect, useRef, useState } from 'react';
import { ApiError, type GraphqlError } from '../../data/api-error.ts';
import { followTyped, runTyped, type TypedRequest } from '../../data/explorer-requests.ts';

/** Error in a response, with its positions in the document. */
export type LocatedError = GraphqlError & {
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
};

/** Response with its sequence number, starting at 1. */
type NumberedAnswer = { readonly number: number; readonly value: unknown };

export type Outcome = {
  readonly kind: string;
  /** Response to a query or mutation, or the results of a live field, newest first. */
  readonly answers: readonly NumberedAnswer[];
  readonly errors: readonly LocatedError[];
  readonly milliseconds: number | null;
  readonly cost: number | null;
  /** Error for a request that got no response. */
  readonly failure: ApiError | null;
};

const nothing: Omit<Outcome, 'kind'> = {
  answers: [],
  errors: [],
  milliseconds: null,
  cost: null,
  failure: null,
};

/** Maximum number of results of a live field that are kept in memory. */
const maxAnswers = 50;

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

/** Returns the errors of a rejected operation or a failed connection. */
const socketErrors = (error: unknown): readonly LocatedError[] =>
  Array.isArray(error) ? (error as LocatedError[]) : [];

export type Runner = {
  readonly outcome: Outcome | null;
  readonly isRunning: boolean;
  readonly run: (request: TypedRequest) => void;
  readonly stop: () => void;
};

/** Runs documents from the editor, one at a time. A live field runs until it is stopped. */
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
          answers: [{ number: (answers[0]?.number ?? 0) + 1, value: answer }, ...answers].slice(
            0,
            maxAnswers,
          ),
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

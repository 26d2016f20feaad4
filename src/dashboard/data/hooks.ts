import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { createRequest, useClient, useQuery } from 'urql';
import { pipe, subscribe } from 'wonka';
import type { Document } from '../../ui/documents.ts';
import { type ApiError, apiErrorOf } from './api-error.ts';
import { show } from './event-bus.ts';
import { remember } from './texts.ts';
import type { RequestOptions } from './transport.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a page knows of its data. */
export type Data<Result> = {
  /** Null until the first answer; afterwards the latest one, also while it is asked for again. */
  readonly data: Result | null;
  readonly error: ApiError | null;
  /** Whether a later answer is on its way. */
  readonly isStale: boolean;
  /** Whether an answer is on its way, the first or a later one. */
  readonly isLoading: boolean;
  /** Asks the service again. */
  readonly refetch: () => void;
};

type DataOptions = {
  /** Asks nothing while true. */
  readonly isPaused?: boolean;
};

/** The answer to a query. Never throws; keeps the last answer while variables change. Objects in it change when events say so. */
export function useData<Result, Variables extends Values>(
  document: Document<Result, Variables>,
  variables: Variables,
  { isPaused = false }: DataOptions = {},
): Data<Result> {
  const [state, execute] = useQuery<Result, Variables>({
    query: remember(document),
    variables,
    pause: isPaused,
  } as Parameters<typeof useQuery<Result, Variables>>[0]);
  const [kept, setKept] = useState<Result | null>(null);
  if (state.data !== undefined && state.data !== kept) setKept(state.data);
  const data = state.data ?? (isPaused ? null : kept);
  useEffect(
    () => (isPaused ? undefined : show(() => execute({ requestPolicy: 'network-only' }))),
    [execute, isPaused],
  );
  return {
    data,
    error: apiErrorOf(state.error),
    isStale: data !== null && (state.stale || state.fetching),
    isLoading: state.fetching,
    refetch: useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]),
  };
}

/** How an action stands. */
export type ActionState = { readonly isRunning: boolean; readonly error: ApiError | null };

/** Runs an action: answers what it made, or the ApiError. */
export type Run<Result, Variables> = (variables: Variables) => Promise<Result | ApiError>;

type Key = { readonly of: string; readonly value: string };

/**
 * An action by a mutation. A repetition of the same input before there is an answer has the same idempotency key, so that a double click or a lost
 * answer acts once.
 */
export function useAction<Result, Variables extends Values>(
  document: Document<Result, Variables>,
  options: RequestOptions = {},
): [Run<Result, Variables>, ActionState] {
  const client = useClient();
  const [state, setState] = useState<ActionState>({ isRunning: false, error: null });
  const key = useRef<Key | null>(null);
  const run = useEffectEvent(async (variables: Variables): Promise<Result | ApiError> => {
    const of = JSON.stringify(variables);
    if (key.current?.of !== of) key.current = { of, value: crypto.randomUUID() };
    const request = { ...options, idempotencyKey: key.current.value };
    setState({ isRunning: true, error: null });
    const result = await client
      .mutation(remember(document) as string, variables, { request } as never)
      .toPromise();
    const error = apiErrorOf(result.error);
    if (error?.isUncertain !== true) key.current = null;
    setState({ isRunning: false, error });
    return error ?? (result.data as Result);
  });
  return [useCallback((variables: Variables) => run(variables), []), state];
}

/** Follows a live field while the part is on screen. Objects in its answers change on the page by themselves. */
export function useLive<Result, Variables extends Values>(
  document: Document<Result, Variables>,
  variables: Variables,
  onEvent?: (result: Result) => void,
  { isPaused = false }: DataOptions = {},
): void {
  const client = useClient();
  const handle = useEffectEvent((result: Result) => onEvent?.(result));
  const input = JSON.stringify(variables);
  // biome-ignore lint/correctness/useExhaustiveDependencies: Variables are the same when their text is.
  const request = useMemo(
    () => createRequest<Result, Variables>(remember(document) as string, variables as never),
    [document, input],
  );
  useEffect(() => {
    if (isPaused) return undefined;
    const { unsubscribe } = pipe(
      client.executeSubscription<Result, Variables>(request),
      subscribe(({ data }) => {
        if (data !== undefined && data !== null) handle(data);
      }),
    );
    return unsubscribe;
  }, [client, request, isPaused]);
}

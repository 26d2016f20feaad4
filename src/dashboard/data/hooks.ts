import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { createRequest, useClient, useQuery } from 'urql';
import { pipe, subscribe } from 'wonka';
import type { Document } from '../../ui/documents.ts';
import { type ApiError, apiErrorOf } from './api-error.ts';
import { show } from './event-bus.ts';
import { remember } from './texts.ts';
import type { RequestOptions } from './transport.ts';
import { useRecovery } from './use-recovery.ts';

type Values = Readonly<Record<string, unknown>>;

/** State of a query. */
export type Data<Result> = {
  /** Latest response. `null` until the first response. While a newer response loads, the previous one remains. */
  readonly data: Result | null;
  readonly error: ApiError | null;
  /** True while a newer response loads. */
  readonly isStale: boolean;
  /** True while any response loads, including the first response. */
  readonly isLoading: boolean;
  /** Reruns the query. */
  readonly refetch: () => void;
};

type DataOptions = {
  /** True to pause the query. */
  readonly isPaused?: boolean;
};

/**
 * Returns the response to a query. Never throws. After the variables change, returns the previous response until the new one arrives. Events update
 * the objects in the response. Repeats a query that failed without a response once the connection is back.
 */
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
  const [latest, setLatest] = useState<Result | null>(null);
  if (state.data !== undefined && state.data !== latest) setLatest(state.data);
  const data = state.data ?? (isPaused ? null : latest);
  useEffect(
    () => (isPaused ? undefined : show(() => execute({ requestPolicy: 'network-only' }))),
    [execute, isPaused],
  );
  const error = apiErrorOf(state.error);
  useRecovery(!isPaused && error?.isUncertain === true, () => execute({ requestPolicy: 'network-only' }));
  return {
    data,
    error,
    isStale: data !== null && (state.stale || state.fetching),
    isLoading: state.fetching,
    refetch: useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]),
  };
}

export type ActionState = { readonly isRunning: boolean; readonly error: ApiError | null };

/** Sends the mutation. Returns the result or an `ApiError`. */
export type Run<Result, Variables> = (variables: Variables) => Promise<Result | ApiError>;

type Key = { readonly of: string; readonly value: string };

/**
 * Returns a function that sends a mutation. Repeating the same input before a response arrives reuses the idempotency key, so that a double click or
 * a lost response takes effect only once.
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

/** Subscribes to a live field while the component is mounted. The results update the page through the cache. */
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

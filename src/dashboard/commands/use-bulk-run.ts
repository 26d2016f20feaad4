import { useRef, useState } from 'react';
import { ApiError } from '../data/api-error.ts';
import { useSend } from '../data/send.ts';
import type { BulkItem } from './bulk-subjects.ts';
import type { AnyCommand, Result } from './command.ts';

type BulkRejection = { readonly item: BulkItem; readonly error: ApiError };
type BulkSuccess = { readonly item: BulkItem; readonly result: Result };

export type BulkRun = {
  readonly isRunning: boolean;
  /** Number of rows that this run has processed so far. */
  readonly done: number;
  readonly of: number;
  readonly successes: readonly BulkSuccess[];
  readonly rejections: readonly BulkRejection[];
};

const atRest: BulkRun = { isRunning: false, done: 0, of: 0, successes: [], rejections: [] };

/**
 * Runs a command for one row at a time. A rejected row doesn't stop the remaining rows, and rejected rows can be
 * retried. A row without a response keeps its idempotency key, so that a retry takes effect only once.
 */
export function useBulkRun(command: AnyCommand) {
  const send = useSend();
  const [state, setState] = useState<BulkRun>(atRest);
  const keys = useRef(new Map<string, string>());
  const one = async (item: BulkItem, input: object): Promise<Result | ApiError> => {
    const of = JSON.stringify([item.id, input]);
    const key = keys.current.get(of) ?? crypto.randomUUID();
    keys.current.set(of, key);
    const answer = await send(command.document, { input } as never, key);
    const isLost = answer instanceof ApiError && answer.isUncertain;
    if (!isLost) keys.current.delete(of);
    return answer instanceof ApiError ? answer : (command.result?.(answer as never) ?? {});
  };
  const run = async (items: readonly BulkItem[], inputOf: (item: BulkItem) => object | null) => {
    let now: BulkRun = { ...state, isRunning: true, done: 0, of: items.length, rejections: [] };
    setState(now);
    for (const item of items) {
      const input = inputOf(item);
      if (input !== null) {
        const result = await one(item, input);
        now =
          result instanceof ApiError
            ? { ...now, rejections: [...now.rejections, { item, error: result }] }
            : { ...now, successes: [...now.successes, { item, result }] };
      }
      now = { ...now, done: now.done + 1 };
      setState(now);
    }
    setState({ ...now, isRunning: false });
  };
  return { ...state, run };
}

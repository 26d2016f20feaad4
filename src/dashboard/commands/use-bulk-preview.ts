import { useEffect, useState } from 'react';
import { ApiError } from '../data/api-error.ts';
import { useAsk } from '../data/send.ts';
import { CommandPreviewDocument, type CommandPreviewQuery } from '../parts/billing/previewed.graphql';
import type { BulkItem } from './bulk-subjects.ts';
import type { AnyCommand } from './command.ts';
import { type Amount, outcomeOf, sumsOf } from './outcome.ts';

/** Total effect of a command across all rows. */
export type BulkPreview = {
  /** Number of rows previewed so far. */
  readonly done: number;
  readonly charged: readonly Amount[];
  readonly unpaid: readonly Amount[];
  /** Next charges with and without the command. */
  readonly next: readonly Amount[];
  readonly nextWithout: readonly Amount[];
  /** IDs of rows whose command would be rejected. */
  readonly rejected: readonly string[];
};

const nothing: BulkPreview = { done: 0, charged: [], unpaid: [], next: [], nextWithout: [], rejected: [] };

/** Command inputs by row ID. `null` until the form is complete. */
export type BulkInputs = ReadonlyMap<string, object> | null;

/** Previews a command for one row at a time and adds up the results. Returns `null` for commands without a preview. */
export function useBulkPreview(
  command: AnyCommand,
  items: readonly BulkItem[],
  inputs: BulkInputs,
  isPaused: boolean,
): BulkPreview {
  const ask = useAsk();
  const [state, setState] = useState({ key: '', preview: nothing });
  const key = inputs === null || isPaused ? '' : JSON.stringify([...inputs]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: The key stands for the rows and their inputs.
  useEffect(() => {
    if (key === '' || inputs === null || command.preview === undefined) return undefined;
    let isCurrent = true;
    const previewOf = command.preview;
    const run = async () => {
      let preview = nothing;
      for (const { id } of items) {
        const input = inputs.get(id);
        const answer = await ask(CommandPreviewDocument, { command: previewOf(input as never) });
        if (!isCurrent) return;
        preview = added(preview, id, answer);
        setState({ key, preview });
      }
    };
    void run();
    return () => {
      isCurrent = false;
    };
  }, [key, command, ask]);
  return state.key === key ? state.preview : nothing;
}

const withCharge = (amounts: readonly Amount[], charge: Amount | null): readonly Amount[] =>
  charge === null ? amounts : sumsOf([...amounts, { amount: charge.amount, currency: charge.currency }]);

function added(before: BulkPreview, id: string, answer: CommandPreviewQuery | ApiError): BulkPreview {
  const done = before.done + 1;
  if (answer instanceof ApiError) return { ...before, done, rejected: [...before.rejected, id] };
  const { subscriptionPreview } = answer;
  const { charged, unpaid, isRejected } = outcomeOf(subscriptionPreview);
  if (isRejected) return { ...before, done, rejected: [...before.rejected, id] };
  return {
    ...before,
    done,
    charged: sumsOf([...before.charged, ...charged]),
    unpaid: sumsOf([...before.unpaid, ...unpaid]),
    next: withCharge(before.next, subscriptionPreview.nextCharge),
    nextWithout: withCharge(before.nextWithout, subscriptionPreview.nextChargeWithout),
  };
}

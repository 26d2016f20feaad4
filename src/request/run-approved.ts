import type { Row } from '../platform/db/rows.ts';
import type { RunDecision } from './approved-run.ts';
import type { App, RequestContext } from './context.ts';

// Approved calls that Quittance makes as the API keys that requested them.

/** Functions that make approved calls. */
export type ApprovedRunner = {
  /**
   * Makes an approved call, at most once. The caller of `ctx` is the API key. Returns `false` if the call had already been made. Throws the error of
   * a call that changed nothing, whose approval stays usable.
   */
  readonly run: (
    ctx: RequestContext,
    approval: Row<'Approval'>,
    decision: RunDecision | null,
  ) => Promise<boolean>;
  /** Returns the reason why Quittance never calls an operation: it records usage, or its response contains a secret. `null` if Quittance can call the operation. */
  readonly exclusionOf: (operation: string) => 'usage' | 'secret' | null;
};

const runners = new WeakMap<App, ApprovedRunner>();

/** Sets the functions that make approved calls. */
export const setApprovedRunner = (app: App, runner: ApprovedRunner): void => void runners.set(app, runner);

/** Returns the functions that make approved calls. */
export function approvedRunnerOf(app: App): ApprovedRunner {
  const runner = runners.get(app);
  if (runner === undefined) throw new Error('This process makes no calls.');
  return runner;
}

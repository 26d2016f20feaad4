import { ApiError } from './api-error.ts';
import { createStore } from './store.ts';

/** Whether someone has to prove who they are before an action goes on. */
export const isProofNeeded = createStore(false);

let waiting: PromiseWithResolvers<boolean> | null = null;

/** Resolves once the person was proved again, or with false when that was not wanted; the dialog for it opens over the page. */
export function proven(): Promise<boolean> {
  waiting ??= Promise.withResolvers<boolean>();
  isProofNeeded.set(true);
  return waiting.promise;
}

/** Lets actions go on that waited for a proof, or fail. */
export function finishProof(isProven: boolean): void {
  isProofNeeded.set(false);
  waiting?.resolve(isProven);
  waiting = null;
}

/** Does what needs a fresh proof of the person, which is asked for where it is missing. */
export async function withProof<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isMissing = error instanceof ApiError && error.code === 'reauthentication_required';
    if (!isMissing || !(await proven())) throw error;
    return work();
  }
}

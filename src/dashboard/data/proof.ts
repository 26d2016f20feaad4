import { createStore } from './store.ts';

/** Whether someone has to type the password again before an action goes on. */
export const isProofNeeded = createStore(false);

let waiting: PromiseWithResolvers<boolean> | null = null;

/** Resolves once the password was typed again, or with false when that was not wanted; the dialog for it opens over the page. */
export function proven(): Promise<boolean> {
  waiting ??= Promise.withResolvers<boolean>();
  isProofNeeded.set(true);
  return waiting.promise;
}

/** Lets actions go on that waited for the password, or fail. */
export function finishProof(isProven: boolean): void {
  isProofNeeded.set(false);
  waiting?.resolve(isProven);
  waiting = null;
}

import { ApiError } from './api-error.ts';
import { createStore } from './store.ts';

/** True while an action waits for the user to confirm their identity. */
export const isProofNeeded = createStore(false);

let waiting: PromiseWithResolvers<boolean> | null = null;

/** Opens the identity confirmation. Resolves to true after confirmation, and to false if the user closes the dialog. */
export function proven(): Promise<boolean> {
  waiting ??= Promise.withResolvers<boolean>();
  isProofNeeded.set(true);
  return waiting.promise;
}

/** Resumes the actions that wait for an identity confirmation, or makes them fail. */
export function finishProof(isProven: boolean): void {
  isProofNeeded.set(false);
  waiting?.resolve(isProven);
  waiting = null;
}

/** Runs `work`. If the service requires a recent identity confirmation, opens the confirmation and runs `work` again. */
export async function withProof<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isMissing = error instanceof ApiError && error.code === 'reauthentication_required';
    if (!isMissing || !(await proven())) throw error;
    return work();
  }
}

import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from 'react';

// Unsaved work in forms, and the question that the user must answer before the work is discarded.

/** Sheet or dialog that contains a form. `null` if the form is part of the page. */
export type Surface = object | null;

/** Identifies the unsaved work of a form. */
export type Work = object;

const unsaved = new Map<Work, Surface>();

/** Closes the open question with its result. `null` if no question is open. */
let resolveQuestion: ((isDiscarded: boolean) => void) | null = null;

const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

/** Calls the listener after unsaved work or the question changes. Returns a function that ends the subscription. */
export function onUnsavedWork(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const all = (): boolean => true;

/** True if there's unsaved work in a matching surface. */
export const hasUnsavedWork = (matches: (surface: Surface) => boolean = all): boolean =>
  [...unsaved.values()].some(matches);

/** Ends the protection of work, for example after the work was saved. */
export function forgetWork(work: Work): void {
  if (unsaved.delete(work)) notify();
}

/**
 * Asks before unsaved work in matching surfaces is discarded. Returns true if nothing is unsaved, or if the user
 * discards the work. A second call closes the first question.
 */
export async function mayDiscard(matches: (surface: Surface) => boolean = all): Promise<boolean> {
  if (!hasUnsavedWork(matches)) return true;
  resolveQuestion?.(false);
  const isDiscarded = await new Promise<boolean>((resolve) => {
    resolveQuestion = resolve;
    notify();
  });
  if (isDiscarded) for (const [work, surface] of unsaved) if (matches(surface)) unsaved.delete(work);
  notify();
  return isDiscarded;
}

function closeQuestion(isDiscarded: boolean): void {
  const resolve = resolveQuestion;
  resolveQuestion = null;
  resolve?.(isDiscarded);
  notify();
}

/** Returns the function that closes the open question with its result. `null` if no question is open. */
export const useQuestion = (): ((isDiscarded: boolean) => void) | null =>
  useSyncExternalStore(onUnsavedWork, () => (resolveQuestion === null ? null : closeQuestion));

export const SurfaceContext = createContext<Surface>(null);

/** Returns the identity of a sheet or dialog, and a function that closes it after asking about unsaved work inside. */
export function useSurface(onClose: () => void): [surface: Surface, close: () => void] {
  const [surface] = useState<Surface>(() => ({}));
  const isOwn = (each: Surface): boolean => each === surface;
  const close = () => {
    if (!hasUnsavedWork(isOwn)) onClose();
    else void mayDiscard(isOwn).then((isDiscarded) => isDiscarded && onClose());
  };
  return [surface, close];
}

/**
 * Protects the work in a form while `isUnsaved` is true: the user is asked before leaving the page or the form's sheet
 * or dialog.
 */
export function useUnsavedWork(isUnsaved: boolean, of?: Work): void {
  const surface = use(SurfaceContext);
  const [own] = useState<Work>(() => ({}));
  const work = of ?? own;
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined;
    unsaved.set(work, surface);
    notify();
    return () => forgetWork(work);
  }, [isUnsaved, work, surface]);
}

import { type ComponentType, startTransition, useEffect, useState } from 'react';

/** A part that is loaded when it is first drawn. */
export type LazyPart<Props extends object> = ComponentType<Props> & {
  /** Loads the part before it is drawn. */
  readonly preload: () => void;
};

/**
 * A part in a file of its own, which is loaded when it is first drawn: sheets, forms and menus, which most visits do not open. Until then
 * `Waiting` stands in its place, or nothing. Throws where it cannot be loaded; drawn again, it is asked for again.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting?: ComponentType<Props>,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<unknown> | null = null;
  const start = () => {
    loading ??= load().then(
      (part) => {
        loaded = part;
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  function Lazy(props: Props) {
    const [failure, setFailure] = useState<unknown>(null);
    const [, setLoaded] = useState(loaded !== null);
    useEffect(() => {
      if (loaded !== null) return;
      // Where the part waits for more, what is on screen stays.
      start().then(() => startTransition(() => setLoaded(true)), setFailure);
    }, []);
    if (failure !== null) throw failure;
    const Part = loaded ?? Waiting;
    return Part === undefined ? null : <Part {...props} />;
  }
  return Object.assign(Lazy, { preload: () => void start().catch(() => undefined) });
}

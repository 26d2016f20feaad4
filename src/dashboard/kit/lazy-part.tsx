import { type ComponentType, startTransition, useEffect, useState } from 'react';

export type LazyPart<Props extends object> = ComponentType<Props> & {
  /** Loads the component before it is rendered. */
  readonly preload: () => void;
};

/**
 * Creates a component whose module is loaded when it is first rendered, such as a sheet, form or menu that most visits don't open. While the
 * module loads, shows `Waiting` if it's given. Throws if the load fails; the next render tries again.
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
      // The transition keeps the current content visible if the component suspends.
      start().then(() => startTransition(() => setLoaded(true)), setFailure);
    }, []);
    if (failure !== null) throw failure;
    const Part = loaded ?? Waiting;
    return Part === undefined ? null : <Part {...props} />;
  }
  return Object.assign(Lazy, { preload: () => void start().catch(() => undefined) });
}

import { useRef, useState } from 'preact/hooks';
import type { Document } from '../../ui/documents.ts';
import { useLive } from './live.ts';
import { useInterval } from './use-interval.ts';

/** Polling intervals in milliseconds while an outcome is pending: without live updates, and as a fallback with live updates. */
const pausesMs = { alone: 2_000, told: 15_000 };

type Changes<Result> = {
  /** True if the state of the page can still change. */
  readonly isOpen: boolean;
  /** True while the page waits for an outcome. */
  readonly isWaiting: boolean;
  readonly document: Document<Result, { readonly token: string }>;
  /** True if the page already shows the value of the live field. */
  readonly isShown: (value: Result) => boolean;
  readonly reload: () => void;
};

/** Reloads the state after each live change, and repeatedly while an outcome is pending. */
export function useChanges<Result>({ isOpen, isWaiting, document, isShown, reload }: Changes<Result>): void {
  const [isTold, setIsTold] = useState(false);
  const isFirst = useRef(true);
  useLive(isOpen, document, {
    value: (value) => {
      const isNew = !isFirst.current || !isShown(value);
      isFirst.current = false;
      setIsTold(true);
      if (isNew) reload();
    },
    end: () => setIsTold(false),
  });
  useInterval(isWaiting, reload, isTold ? pausesMs.told : pausesMs.alone);
}

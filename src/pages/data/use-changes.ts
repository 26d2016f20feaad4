import { useRef, useState } from 'preact/hooks';
import type { Document } from '../../ui/documents.ts';
import { useLive } from './live.ts';
import { useRepeat } from './use-repeat.ts';

/** Pauses between looks of a page that awaits something: while no change is told, and as a safeguard while changes are. */
const pausesMs = { alone: 2_000, told: 15_000 };

type Changes<Result> = {
  /** Whether anything can still change. */
  readonly isOpen: boolean;
  /** Whether something is under way whose outcome the page awaits. */
  readonly isWaiting: boolean;
  readonly document: Document<Result, { readonly token: string }>;
  /** Whether the page shows a value already. */
  readonly isShown: (value: Result) => boolean;
  /** Asks the service how things stand. */
  readonly reload: () => void;
};

/** Looks how things stand after each change that a live field tells, and again and again where something is awaited. */
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
  useRepeat(isWaiting, reload, isTold ? pausesMs.told : pausesMs.alone);
}

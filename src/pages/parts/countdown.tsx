import { useEffect, useState } from 'preact/hooks';
import type { Errors } from '../words/areas.ts';
import { Button } from './button.tsx';
import styles from './section.module.css';

/**
 * Seconds until the URL opens. During this time, the customer can read the confirmation or choose to stay on
 * the page.
 */
const readingSeconds = 5;

type LeavingProps = { readonly target: string; readonly words: Pick<Errors, 'leaving' | 'stayHere'> };

/** Opens a URL after a countdown that the customer can cancel. */
export function Leaving({ target, words }: LeavingProps) {
  const [left, setLeft] = useState(readingSeconds);
  const [isStaying, setIsStaying] = useState(false);
  useEffect(() => {
    if (isStaying) return;
    if (left === 0) return location.assign(target);
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [isStaying, left, target]);
  return isStaying ? null : (
    <>
      <p id="leaving" class={styles.quiet}>
        {words.leaving({ seconds: left })}
      </p>
      <Button kind="quiet" id="stay-here" onClick={() => setIsStaying(true)}>
        {words.stayHere}
      </Button>
    </>
  );
}

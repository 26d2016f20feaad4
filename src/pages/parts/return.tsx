import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { Button } from './button.tsx';
import { Onward, webAddress } from './frame.tsx';
import styles from './section.module.css';

/** Long enough to read the confirmation, and to stay. */
const readingSeconds = 5;

type ReturnProps = {
  /** Where the seller wants the payer to go; null for nowhere. */
  readonly address: string | null;
  readonly text: string;
  /** Whether the payer is led there unless asked not to. */
  readonly isDue: boolean;
};

/** Leads back to the seller after a count-down, which the payer can stop. */
export function Return({ address, text, isDue }: ReturnProps) {
  const { payment } = usePage().words;
  const [left, setLeft] = useState(readingSeconds);
  const [isStaying, setIsStaying] = useState(false);
  const target = webAddress(address);
  const isLeaving = isDue && !isStaying && target !== null;
  useEffect(() => {
    if (!isLeaving) return;
    if (left === 0) return location.assign(target);
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [isLeaving, left, target]);
  return (
    <>
      <Onward address={address} text={text} />
      {isLeaving ? (
        <>
          <p id="leaving" class={styles.quiet}>
            {payment.leaving(left)}
          </p>
          <Button kind="quiet" id="stay-here" onClick={() => setIsStaying(true)}>
            {payment.stayHere}
          </Button>
        </>
      ) : null}
    </>
  );
}

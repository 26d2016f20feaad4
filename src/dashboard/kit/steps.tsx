import CheckIcon from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { useKit } from './provider.tsx';
import styles from './steps.module.css';
import { Hidden } from './text.tsx';

export type ChecklistItem = {
  readonly id: string;
  readonly title: ReactNode;
  readonly isDone: boolean;
  readonly detail?: ReactNode;
  readonly action?: ReactNode;
};

/** Checklist of steps that can be completed in any order. */
export function Checklist({ items }: { readonly items: readonly ChecklistItem[] }) {
  const { words } = useKit();
  return (
    <ul className={styles.checklist}>
      {items.map(({ id, title, isDone, detail, action }) => (
        <li key={id} className={styles.item} data-done={isDone || undefined}>
          <span className={styles.check} aria-hidden="true">
            {isDone && <CheckIcon />}
          </span>
          <div className={styles.body}>
            <div className={styles.title}>
              {title}
              {isDone && <Hidden> {words.done}</Hidden>}
            </div>
            {detail !== undefined && <div className={styles.detail}>{detail}</div>}
          </div>
          {action !== undefined && !isDone && <div>{action}</div>}
        </li>
      ))}
    </ul>
  );
}

type StepperProps = {
  readonly label: string;
  readonly steps: readonly { readonly id: string; readonly title: ReactNode }[];
  /** ID of the current step. The steps before it are complete. */
  readonly current: string;
};

/** Numbered steps, in order. The current step is marked. */
export function Stepper({ label, steps, current }: StepperProps) {
  const { words } = useKit();
  const at = steps.findIndex(({ id }) => id === current);
  return (
    <ol className={styles.stepper} aria-label={label}>
      {steps.map(({ id, title }, index) => (
        <li
          key={id}
          className={styles.step}
          data-done={index < at || undefined}
          aria-current={index === at ? 'step' : undefined}
        >
          <span className={styles.number} aria-hidden="true">
            {index < at ? <CheckIcon /> : index + 1}
          </span>
          <span>
            {title}
            {index < at && <Hidden> {words.done}</Hidden>}
          </span>
        </li>
      ))}
    </ol>
  );
}

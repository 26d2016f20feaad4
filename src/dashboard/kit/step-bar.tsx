import styles from './step-bar.module.css';

/** Period with a value. `length` is relative to the other periods; `level` is from 0 to 1. */
export type TimeStep = {
  readonly id: string;
  readonly length: number;
  readonly level: number;
  readonly isRegular: boolean;
};

/** Bars for consecutive periods along a time axis. Hidden from screen readers, because a table next to it contains the same values. */
export function StepBar({ steps }: { readonly steps: readonly TimeStep[] }) {
  const total = steps.reduce((sum, { length }) => sum + length, 0);
  const starts = steps.map((_, index) => steps.slice(0, index).reduce((sum, { length }) => sum + length, 0));
  return (
    <svg className={styles.bar} viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" y1="99" x2="1000" y2="99" className={styles.line} />
      {steps.map(({ id, length, level, isRegular }, index) => (
        <rect
          key={id}
          x={((starts[index] ?? 0) / total) * 1_000 + 2}
          width={Math.max(4, (length / total) * 1_000 - 4)}
          y={98 - level * 92}
          height={Math.max(2, level * 92)}
          className={styles.step}
          data-regular={isRegular || undefined}
        />
      ))}
    </svg>
  );
}

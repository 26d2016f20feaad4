import type { ReactNode } from 'react';
import { useKit } from './provider.tsx';
import styles from './states.module.css';

type EmptyStateProps = {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  /** Sentence that explains which content appears here. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** API request that creates the first object. */
  readonly code?: ReactNode;
};

/** Shown instead of an empty list, or a list without matches for its filters. */
export const EmptyState = ({ icon, title, children, action, code }: EmptyStateProps) => (
  <div className={styles.empty}>
    {icon !== undefined && (
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
    )}
    <p className={styles.title}>{title}</p>
    {children !== undefined && <p className={styles.sentence}>{children}</p>}
    {action !== undefined && <div className={styles.action}>{action}</div>}
    {code !== undefined && <div className={styles.code}>{code}</div>}
  </div>
);

type SkeletonProps = {
  /** Number of text lines. `height` shows a single block instead, in steps of 4 px. */
  readonly lines?: number;
  readonly height?: 8 | 16 | 24 | 32 | 48 | 64;
};

/** Placeholder with the final size of the content that is loading. Appears after 150 ms. */
export const Skeleton = ({ lines = 1, height }: SkeletonProps) => (
  <div className={styles.skeletons} aria-hidden="true">
    {Array.from({ length: height === undefined ? lines : 1 }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike.
      <span key={index} className={styles.skeleton} data-height={height} />
    ))}
  </div>
);

/** Skeletons while content loads, with a message for screen readers. */
export function Loading({ lines = 4, height }: SkeletonProps) {
  const { words } = useKit();
  return (
    <div role="status" aria-label={words.loading}>
      <Skeleton lines={lines} {...(height && { height })} />
    </div>
  );
}

import type { ReactNode } from 'react';
import { useKit } from './provider.tsx';
import styles from './states.module.css';

type EmptyStateProps = {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  /** One sentence: what would stand here. */
  readonly children?: ReactNode;
  /** One button. */
  readonly action?: ReactNode;
  /** Code that makes the first one. */
  readonly code?: ReactNode;
};

/** Stands where nothing exists yet, or nothing matches a filter. */
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
  /** Lines of text, or one block of a height in steps of 4 px. */
  readonly lines?: number;
  readonly height?: 8 | 16 | 24 | 32 | 48 | 64;
};

/** Holds the place of what is being loaded, in its final size. Appears after 150 ms. */
export const Skeleton = ({ lines = 1, height }: SkeletonProps) => (
  <div className={styles.skeletons} aria-hidden="true">
    {Array.from({ length: height === undefined ? lines : 1 }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike.
      <span key={index} className={styles.skeleton} data-height={height} />
    ))}
  </div>
);

/** Says that something is being loaded, with skeletons for eyes and a word for readers. */
export function Loading({ lines = 4, height }: SkeletonProps) {
  const { words } = useKit();
  return (
    <div role="status" aria-label={words.loading}>
      <Skeleton lines={lines} {...(height && { height })} />
    </div>
  );
}

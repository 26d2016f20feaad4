import CircleXIcon from 'lucide-react/icons/circle-x';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { useKit } from './provider.tsx';
import styles from './states.module.css';

type ErrorStateProps = {
  readonly title: ReactNode;
  readonly message?: ReactNode;
  readonly requestId?: string | undefined;
  readonly onRetry?: () => void;
};

/** Shown instead of content that couldn't be loaded: the error, the request ID, and a retry button. */
export function ErrorState({ title, message, requestId, onRetry }: ErrorStateProps) {
  const { words } = useKit();
  return (
    <div className={styles.empty} role="alert">
      <span className={styles.icon} data-tone="negative" aria-hidden="true">
        <CircleXIcon />
      </span>
      <p className={styles.title}>{title}</p>
      {message !== undefined && <p className={styles.sentence}>{message}</p>}
      {requestId !== undefined && (
        <p className={styles.sentence}>
          {words.requestId} <Copy value={requestId} />
        </p>
      )}
      {onRetry !== undefined && (
        <div className={styles.action}>
          <Button onPress={onRetry}>{words.retry}</Button>
        </div>
      )}
    </div>
  );
}

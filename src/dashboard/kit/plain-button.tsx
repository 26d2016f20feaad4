import type { ReactNode } from 'react';
import styles from './button.module.css';
import { cx } from './class-names.ts';

type PlainButtonProps = {
  readonly kind?: 'normal' | 'quiet';
  readonly size?: 'md' | 'sm';
  readonly icon?: ReactNode;
  /** What the button does, for readers; for a button that is only an icon. */
  readonly label?: string;
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
  readonly onPress: () => void;
  readonly children?: ReactNode;
};

/** A native button that looks like `Button`, for the frame of the dashboard: it works before the parts of react-aria are loaded. */
export const PlainButton = ({
  kind = 'normal',
  size = 'md',
  icon,
  label,
  isDisabled = false,
  isPending = false,
  onPress,
  children,
}: PlainButtonProps) => (
  <button
    type="button"
    className={cx(styles.button, styles.plain, children === undefined && styles.iconOnly)}
    data-kind={kind}
    data-size={size}
    data-disabled={isDisabled || undefined}
    data-pending={isPending || undefined}
    disabled={isDisabled}
    aria-disabled={isPending || undefined}
    aria-label={label}
    onClick={() => {
      if (!isPending) onPress();
    }}
  >
    {icon}
    {children !== undefined && <span className={styles.label}>{children}</span>}
    {isPending && <span className={styles.spinner} aria-hidden="true" />}
  </button>
);

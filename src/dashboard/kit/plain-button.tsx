import type { ReactNode } from 'react';
import styles from './button.module.css';
import { cx } from './class-names.ts';

type PlainButtonProps = {
  readonly kind?: 'normal' | 'quiet';
  readonly size?: 'md' | 'sm';
  readonly icon?: ReactNode;
  /** Accessible name, for a button that shows only an icon. */
  readonly label?: string;
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
  readonly onPress: () => void;
  readonly children?: ReactNode;
};

/** Native button in the style of `Button`, for the frame of the dashboard. It works before react-aria is loaded. */
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
